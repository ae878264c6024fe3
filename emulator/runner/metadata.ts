import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'
import { isRecord } from '../http.ts'

/** What a metadata file says of one input or output. */
export interface Entry {
  readonly name: string
  readonly description: string
  readonly required: boolean
  readonly default: string | undefined
}

/** An `action.yml`. Paths are absolute; inputs and outputs are in the order of the file. */
export interface ActionMetadata {
  readonly main: string
  /** Runs whatever became of `main`: no action of ours has a `post-if`. */
  readonly post: string | undefined
  readonly inputs: readonly Entry[]
  readonly outputs: readonly Entry[]
}

/** What was read of each text: every run of the tests reads one of a few. */
const parsed = new Map<string, unknown>()

export function readMetadata(file: string): ActionMetadata {
  const text = readFileSync(file, 'utf8')
  if (!parsed.has(text)) parsed.set(text, parse(text))
  const action = parsed.get(text)
  const runs = isRecord(action) ? action.runs : undefined
  if (!isRecord(action) || !isRecord(runs) || typeof runs.main !== 'string') {
    throw new Error(`${file} describes no action that runs on Node: "runs.main" is missing.`)
  }
  return {
    main: resolve(dirname(file), runs.main),
    post: typeof runs.post === 'string' ? resolve(dirname(file), runs.post) : undefined,
    inputs: entries(action.inputs),
    outputs: entries(action.outputs),
  }
}

function entries(section: unknown): Entry[] {
  return Object.entries(isRecord(section) ? section : {}).map(([name, value]) => {
    const entry = isRecord(value) ? value : {}
    const { default: given = null } = entry
    return {
      name,
      description: String(entry.description ?? '').trim(),
      required: entry.required === true,
      default: given === null ? undefined : String(given),
    }
  })
}
