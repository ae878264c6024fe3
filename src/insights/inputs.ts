import { type AnalyticsInputs, readAnalyticsInputs, TOP } from '../analytics/inputs.ts'
import { BadInput } from '../errors.ts'
import { type GetInput, list, numberIn } from '../input-readers.ts'
import { code } from '../text.ts'
import { KINDS, type Kind } from './finding.ts'

export type Format = '.md' | '.json'

/** The inputs of `insights`, checked and typed (contract 9). */
export interface InsightsInputs extends AnalyticsInputs<Format> {
  /** In the order of `KINDS`, each once. */
  readonly include: readonly Kind[]
  /** Searches with fewer hits are left out. */
  readonly minCount: number
  /** Findings of each kind. */
  readonly top: number
}

/**
 * @param now in ms since the epoch: named periods end with the day before
 * @throws {BadInput} on the first input that cannot be used
 */
export function readInsightsInputs(input: GetInput, now: number): InsightsInputs {
  const minCount = { min: 1, max: 1_000_000, whole: true, unit: 'hits' }
  return {
    ...readAnalyticsInputs(input, now, {
      period: 'last-week',
      file: 'insights.md',
      formats: ['.md', '.json'],
    }),
    include: readKinds(input),
    minCount: numberIn(input, 'min-count', minCount, 2),
    top: numberIn(input, 'top', { ...TOP, unit: 'findings' }, 20),
  }
}

function readKinds(input: GetInput): readonly Kind[] {
  const words = list(input, 'include').map((word) => word.toLowerCase())
  if (words.length === 0) {
    if (input('include') === '') return KINDS
    throw new BadInput('include', 'names no kind', REMEDY)
  }
  const unknown = words.find((word) => !KINDS.some((kind) => kind === word))
  if (unknown !== undefined) throw new BadInput('include', `holds ${code(unknown, 60)}`, REMEDY)
  return KINDS.filter((kind) => words.includes(kind))
}

const REMEDY = `Write one or more of ${KINDS.map((kind) => code(kind)).join(', ')}, separated by commas.`
