import type { ServiceAccess } from '../http/service.ts'
import { choice, type GetInput, numberIn } from '../input-readers.ts'
import { COMMENT_MODES, type CommentMode } from '../inputs.ts'
import { readAccess } from '../service-access.ts'

/** The inputs of `collect`, checked and typed (contract 8). The key may be '': see `requireKey`. */
export interface CollectInputs {
  readonly access: ServiceAccess
  readonly githubToken: string
  readonly sinceMs: number
  readonly comment: CommentMode
}

/** A month: nobody waits longer for a job of minutes. */
const MAX_HOURS = 744

/** @throws {BadInput} on the first input that cannot be used */
export function readCollectInputs(input: GetInput): CollectInputs {
  return {
    access: readAccess(input),
    githubToken: input('github-token'),
    sinceMs: numberIn(input, 'since-hours', { min: 0.01, max: MAX_HOURS, unit: 'hours' }, 48) * 3_600_000,
    comment: choice(input, 'comment', COMMENT_MODES, 'recreate'),
  }
}
