import { unlessRefused } from '../../base/errors.ts'
import { isSameAccount, mayUse } from '../../event/gate.ts'
import type { PullRequest } from '../../event/objects.ts'
import { type IgnoredBy, ignoredBy } from '../../inputs/ignore.ts'
import type { PromptSource, Task } from '../../prompt/task.ts'
import { decidesStatus } from '../../record/changes-fold.ts'
import { isRequestRecord } from '../../record/record.ts'
import { type ChangesId, isSameChanges } from '../../thread/pull-changes.ts'
import type { Run } from '../../thread/run.ts'
import type { Session } from '../../thread/session.ts'
import { isUndecided } from '../../words/commit-verdict.ts'
import type { NoStatus } from '../../words/notes.ts'

/**
 * Why the head of a pull request that `ignore` names gets no `success` for that. Whatever a request, a command or a skip left there
 * stays, also where no record tells of it any more.
 * @returns undefined where it may get one, or has no status
 * @throws {GitHubError} where GitHub does not answer
 */
export async function whyNotGreen(
  session: Session,
  run: Run,
  task: PromptSource,
  pull: PullRequest,
  by: IgnoredBy,
): Promise<NoStatus | undefined> {
  const { name, sha } = run.identity.commitStatus
  if (name === '' || sha === '') return undefined
  if (run.thread?.hasUnverifiedRecords) return 'unverified'
  if (mayBeAsked(run)) return 'asked'
  const { github, warnings } = session
  const { inputs } = task
  const shown = await warnings.warnIfRefused('commit-status', () =>
    github.commitStatuses(github.repository, sha),
  )
  if (shown === undefined || shown.some((one) => one.context === name && !isUndecided(one, inputs.command)))
    return 'shown'
  return (await isByPermitted(session, task, pull, by)) ? undefined : 'permission'
}

/** A request whose changes are not known may be about this head. */
function mayBeAsked(run: Run): boolean {
  const { current, others = [] } = run.records() ?? {}
  const { head } = run.identity
  return [...(current ? [current] : []), ...others].some(
    ({ record }) => isRequestRecord(record) && decidesStatus(record) && mayBeSame(record.head, head),
  )
}

const mayBeSame = (one: ChangesId, other: ChangesId): boolean =>
  one.digest === '' || other.digest === '' || isSameChanges(one, other)

/** Whether the author, where the input names it, or the account that set a label that it names may use the action. */
async function isByPermitted(
  { github }: Session,
  { inputs, trigger }: PromptSource,
  { author, number }: PullRequest,
  { isByAuthor, labels }: IgnoredBy,
): Promise<boolean> {
  // The run has come so far by the permission of its sender.
  if (isByAuthor && (isSameAccount(author, trigger.sender) || (await mayUse(github, author, inputs))))
    return true
  if (labels.length === 0) return false
  const events = await unlessRefused(github.labelEvents(number), [])
  for (const label of labels) {
    const last = events.findLast((one) => one.label.toLowerCase() === label)
    if (last?.event === 'labeled' && (await mayUse(github, last.actor, inputs))) return true
  }
  return false
}

/** A comment that is no command asks what `prompt` says, but not in a pull request that `ignore` names. */
export const isIgnoredComment = ({ inputs, trigger, usedCommand }: Task): boolean =>
  !usedCommand &&
  trigger.subject?.isPullRequest === true &&
  ignoredBy(inputs.ignore, trigger.subject) !== undefined
