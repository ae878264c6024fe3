import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { isRecord } from '../../emulator/http.ts'

/** What a metadata file says of one input or output. */
export interface Entry {
  readonly name: string
  readonly description: string
  readonly required: boolean
  readonly default: string | undefined
}

export interface Metadata {
  readonly inputs: readonly Entry[]
  readonly outputs: readonly Entry[]
}

/** The public contract of an action, in the order of its metadata file. */
export function readContract(file: string): Metadata {
  const action: unknown = parse(readFileSync(file, 'utf8'))
  if (!isRecord(action)) throw new Error(`${file} describes no action.`)
  return { inputs: entries(action.inputs), outputs: entries(action.outputs) }
}

function entries(section: unknown): Entry[] {
  return Object.entries(isRecord(section) ? section : {}).map(([name, value]) => {
    const entry = isRecord(value) ? value : {}
    return {
      name,
      description: String(entry.description ?? '').trim(),
      required: entry.required === true,
      default: entry.default === undefined ? undefined : String(entry.default),
    }
  })
}
