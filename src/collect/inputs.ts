import type { ServiceAccess } from '../http/service.ts'
import { choice, type GetInput, numberIn } from '../input-readers.ts'
import { COMMENT_MODES, type CommentMode } from '../inputs.ts'
import { readAccess } from '../service-access.ts'

/** The inputs of `collect`, checked and typed (contract 8). The key may be '': see `requireKey`. */
export interface CollectInputs {
  readonly access: ServiceAccess
  readonly githubToken: string
  readonly sinceMs: number
  /** How long to wait for the job of the pull request that woke the sweep; 0 does not wait. */
  readonly waitMs: number
  readonly comment: CommentMode
}

/** A month, for jobs that take minutes. */
const MAX_HOURS = 744

/** No job of GitHub's runners lasts longer. */
const MAX_WAIT_MINUTES = 360

/** @throws {BadInput} on the first input that cannot be used */
export function readCollectInputs(input: GetInput): CollectInputs {
  return {
    access: readAccess(input),
    githubToken: input('github-token'),
    sinceMs: numberIn(input, 'since-hours', { min: 0.01, max: MAX_HOURS, unit: 'hours' }, 48) * 3_600_000,
    waitMs: numberIn(input, 'wait-minutes', { min: 0, max: MAX_WAIT_MINUTES, unit: 'minutes' }, 3) * 60_000,
    comment: choice(input, 'comment', COMMENT_MODES, 'recreate'),
  }
}
