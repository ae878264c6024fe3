import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { isRecord } from '../../emulator/http.ts'
import { ACTIONS } from './actions.ts'

/** A step of an example that uses one of the actions. */
export interface Step {
  readonly name: keyof typeof ACTIONS
  /** '' for none. */
  readonly id: string
  /** As written, expressions included. */
  readonly inputs: Readonly<Record<string, string>>
}

/** The steps of the one job in `examples/FILE`. */
export function stepsOf(file: string): readonly Step[] {
  const workflow: unknown = parse(readFileSync(new URL(`../../examples/${file}`, import.meta.url), 'utf8'))
  const jobs = isRecord(workflow) && isRecord(workflow.jobs) ? Object.values(workflow.jobs) : []
  const steps = jobs.flatMap((job) => (isRecord(job) && Array.isArray(job.steps) ? job.steps : []))
  return steps.filter(isRecord).map((step) => ({
    name: nameOf(String(step.uses)),
    id: String(step.id ?? ''),
    inputs: Object.fromEntries(
      Object.entries(isRecord(step.with) ? step.with : {}).map(([name, value]) => [name, String(value)]),
    ),
  }))
}

function nameOf(uses: string): Step['name'] {
  const [, name = 'root'] = /\/docs-agent(?:\/(\w+))?@/.exec(uses) ?? []
  if (!Object.hasOwn(ACTIONS, name)) throw new Error(`The demo has no action "${uses}"`)
  return name as Step['name']
}

/** An input with its expressions replaced, such as `${{ steps.visitors.outputs.file }}`. */
export const evaluate = (input: string, values: Readonly<Record<string, string>>): string =>
  input.replace(/\$\{\{\s*([\w.-]+)\s*\}\}/g, (_, name: string) => values[name] ?? '')
