import { codeOf, isSameCode } from '../../core/code.ts'
import type { ThreadRecords } from '../../core/log.ts'
import { failsStatus } from '../../core/outcome.ts'
import { isAtWork, isOfRun, type RequestIdentity, type RequestRecord, saysSkip } from '../../core/record.ts'
import type { Report } from '../../core/report.ts'
import { digestOfText } from '../../core/request-key.ts'
import type { Run } from '../../core/run.ts'
import type { Session } from '../../core/session.ts'
import type { Thread } from '../../core/thread.ts'
import { isRefused } from '../../errors.ts'
import { isPullRequestEvent } from '../../event/gate.ts'
import { runName, runUrlOf } from '../../event/trigger.ts'
import { pathsOf } from '../../inputs/paths.ts'
import type { PromptSource } from '../../prompt/task.ts'
import { redact } from '../../redact.ts'
import { oneLine } from '../../text.ts'
import { commitVerdictOf, skipVerdict, type Verdict, WORKING } from '../../words/commit-verdict.ts'
import { setByOthers } from '../../words/notes.ts'
import { isSetByOthers } from './set-by-others.ts'

// The docs as a status of the code: pending while the agent works, and then how the latest request about the head, or about
// its changes, ended.

/** Characters: https://docs.github.com/rest/commits/statuses#create-a-commit-status */
const MAX_DESCRIPTION = 140

/** What the thread says of the changes of a head: a skip goes first, then the latest request about them. */
export function verdictOfChanges(
  { own, others, known }: Pick<ThreadRecords, 'own' | 'others' | 'known'>,
  { head, commitStatus, command }: Pick<RequestIdentity, 'head' | 'commitStatus' | 'command'>,
): Verdict | undefined {
  const { skip, verdicts } = known
  if (skip !== undefined) return skipVerdict(skip, skip.url)
  if (head.digest === '') return undefined
  // A workflow with other `paths` has another digest of the same head.
  const ofHead = new Set(others.flatMap(({ record }) => (record.head.sha === head.sha ? record.key : [])))
  const isAbout = (one: { readonly key: string; readonly digest: string; readonly status: string }) =>
    (one.digest === head.digest || ofHead.has(one.key)) && one.status === digestOfText(commitStatus.name)
  const working = [...(own === undefined ? [] : [own]), ...others]
    .map(({ record }) => record)
    .filter(
      (record) => isAtWork(record) && isAbout({ ...record.head, key: record.key, status: statusOf(record) }),
    )
  const last = verdicts.find(isAbout)
  if (working.some(({ requestedAt }) => requestedAt >= (last?.requestedAt ?? 0))) return WORKING
  if (last === undefined) return undefined
  const { checks } = last
  return commitVerdictOf({ ...last, checks: checks && { status: checks }, command })
}

const statusOf = ({ commitStatus }: RequestRecord): string => digestOfText(commitStatus.name)

export const setPending = (session: Session, run: Run): Promise<boolean> => setStatus(session, run, WORKING)

/**
 * Says how the request ended, at its head, and at the head to which a rebase moved the same changes meanwhile; nothing where
 * its job goes on. @returns whether it is done, or GitHub refuses it; what cannot be read is not
 */
export async function setFinalStatus(session: Session, run: Run, report: Report): Promise<boolean> {
  const { identity, state, thread } = run
  if (identity.commitStatus.name === '') return true
  // No run works on a request that was not sent.
  const isUnanswered = state.state === 'closed' && ['cancelled', 'timed-out'].includes(report.outcome)
  const end = isUnanswered ? { ...report, outcome: 'error' as const, reason: '' as const } : report
  const isSkip = report.reason === 'docs-skipped'
  // The thread may not have what this very request says.
  const said =
    state.state === 'closed' && state.why !== undefined ? { ...identity, why: state.why } : run.known.skip
  const verdict =
    isSkip && said
      ? skipVerdict(said, run.commentUrl)
      : commitVerdictOf({ ...end, command: identity.command })
  // A process that can read the checks decides later.
  if (verdict === undefined) return report.checks?.status !== 'unavailable'
  // A later request may have decided it, which only the thread of now tells.
  if (thread !== undefined && !(await isReadNow(session, thread))) return false
  const records = run.records()
  // After `job-active`, the status is that of the request on which the job works.
  const says = (verdict === WORKING && records && verdictOfChanges(records, identity)) || verdict
  const isSet = await setStatus(session, run, says)
  try {
    const moved = await movedTo(session, run)
    return (moved === undefined || (await setStatus(session, run, says, moved))) && isSet
  } catch (error) {
    session.warnings.add('head', error)
    return isRefused(error) && isSet
  }
}

