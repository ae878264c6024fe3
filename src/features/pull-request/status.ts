import { isDeepStrictEqual } from 'node:util'
import { isRefused } from '../../base/errors.ts'
import { fullName, type RepositoryName } from '../../base/link.ts'
import { isPullRequestEvent } from '../../event/gate.ts'
import { runName } from '../../event/trigger.ts'
import type { CommitStatus } from '../../github/answers.ts'
import { pathsOf } from '../../inputs/paths.ts'
import type { PromptSource } from '../../prompt/task.ts'
import type { Report } from '../../record/report.ts'
import { isOfSameRun } from '../../record/request-identity.ts'
import { jobOf } from '../../record/states.ts'
import { pullChangesOf } from '../../thread/pull-changes.ts'
import type { Run } from '../../thread/run.ts'
import type { Session } from '../../thread/session.ts'
import type { Thread } from '../../thread/thread.ts'
import { commitVerdictOf, notKnown, type Verdict, WORKING } from '../../words/commit-verdict.ts'
import { setByOthers } from '../../words/notes.ts'
import { type Entry, type HeadVerdict, statusToSet, verdictOf } from './verdict.ts'

// The docs as a status of the code: pending while the agent works, and then how the latest request about the head, or about
// its changes, ended.

/**
 * Says how the request ended, at its head, and at the head to which a rebase moved the same changes meanwhile; nothing where
 * its job goes on. @returns whether it is done, or GitHub refuses it; what cannot be read is not
 */
export async function setFinalStatus(session: Session, run: Run, report: Report): Promise<boolean> {
  const { identity, thread } = run
  const { command, commitStatus, head } = identity
  if (commitStatus.name === '') return true
  // Where no request decides, a run that asked nothing says why.
  const otherwise = report.outcome === 'skipped' ? commitVerdictOf({ ...report, command }) : undefined
  const own = verdictOf([entryOf(session, run)], head, commitStatus.name, session.github.clock())
  const says = own ?? otherwise
  if (says === undefined || says.description === WORKING.description) return true
  // A later request may have decided it, which only the thread of now tells.
  if (thread !== undefined && !(await isReadNow(session, thread))) return false
  const setting = setStatus(session, run, otherwise)
  const moved = await movedTo(session, run).catch((error: unknown) => {
    session.warnings.add('head', error)
    return isRefused(error) ? undefined : 'unknown'
  })
  const isSet = await setting
  if (moved === 'unknown') return false
  return (moved === undefined || (await setStatus(session, run, otherwise, moved))) && isSet
}

/**
 * The run could not look up what the agent has of the changes of an event. A head that the event brings has no verdict yet, and a
 * required status must not wait for one in vain: it is an error until a run can look.
 */
export async function setOnNewHead(
  session: Session,
  { mayWrite, identity }: Pick<Run, 'mayWrite' | 'identity'>,
  { inputs, trigger }: PromptSource,
  verdict: Verdict,
): Promise<void> {
  const { commitStatus: name } = inputs
  const sha = trigger.subject?.headSha ?? ''
  const isNew = isPullRequestEvent(trigger) && ['opened', 'synchronize'].includes(trigger.action)
  if (!isNew || !mayWrite) return
  await setWhereNone(session, identity, { name, sha }, verdict)
}

/** Says what nobody has decided; a head keeps the status that it has. */
export async function setWhereNone(
  session: Session,
  { attempt }: Pick<Run['identity'], 'attempt'>,
  { name, sha }: Run['identity']['commitStatus'],
  verdict: Verdict,
): Promise<void> {
  const { github } = session
  if (name === '' || sha === '') return
  await session.warnings.warnOnFailure('commit-status', async () => {
    const said = await github.commitStatuses(github.repository, sha)
    if (said.some(({ context }) => context === name)) return
    await github.setCommitStatus(sha, statusToSet(session, verdict, name, attempt))
  })
}

/** @returns false also where GitHub refuses to show the thread: it may say by now who decided the status */
async function isReadNow(session: Session, thread: Thread): Promise<boolean> {
  try {
    await thread.readChanges(session)
    return true
  } catch (error) {
    session.warnings.add(['thread', thread.number], error)
    return false
  }
}

/** @returns the head of now, where it is another one with the same changes @throws {GitHubError} */
async function movedTo(
  session: Session,
  { identity, thread }: Pick<Run, 'identity' | 'thread'>,
): Promise<string | undefined> {
  const { commitStatus, head, paths } = identity
  if (thread === undefined || head.digest === '') return undefined
  const { github } = session
  const { headSha } = await github.pullRequest({ ...github.repository, number: thread.number })
  if (headSha === commitStatus.sha) return undefined
  const now = await pullChangesOf(session, thread.number, pathsOf(paths))
  return now.digest === head.digest ? now.pull?.headSha : undefined
}

