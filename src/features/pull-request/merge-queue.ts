import { GitHubError, isRefused } from '../../base/errors.ts'
import { type MergeGroup, runName } from '../../event/trigger.ts'
import type { Inputs } from '../../inputs/inputs.ts'
import { type Ending, ending } from '../../record/outcome.ts'
import type { Session } from '../../thread/session.ts'
import { queueVerdict, type Verdict } from '../../words/commit-verdict.ts'
import { statusToSet } from './verdict.ts'

/**
 * A merge queue checks a commit of its own, which gets the verdict of the pull request that it is about. Without `commit-status`,
 * nothing is read and nothing set.
 * @throws {GitHubError} where GitHub does not answer
 */
export async function answerMergeQueue(
  session: Session,
  { action, headSha, headRef }: MergeGroup,
  { commitStatus }: Pick<Inputs, 'commitStatus'>,
): Promise<Ending> {
  if (action !== 'checks_requested' || commitStatus === '' || headSha === '')
    return ending('skipped', 'merge-group')
  const number = queuedNumber(headRef)
  const read = await verdictOfQueued(session, number, commitStatus).catch((error: unknown) => {
    if (!(error instanceof GitHubError)) throw error
    return error
  })
  const isUnread = read instanceof GitHubError
  const verdict = isUnread ? queueVerdict('unread', number) : read
  const status = statusToSet(session, verdict, commitStatus, runName(session.runner))
  // A queue waits for it alone, so no other run decides it meanwhile.
  const isSet = await session.warnings.warnOnFailure('commit-status', async () => {
    await session.github.setCommitStatus(headSha, status)
    return true
  })
  // A re-run can read it.
  if (isUnread && !isRefused(read)) throw read
  if (isUnread) session.warnings.add('head', read)
  // What anyone may have written stays in the status.
  const copied = isSet ? `Its commit has the status of #${number}` : NOT_SET
  const said = verdict.state === 'success' ? copied : verdict.description
  return ending('skipped', 'merge-group', `${said}.`)
}

const NOT_SET = 'The status of its commit could not be set'

/** The pull request that a queue's branch is about; the name of the base in it can have slashes. Undefined for another branch. */
const queuedNumber = (headRef: string): number | undefined => {
  const [, number] =
    /^refs\/heads\/gh-readonly-queue\/.+\/pr-([1-9]\d{0,9})-[\da-f]{40,64}$/.exec(headRef) ?? []
  return number === undefined ? undefined : Number(number)
}

/** The status on the head, by any account: an administrator may have set it. @throws {GitHubError} */
async function verdictOfQueued(
  { github }: Session,
  number: number | undefined,
  name: string,
): Promise<Verdict> {
  if (number === undefined) return queueVerdict('unknown', number)
  const { headSha, url } = await github.pullRequest({ ...github.repository, number })
  const statuses = await github.commitStatuses(github.repository, headSha)
  const status = statuses.find(({ context }) => context === name)
  if (status?.state === 'success')
    return { state: 'success', description: status.description, link: status.url }
  const isRed = status !== undefined && status.state !== 'pending'
  return { ...queueVerdict(isRed ? 'red' : 'none', number), link: url }
}
