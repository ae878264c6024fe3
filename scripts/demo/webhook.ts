import { eventsOf } from '../../emulator/github/samples.ts'
import { isRecord } from '../../emulator/http.ts'

type Json = Readonly<Record<string, unknown>>

/** A payload as GitHub really sent it, with `over` put over it, field by field. Events without actions take ''. */
export function webhook(name: string, action: string, over: Json): Json {
  const [example] = eventsOf(name, action)
  if (example === undefined) throw new Error(`No example of ${name} ${action}`)
  return merge({ ...example }, over)
}

function merge(base: Json, over: Json): Json {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const below = base[key]
    merged[key] = isRecord(below) && isRecord(value) ? merge(below, value) : value
  }
  return merged
}
