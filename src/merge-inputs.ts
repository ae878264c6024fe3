import { BadInput } from './errors.ts'
import { type GetInput, list } from './input-readers.ts'
import { parseDate } from './period.ts'
import { code } from './text.ts'

/** The input `changes-since`; `at` is in ms since the epoch. */
export type ChangesSince = 'last-run' | { readonly days: number } | { readonly at: number }

export function readChangesSince(input: GetInput): ChangesSince | undefined {
  const value = input('changes-since')
  if (value === '') return undefined
  if (value.toLowerCase() === 'last-run') return 'last-run'
  const [, days] = /^([1-9]\d{0,3})d$/i.exec(value) ?? []
  if (days !== undefined) return { days: Number(days) }
  const at = parseDate(value)
  if (at !== undefined && at >= 0) return { at }
  const remedy = 'Write `last-run`, days such as `7d`, or an ISO 8601 time such as `2026-07-01T06:00Z`.'
  throw new BadInput('changes-since', `is ${code(value, 60)}`, remedy)
}

/** The input `merged-labels` (contract 3.11), in lower case: forges do not tell letter cases of labels apart. */
export interface MergedLabels {
  /** A pull request needs one of them; empty where it needs none. */
  readonly included: readonly string[]
  /** It may have none of these, which the input writes with a `!` before them. */
  readonly excluded: readonly string[]
}

export function readMergedLabels(input: GetInput): MergedLabels | undefined {
  const names = list(input, 'merged-labels').map((name) => name.toLowerCase())
  if (names.length === 0) return undefined
  const [included, excluded] = [new Set<string>(), new Set<string>()]
  for (const name of names) {
    const label = name.replace(/^!\s*/, '')
    if (label === '') throw new BadInput('merged-labels', 'contains `!` without a label', REMEDY)
    const set = name.startsWith('!') ? excluded : included
    set.add(label)
  }
  return { included: [...included], excluded: [...excluded] }
}

const REMEDY = 'Write labels such as `feature`, or `!internal` for one that must be missing, one a line.'
