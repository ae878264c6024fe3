import { createRequire } from 'node:module'
import { isRecord } from '../../emulator/http.ts'

type Json = Readonly<Record<string, unknown>>

/** A payload as GitHub really sent it, with `over` put over it, field by field. Events without actions take ''. */
export function webhook(name: string, action: string, over: Json): Json {
  const events: unknown = createRequire(import.meta.url)('@octokit/webhooks-examples')
  const event = Array.isArray(events)
    ? events.find((one: unknown) => isRecord(one) && one.name === name)
    : undefined
  const found: unknown[] = isRecord(event) && Array.isArray(event.examples) ? event.examples : []
  const example = found.filter(isRecord).find((one) => (one.action ?? '') === action)
  if (example === undefined) throw new Error(`No example of ${name} ${action}`)
  return merge(example, over)
}

function merge(base: Json, over: Json): Json {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const below = base[key]
    merged[key] = isRecord(below) && isRecord(value) ? merge(below, value) : value
  }
  return merged
}
