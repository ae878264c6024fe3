import { redact } from '../../base/redact.ts'
import { oneLine } from '../../base/text.ts'
import { runUrlOf } from '../../event/trigger.ts'
import { decidesStatus, skipIn } from '../../record/changes-fold.ts'
import type { RequestComment } from '../../record/fold.ts'
import { isLeased } from '../../record/log.ts'
import { areChecksFollowed, endingIn, jobOf } from '../../record/states.ts'
import { type ChangesId, isSameChanges } from '../../thread/pull-changes.ts'
import type { Session } from '../../thread/session.ts'
import {
  commitVerdictOf,
  MAX_DESCRIPTION,
  skipVerdict,
  type Verdict,
  WORKING,
} from '../../words/commit-verdict.ts'

/** A request, with the comment that has its record. */
export type Entry = Pick<RequestComment, 'record' | 'url' | 'updatedAt'>

export interface HeadVerdict extends Verdict {
  /** Of the request that decides. */
  readonly requestedAt: number
}

/**
 * What the log of a pull request says of a head. A skip in force decides it; else the latest request with
 * this status that is about this head, or about the same changes of another one:
 *
 *   goes out, or its job works      pending, also while the checks of its pull request are followed
 *   went out, and no run holds it   error: the agent may have it
 *   ended with its job              as that ended, and as the checks of its pull request stand
 *   ended without a job             error, with what to do
 *   asked nothing                   decides nothing: an earlier one does
 *
 * @param now on GitHub's clock @returns undefined where no request decides it
 */
export function verdictOf(
  log: readonly Entry[],
  head: ChangesId,
  name: string,
  now: number,
): HeadVerdict | undefined {
  const skip = skipIn(log)
  if (skip !== undefined) return { ...skipVerdict(skip, skip.url), requestedAt: skip.requestedAt }
  const [latest] = log
    .filter(({ record }) => record.commitStatus.name === name && isSameChanges(record.head, head))
    .filter(({ record }) => decidesStatus(record))
    .toSorted((a, b) => b.record.requestedAt - a.record.requestedAt)
  const verdict = latest && saidOf(latest, now)
  return verdict && { ...verdict, requestedAt: latest.record.requestedAt }
}

function saidOf({ record, updatedAt }: Entry, now: number): Verdict | undefined {
  const { state, command } = record
  const isOut = state === 'sending' && record.ending === undefined && isLeased(record, updatedAt, now)
  const works = state === 'running' && record.ending?.outcome !== 'error'
  if (isOut || works || (areChecksFollowed(record) && isLeased(record, updatedAt, now))) return WORKING
  const { outcome, reason, message } = endingIn(record) ?? LOST
  const checks = 'checks' in record ? record.checks : undefined
  return commitVerdictOf({ outcome, reason, message, job: jobOf(record), checks, command })
}

/** A run was lost while the request went out. */
const LOST = { outcome: 'error', reason: 'creation-uncertain', message: '' } as const

/** The status that says a verdict. @param name of the status @param attempt whose page it leads to, where the verdict has no link */
export const statusToSet = (
  { deps, runner }: Pick<Session, 'deps' | 'runner'>,
  { state, description, link }: Verdict,
  name: string,
  attempt: string,
) => ({
  state,
  context: name,
  description: oneLine(redact(description, deps.secrets), MAX_DESCRIPTION),
  target_url: redact(link, deps.secrets) || runUrlOf(runner, attempt),
})
