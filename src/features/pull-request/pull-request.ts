// Off unless `commit-status` is set, or a `pull_request` event began the run.

import { GitHubError } from '../../base/errors.ts'
import { isPullRequestEvent, unlistedBot } from '../../event/gate.ts'
import { ignoredBy } from '../../inputs/ignore.ts'
import type { Task } from '../../prompt/task.ts'
import type { ThreadRecords } from '../../record/log.ts'
import { ending } from '../../record/outcome.ts'
import type { RunEnding } from '../../record/report.ts'
import { digestOfChanges, isOfSameRun } from '../../record/request-identity.ts'
import { skipAgentPullRequest } from '../../thread/agent-pull-requests.ts'
import { isSameChanges, noteHead, type PullChanges, readPullChanges } from '../../thread/pull-changes.ts'
import type { Run } from '../../thread/run.ts'
import type { Session } from '../../thread/session.ts'
import { readThread } from '../../thread/thread.ts'
import { botVerdict, IGNORED, labelVerdict, type Verdict } from '../../words/commit-verdict.ts'
import { CAUSES, ignoredCause, notKnownReRun, notListed, unreadThread } from '../../words/notes.ts'
import { answerToClosed, tellClosed } from './closed.ts'
import { whyNotGreen } from './ignored.ts'
import { nothingToDocument } from './nothing-to-document.ts'
import { answerOfThread } from './same-changes.ts'
import { setStatus, setWhereNone } from './status.ts'

export { hideEarlier } from './earlier-pushes.ts'
export { isIgnoredComment } from './ignored.ts'
export { answerMergeQueue } from './merge-queue.ts'
export { readReferredDocs } from './referred-docs.ts'
export { noteChanges } from './same-changes.ts'
export { skipDocs, skipWords } from './skip.ts'
export { setFinalStatus, setOnNewHead, setStatus } from './status.ts'

/** What a `pull_request` event brings that the thread has an answer for; else the request is about the changes from now on. */
export async function answerEvent(
  session: Session,
  run: Run,
  task: Task,
  changes: PullChanges,
): Promise<RunEnding | undefined> {
  const { inputs, trigger } = task
  const job = run.records()?.facts.job
  const isClosed = trigger.action === 'closed'
  // One of which the agent has something is the code's, and not its own.
  const isOfCode = isClosed && run.facts.acceptedChanges.length > 0
  const agents =
    isOfCode || !trigger.subject ? undefined : await skipAgentPullRequest(session, trigger.subject, task, job)
  if (agents !== undefined) return agents
  const ignored = await leaveIgnored(session, run, task, changes)
  if (ignored !== undefined) return ignored
  const unknown = await leaveToPerson(session, run, task, changes)
  if (unknown !== undefined) return unknown
  const idle = await nothingToDocument(session, changes, job, inputs.command)
  if (isClosed) {
    const now = { sha: changes.pull?.headSha ?? '', digest: changes.digest }
    const closed = await answerToClosed(session, run, task, { now, idle: idle?.ending })
    if (closed !== undefined) return closed
  }
  await keyByChanges(session, run, task, changes)
  const records = run.records()
  // Another run may have asked about the same changes.
  if (records === undefined) return unreadThread('github-unavailable', run.thread?.readError)
  const wanted = {
    now: session.github.clock(),
    isReRun: session.runner.runAttempt > 1,
    labeledAt: trigger.action === 'labeled' ? (trigger.subject?.updatedAt ?? 0) : 0,
  }
  const answer = answerOfThread(records, run.identity, wanted, idle)
  // The pull request was closed while the run waited for its turn.
  if (answer === undefined && records.current === undefined && changes.pull?.state === 'closed')
    return ending('skipped', 'pull-request-closed')
  if (answer === undefined) return undefined
  run.makeLatest()
  await setStatus(session, run, answer.otherwise)
  return answer.ending
}

/** What `ignore` names asks nothing; a run goes on with what an earlier attempt asked. */
async function leaveIgnored(
  session: Session,
  run: Run,
  task: Task,
  changes: PullChanges,
): Promise<RunEnding | undefined> {
  const { inputs } = task
  const { pull } = changes
  const by = pull && ignoredBy(inputs.ignore, pull)
  if (pull === undefined || by === undefined) return undefined
  await keyByChanges(session, run, task, changes)
  const records = run.records()
  const own = records?.current?.record
  if (own?.state === 'running' && isOfSameRun(own, run.identity)) return undefined
  // A status may have a verdict there: a later run looks.
  if (records === undefined && run.identity.commitStatus.name !== '')
    return unreadThread('github-unavailable', run.thread?.readError)
  const why = await whyNotGreen(session, run, task, pull, by)
  run.makeLatest()
  await setStatus(session, run, why === undefined ? IGNORED : undefined)
  return ending('skipped', 'ignored', ignoredCause(why, inputs.command))
}