/** The request as this process is about to write it. */
const entryOf = (session: Session, run: Run): Entry => ({
  record: run.recordNow(session),
  url: run.commentUrl,
  updatedAt: session.github.clock(),
})

/** What the log of now says of a head. Where records do not verify, a later request may have decided it. */
function verdictNow(session: Session, run: Run, sha: string): HeadVerdict | undefined {
  const { identity, state, thread } = run
  if (thread?.hasUnverifiedRecords) return { ...notKnown(identity.command), requestedAt: 0 }
  const { head, commitStatus } = identity
  const { current, others = [] } = run.records() ?? {}
  // What this run has taken back may still stand in the thread.
  const earlier = current === undefined || current.record.attempt === identity.attempt ? [] : [current]
  const log = [...(state.state === 'idle' ? earlier : [entryOf(session, run)]), ...others]
  return verdictOf(log, { ...head, sha }, commitStatus.name, session.github.clock())
}

/**
 * Sets what the log says of the head, or else this, unless it is set already, and after what this process set before: GitHub shows
 * the last one that it got.
 * @returns whether it is done, or GitHub refuses it to the workflow that asked; false also where the thread, and so what others decided, is not known
 */
export async function setStatus(
  session: Session,
  run: Run,
  otherwise?: Verdict,
  sha = run.identity.commitStatus.sha,
): Promise<boolean> {
  const earlier = run.lastStatusWrite
  const setting = Promise.resolve(earlier).then(() => setAsKnown(session, run, otherwise, sha))
  run.lastStatusWrite = setting.catch(() => undefined)
  return await setting
}

async function setAsKnown(
  session: Session,
  run: Run,
  otherwise: Verdict | undefined,
  sha: string,
): Promise<boolean> {
  const { runner, warnings } = session
  if (run.identity.commitStatus.name === '' || sha === '') return true
  if (run.records() === undefined) return false
  const latest = verdictNow(session, run, sha)
  const verdict = latest ?? otherwise
  if (verdict === undefined) return true
  const set = async () => {
    await setUnlessShown(session, run, sha, { latest, verdict })
    return true
  }
  // A workflow that may not set it leaves what another one asked to those that may.
  return isOfSameRun(run.identity, { attempt: runName(runner) })
    ? await warnings.doneOrRefused('commit-status', set)
    : (await warnings.warnOnFailure('commit-status', set)) === true
}

/** @param latest what the log says @throws {GitHubError} */
async function setUnlessShown(
  session: Session,
  run: Run,
  sha: string,
  { latest, verdict }: { readonly latest: HeadVerdict | undefined; readonly verdict: Verdict },
): Promise<void> {
  const { deps, github, runner } = session
  const { commitStatus, attempt, requestedAt } = run.identity
  const statusOf = (said: Verdict) => statusToSet(session, said, commitStatus.name, attempt)
  const status = statusOf(verdict)
  // What goes out is pending; everything else may have been said.
  const isOwn = latest?.requestedAt === requestedAt
  const isOwnPending = status.state === 'pending' && isOwn && run.stage === 'announced'
  const all = isOwnPending ? [] : await github.commitStatuses(github.repository, sha).catch(() => [])
  const shown = all.find(({ context }) => context === status.context)
  if (shown !== undefined && isSetByOthers(shown, run, runner)) deps.core.warning(setByOthers(status.context))
  // The other run may have ended since, and set what is shown.
  const isOfOther = !isOwnPending && verdict.description === WORKING.description
  const isSame = shown?.state === status.state && shown.description === status.description
  if (isSame || (isOfOther && shown !== undefined)) return
  const isOver = async () => {
    await run.thread?.readChanges(session)
    return !isDeepStrictEqual(verdictNow(session, run, sha), latest)
  }
  await github.setCommitStatus(sha, status, isOver)
  // GitHub takes a status whatever it shows: what a later request decided after the look has the last word.
  const later = !isOwnPending && (await isOver()) && verdictNow(session, run, sha)
  if (later) await github.setCommitStatus(sha, statusOf(later))
}

/**
 * Whether something else than the requests of this thread set the status, such as the workflow of another project. Theirs leads to
 * a run, to a comment of the thread, or to a pull request of its jobs.
 */
function isSetByOthers(
  { url }: Pick<CommitStatus, 'url'>,
  run: Pick<Run, 'job' | 'records'>,
  { serverUrl, repository }: { readonly serverUrl: string; readonly repository: RepositoryName },
): boolean {
  const here = `${serverUrl}/${fullName(repository)}/`
  if (url.startsWith(`${here}actions/runs/`) || url.includes('#issuecomment-')) return false
  const { facts, others = [] } = run.records() ?? {}
  const jobs = [run.job, facts?.job, ...others.map(({ record }) => jobOf(record))]
  return url === '' || !jobs.some((job) => job?.prLink === url)
}
