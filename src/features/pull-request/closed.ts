import { unlessRefused } from '../../base/errors.ts'
import { fullName } from '../../base/link.ts'
import { targetBranch } from '../../event/objects.ts'
import { defaultBranchOf } from '../../event/trigger.ts'
import type { PromptSource, Task } from '../../prompt/task.ts'
import type { RequestComment } from '../../record/fold.ts'
import { isLeased } from '../../record/log.ts'
import { type Ending, ending } from '../../record/outcome.ts'
import type { RunEnding } from '../../record/report.ts'
import { digestOfText, isOfSameRun } from '../../record/request-identity.ts'
import { hasJobFailed, isInDoubt, isInProgress, isWithAgent } from '../../record/states.ts'
import { docsPullRequest, leaveBacklink, pullRequestNow } from '../../thread/docs-pull-request.ts'
import { type ChangesId, isSameChanges } from '../../thread/pull-changes.ts'
import type { Run } from '../../thread/run.ts'
import type { Session } from '../../thread/session.ts'
import { isOnTarget, mergedBranch } from '../../thread/stack-layers.ts'
import type { Backlink, Thread } from '../../thread/thread.ts'
import { hasUnreportedFailure } from '../../thread/unreported-failure.ts'
import { skipSentence } from '../../words/comments.ts'
import { type ClosedCode, endComment, mergedBelow, mergedElsewhere } from '../../words/end-of-code.ts'
import { CAUSES } from '../../words/notes.ts'
import { pullRequestLink } from '../../words/phrases.ts'

/**
 * The code's pull request was merged or closed. What was merged into the default branch, and the agent does not have, is asked;
 * anything else is said where the pull request of the docs is open.
 * @param now the changes as they ended @param idle where they need no docs
 * @returns undefined where the run asks, or cannot know
 */
export async function answerToClosed(
  session: Session,
  run: Run,
  task: Task,
  { now, idle }: { readonly now: ChangesId; readonly idle: Ending | undefined },
): Promise<RunEnding | undefined> {
  const records = run.records()
  const { subject } = task.trigger
  if (records === undefined || subject === undefined) return undefined
  const { skip, job } = records.facts
  if (skip !== undefined) return ending('skipped', 'docs-skipped', skipSentence(skip))
  const isMerged = subject.state === 'merged'
  const about = records.others.filter(
    ({ record }) =>
      !isOfSameRun(record, run.identity) && isSameChanges(record.head, now) && !hasJobFailed(record),
  )
  const failed = isMerged
    ? await Promise.all(about.map(({ record }) => hasUnreportedFailure(session, task, record)))
    : []
  const { got, isDoubtful } = gotOf(
    about.filter((_, at) => failed[at] !== true),
    session.github.clock(),
  )
  if (isMerged && got === 'lacks' && idle !== undefined) return idle
  const isThere = isMerged ? await isOnTarget(session, subject) : true
  const defaultBranch = defaultBranchOf(session.runner)
  const isForReaders = defaultBranch === '' || targetBranch(subject) === defaultBranch
  const isReleased = isForReaders && isThere === true
  if (isMerged && got === 'lacks' && isReleased) {
    if (isDoubtful && session.runner.runAttempt === 1)
      return ending('skipped', 'no-changes', CAUSES.mayBeAsked)
    // The push of the merge asks the same, and the thread tells which of the two went first.
    run.updateIdentity({ merged: [subject.number] })
    return undefined
  }
  const branch = mergedBranch(subject, isThere === true)
  // Where it is not known what the agent has, the thread says so.
  if (!isMerged || !isDoubtful) await tellDocs(session, run, task, { isMerged, got, branch, isReleased })
  if (!isMerged || got !== 'lacks')
    return {
      ...ending('skipped', 'pull-request-closed'),
      job: records.facts.acceptedChanges.length > 0 ? job : undefined,
    }
  const { command } = task.inputs
  const cause = isForReaders
    ? mergedBelow({ branch, target: targetBranch(subject), isThere }, command, isDoubtful)
    : mergedElsewhere(branch, command, isDoubtful)
  return ending('skipped', 'pull-request-closed', cause)
}

/** What the agent has of the code. @param about what other runs sent, and no job has failed at @param at on GitHub's clock */
function gotOf(about: readonly RequestComment[], at: number) {
  // Where no run holds what went out, it is not known whether the agent works on it.
  const works = about.some(
    ({ record, updatedAt }) =>
      isInProgress(record) && (record.state === 'running' || isLeased(record, updatedAt, at)),
  )
  const has: ClosedCode['got'] = about.some(({ record }) => isWithAgent(record)) ? 'all' : 'lacks'
  const got: ClosedCode['got'] = works ? 'works' : has
  return { got, isDoubtful: got === 'lacks' && about.some(({ record }) => isInDoubt(record)) }
}

/** A bot closed it: it asks nothing, and still says that the code has ended. */
export const tellClosed = async (session: Session, run: Run, task: PromptSource): Promise<void> => {
  const { subject } = task.trigger
  const branch = subject === undefined ? '' : targetBranch(subject)
  await tellDocs(session, run, task, { isMerged: false, got: 'all', branch, isReleased: true })
}

/** Where the pull request of the docs is open. */
async function tellDocs(
  session: Session,
  run: Run,
  { trigger, inputs }: PromptSource,
  end: Omit<ClosedCode, 'closedPull' | 'command'>,
): Promise<void> {
  const { thread, identity } = run
  const { job, acceptedChanges: sent } = run.facts
  if (thread === undefined || job === undefined || job.prLink === '' || sent.length === 0) return
  if (inputs.dryRun || session.commentMode === 'off') return
  const closedPull = `${fullName(session.runner.repository)}#${thread.number}`
  const { state = 'closed', closedAt = 0 } = trigger.subject ?? {}
  const requestDigest = digestOfText(`${thread.number} ${state} ${closedAt}`)
  // A backlink is no request: it is never the newest record, and the job accepted nothing by it.
  const record = { ...identity, requestedAt: 0, acceptedAt: 0, requestDigest, job }
  const whole = { ...end, closedPull, command: inputs.command, closedAt }
  await session.warnings.warnOnFailure('end', () => tell(session, thread, record, whole))
}

/** On the pull request of the docs, or else in the thread; a re-run, or a second workflow, finds it there. @throws {GitHubError} */
async function tell(
  session: Session,
  thread: Thread,
  record: Omit<Backlink, 'from' | 'text'>,
  end: ClosedCode & { readonly closedAt: number },
): Promise<void> {
  const { requestDigest, job } = record
  const pull = await docsPullRequest(session, job.prLink)
  const { state } = await pullRequestNow(session, job.prLink)
  if (state === 'merged' || state === 'closed' || thread.holds(requestDigest)) return
  const isThere = (place: Thread) => place.holds(requestDigest)
  const link = { ...record, from: thread.number, text: endComment(end), isThere, since: end.closedAt }
  const isLeft = pull !== undefined && (await unlessRefused(leaveBacklink(session, pull, link), false))
  if (!isLeft)
    await thread.writeBacklink(session, { ...link, text: endComment(end, pullRequestLink(job.prLink)) })
}