/**
 * Whether the agent has the changes of an event could not be read. A head that the event brings has no verdict yet, and a required
 * status must not wait for one in vain: it is an error until a run can read.
 */
export async function setUnread(
  session: Session,
  { mayWrite, identity }: Pick<Run, 'mayWrite' | 'identity'>,
  { inputs, trigger }: PromptSource,
): Promise<void> {
  const { github, context, warnings } = session
  const { commitStatus, command } = inputs
  const sha = trigger.subject?.headSha ?? ''
  const isNew = isPullRequestEvent(trigger) && ['opened', 'synchronize'].includes(trigger.action)
  const verdict = commitVerdictOf({ outcome: 'error', reason: 'github-unavailable', job: undefined, command })
  if (!isNew || commitStatus === '' || sha === '' || !mayWrite || verdict === undefined) return
  await warnings.warnOnFailure('commit-status', async () => {
    const { repository } = github
    const said = await github.commitStatuses(repository, sha)
    if (said.some((one) => one.context === commitStatus)) return
    const { state, description } = verdict
    const status = { state, context: commitStatus, description, targetUrl: runUrlOf(context, identity.run) }
    await github.setCommitStatus(repository, sha, status, async () => false)
  })
}

/** @returns false also where GitHub refuses to show the thread: it may say by now who decided the status */
async function isReadNow(session: Session, thread: Thread): Promise<boolean> {
  try {
    await thread.read(session)
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
  const now = await codeOf(session, thread.number, pathsOf(paths))
  return now.digest === head.digest ? now.pull?.headSha : undefined
}

/** A later request decides this status of this head, or of these changes, or a person has skipped since. */
function isDecidedLater(run: Pick<Run, 'records' | 'identity'>, sha: string): boolean {
  const { identity } = run
  const records = run.records()
  const { requestedAt, commitStatus, head } = identity
  // A skip is about whatever the pull request changes.
  const isSkip = records?.own !== undefined && saysSkip(records.own.record)
  const decides = (record: RequestRecord): boolean => {
    if (record.commitStatus.name !== commitStatus.name) return false
    if (saysSkip(record)) return true
    if (record.state === 'closed' && !failsStatus(record.ending)) return false
    return isSkip || isSameCode(record.head, { ...head, sha })
  }
  return records?.others.some(({ record }) => record.requestedAt > requestedAt && decides(record)) === true
}

/**
 * Sets it, unless a later request decides it, or it is set already.
 * @returns whether it is done, or GitHub refuses it to the workflow that asked; false also where the thread, and so what others decided, is not known
 */
export async function setStatus(
  session: Session,
  run: Pick<Run, 'identity' | 'records' | 'stage' | 'thread' | 'job'>,
  { state, description, link }: Verdict,
  sha = run.identity.commitStatus.sha,
): Promise<boolean> {
  const { deps, github, context, warnings } = session
  const { commitStatus } = run.identity
  if (commitStatus.name === '' || sha === '') return true
  if (run.records() === undefined) return false
  if (isDecidedLater(run, sha)) return true
  const status = {
    state,
    context: commitStatus.name,
    description: oneLine(redact(description, deps.secrets), MAX_DESCRIPTION),
    targetUrl: redact(link, deps.secrets) || runUrlOf(context, run.identity.run),
  }
  const set = async () => {
    // What goes out is pending; everything else may have been said. That another run works may be over by now.
    const isFirst = state === 'pending' && run.stage === 'announced'
    const isOfOther = !isFirst && description === WORKING.description
    const known = isFirst ? [] : await github.commitStatuses(github.repository, sha).catch(() => [])
    const shown = known.find((one) => one.context === status.context)
    if (shown !== undefined && isSetByOthers(shown, run, context))
      deps.core.warning(setByOthers(status.context))
    const isSame = shown?.state === state && shown.description === status.description
    const isSet = isSame || (isOfOther && shown !== undefined)
    const isOver = async () => {
      await run.thread?.read(session)
      return isDecidedLater(run, sha)
    }
    if (!isSet) await github.setCommitStatus(github.repository, sha, status, isOver)
    return true
  }
  // A workflow that may not set it leaves what another one asked to those that may.
  return isOfRun(run.identity, { run: runName(context) })
    ? await warnings.doneOrRefused('commit-status', set)
    : (await warnings.warnOnFailure('commit-status', set)) === true
}
