import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'
import { isRecord } from '../http.ts'

/** The part of an `action.yml` that running it takes. Paths are absolute. */
export interface ActionMetadata {
  readonly name: string
  readonly main: string
  readonly post: string | undefined
  readonly postIf: string
  /** Defaults, by the input's name as written; `undefined` where there is none. */
  readonly inputs: ReadonlyMap<string, string | undefined>
}

export function readMetadata(file: string): ActionMetadata {
  const action: unknown = parse(readFileSync(file, 'utf8'))
  const runs = isRecord(action) ? action.runs : undefined
  if (!isRecord(action) || !isRecord(runs) || typeof runs.main !== 'string') {
    throw new Error(`${file} describes no action that runs on Node: "runs.main" is missing.`)
  }
  const inputs = new Map<string, string | undefined>()
  for (const [name, input] of Object.entries(isRecord(action.inputs) ? action.inputs : {})) {
    const given = isRecord(input) ? input.default : undefined
    inputs.set(name, given === undefined || given === null ? undefined : String(given))
  }
  const from = (path: unknown) => (typeof path === 'string' ? resolve(dirname(file), path) : undefined)
  return {
    name: String(action.name ?? ''),
    main: resolve(dirname(file), runs.main),
    post: from(runs.post),
    postIf: String(runs['post-if'] ?? 'always()'),
    inputs,
  }
}
