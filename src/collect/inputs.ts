import { COMMENT_MODES, type CommentMode } from '../core/choices.ts'
import type { ServiceAccess } from '../http/service.ts'
import { choice, numberIn, type RawInputs } from '../inputs/read.ts'
import { readAccess } from '../inputs/service.ts'

/** The inputs of the sweep, checked and typed (contract 8). The key may be '': see `requireKey`. */
export interface CollectInputs {
  readonly access: ServiceAccess
  readonly githubToken: string
  readonly sinceMs: number
  readonly comment: CommentMode
}

/** A month: GitHub keeps the logs of a run longer, but nobody waits that long for a job of minutes. */
const MAX_HOURS = 744

/** @throws {BadInput} on the first input that cannot be used */
export function readCollectInputs(inputs: RawInputs): CollectInputs {
  return {
    access: readAccess(inputs),
    githubToken: inputs('github-token') ?? '',
    sinceMs: numberIn(inputs, 'since-hours', { min: 0.01, max: MAX_HOURS, unit: 'hours' }, 48) * 3_600_000,
    comment: choice(inputs, 'comment', COMMENT_MODES, 'recreate'),
  }
}