/** What does not verify may be what this event brings: nothing is asked before a person does. */
async function leaveToPerson(
  session: Session,
  run: Run,
  task: Task,
  changes: PullChanges,
): Promise<RunEnding | undefined> {
  if (run.thread?.hasUnverifiedRecords !== true || task.inputs.dryRun) return undefined
  await keyByChanges(session, run, task, changes)
  const own = run.records()?.current?.record
  if (session.runner.runAttempt > 1)
    return own !== undefined && isOfSameRun(own, run.identity) ? undefined : notKnownReRun()
  run.makeLatest()
  await setStatus(session, run)
  return ending('skipped', 'no-changes', CAUSES.notKnown)
}

/** From now on the request is about these changes, whichever event and run bring them. */
async function keyByChanges(session: Session, run: Run, task: Task, changes: PullChanges): Promise<void> {
  const { inputs, source, distinguishing: distinct } = task
  const { thread } = run
  await noteHead(session, run, inputs.commitStatus, changes)
  if (changes.digest !== '' && thread !== undefined)
    run.updateIdentity({
      requestDigest: digestOfChanges(source, distinct, thread.number, changes.digest),
      attemptsDigest: '',
    })
}

/** A `pull_request` event of a bot asks nothing: known changes keep their verdict, and others wait for a person. */
export async function answerBot(session: Session, run: Run, task: Task): Promise<RunEnding> {
  const { inputs, trigger } = task
  try {
    if ((await readThread(session, run.thread)) !== undefined) run.setThread(undefined)
    if (trigger.action === 'closed') await tellClosed(session, run, task)
    else await keepStatus(session, run, task)
  } catch (error) {
    // What GitHub does not answer changes nothing of how the run ends.
    if (!(error instanceof GitHubError)) throw error
    session.warnings.add('head', error)
  }
  const { login } = unlistedBot(inputs, [trigger.sender, ...trigger.authors]) ?? {}
  return ending('skipped', 'bot', login && notListed(login))
}

async function keepStatus(session: Session, run: Run, task: Task): Promise<void> {
  const { inputs, trigger } = task
  const records = run.records()
  if (records === undefined || run.thread === undefined || inputs.commitStatus === '') return
  const changes = await readPullChanges(session, run.thread.number, task)
  if (changes === undefined) return
  await keyByChanges(session, run, task, changes)
  run.makeLatest()
  const idle = await nothingToDocument(session, changes, records.facts.job, inputs.command)
  const otherwise = idle?.otherwise ?? undecided(task)
  const { skip } = records.facts
  const mayDecide = skip === undefined || mayRepeatSkip(records, changes)
  const isPush = trigger.action === 'synchronize'
  if (mayDecide) await setStatus(session, run, isPush ? otherwise : undefined)
  if (otherwise !== undefined && !(isPush && mayDecide))
    await setWhereNone(session, run.identity, run.identity.commitStatus, otherwise)
}

/** What a push, or a label, of a bot leaves to people, where nothing says more. */
function undecided({ inputs: { command }, trigger: { action, sender } }: Task): Verdict | undefined {
  if (action === 'synchronize') return botVerdict(sender?.login ?? '', command)
  return action === 'labeled' ? labelVerdict(sender?.login ?? '', command) : undefined
}

/** A label by a person without the permission asks nothing: a head that nobody decided says who can. */
export async function setDenied(session: Session, run: Run, { inputs, trigger }: Task): Promise<void> {
  if (!isPullRequestEvent(trigger) || trigger.action !== 'labeled') return
  const commitStatus = { name: inputs.commitStatus, sha: trigger.subject?.headSha ?? '' }
  await setWhereNone(
    session,
    run.identity,
    commitStatus,
    labelVerdict(trigger.sender?.login ?? '', inputs.command),
  )
}

/**
 * What a person skipped is what stands there now: people with the permission brought it, or only those who may push to this
 * repository can have changed it since.
 */
function mayRepeatSkip({ others }: ThreadRecords, { pull, digest }: PullChanges): boolean {
  const now = { sha: pull?.headSha ?? '', digest }
  return pull?.fromFork === false || others.some(({ record }) => isSameChanges(record.head, now))
}
