import { sleepUnlessCancelled } from '../base/deps.ts'
import { isRefused } from '../base/errors.ts'
import { setStatus } from '../features/pull-request/pull-request.ts'
import type { Task } from '../prompt/task.ts'
import type { RequestComment } from '../record/fold.ts'
import type { ThreadRecords } from '../record/log.ts'
import { isLeased, SENDING_MS } from '../record/log.ts'
import { ending } from '../record/outcome.ts'
import type { RunEnding } from '../record/report.ts'
import { isSameRequest, wasAskedByPullRequestEvent } from '../record/request-identity.ts'
import { isDocsSkipped, isInDoubt, isWithAgent, jobOf, toIdle } from '../record/states.ts'
import { writeSending, writeStatus } from '../thread/comment.ts'
import { endingAfter } from '../thread/ending-after.ts'
import type { Run } from '../thread/run.ts'
import type { Session } from '../thread/session.ts'
import { earlierInDoubt } from '../words/commit-verdict.ts'
import { CAUSES } from '../words/notes.ts'
import { type AskOptions, planRequest, type Send } from './plan.ts'

// Requests of one thread that go out at the same time: each run has written its record, and reads those of the others. The queue
// goes by the ids of comments, which all runs see alike.

/** A request that still waits so many ms after its record was written writes it once more, so that others go on waiting for it. */
export const RENEWED_AFTER_MS = SENDING_MS / 3

export interface Queue {
  readonly current: Pick<RequestComment, 'id' | 'updatedAt'>
  readonly others: readonly RequestComment[]
  /** Digests of the requests that this one has waited for. */
  readonly awaited: ReadonlySet<string>
  /** On GitHub's clock, in ms since the epoch. */
  readonly now: number
  /** The run has no time left to wait. */
  readonly isLate: boolean
}

/**
 * `wait`: read the thread again, after writing the own record once more (`renews`), and after a pause for the older requests with
 * the digests `behind`. `go`: send it now; if `isEarlierInDoubt`, an older request may have started a job that the thread does not know.
 * `lost`: do not send it, because the other runs no longer wait for it.
 */
export type QueueMove =
  | { readonly kind: 'wait'; readonly renews: boolean; readonly behind: readonly string[] }
  | { readonly kind: 'go'; readonly isEarlierInDoubt: boolean }
  | { readonly kind: 'lost' }

export function nextInQueue({ current, others, awaited, now, isLate }: Queue): QueueMove {
  const age = now - current.updatedAt
  if (age >= SENDING_MS) return { kind: 'lost' }
  const sending = others.filter(({ id, record }) => id < current.id && record.state === 'sending')
  const held = sending.filter(({ record, updatedAt }) => isLeased(record, updatedAt, now))
  const behind = held.map(({ record }) => record.requestDigest)
  const renews = age >= RENEWED_AFTER_MS
  if (!isLate && (renews || behind.length > 0)) return { kind: 'wait', renews, behind }
  const isLost = ({ record }: RequestComment) => awaited.has(record.requestDigest) && isInDoubt(record)
  return { kind: 'go', isEarlierInDoubt: sending.length > 0 || others.some(isLost) }
}

interface QueueEntry {
  /** The plan from before the record was written. */
  readonly earlierPlan: Send
  readonly options: AskOptions
}

/**
 * Plans once more, with what other runs wrote into the thread, now that the record of the request stands there.
 * @returns how the run ends where nothing may go out
 */
export async function waitInQueue(
  session: Session,
  run: Run,
  task: Task,
  queued: QueueEntry,
): Promise<Send | RunEnding> {
  const { deps } = session
  const { earlierPlan, options } = queued
  const { inputs, deadline } = task
  const isForThreadsJob = inputs.jobId === undefined && inputs.conversation !== 'new' && !options.isFresh
  // A push about one merge can have its request in the thread already, of the last event of the pull request.
  const isOfChanges = run.identity.head.sha !== ''
  // Without its record in the thread, other runs cannot know of it.
  const hasToLook = (isForThreadsJob || isOfChanges) && run.lastWrite === 'done'
  const plan = hasToLook
    ? await waitForOlder(session, run, task, queued).catch((error: unknown) => endingAfter(deps, error))
    : earlierPlan
  if ('outcome' in plan) return plan
  if (plan.job?.id !== earlierPlan.job?.id) await writeSending(session, run, plan.job)
  if (deps.monotonic() >= deadline) return { ...ending('timed-out'), note: plan.note }
  if (run.lastWrite !== 'unanswered') return plan
  // Without its record in the thread, a re-run could not tell that the request went out.
  return { ...endingAfter(deps, run.failure), note: plan.note }
}

/** Where this run has sent nothing and another comment knows more of the request, only that one stays. */
export async function deleteOwnSending(session: Session, run: Run): Promise<void> {
  const { thread, identity } = run
  run.setState(toIdle(run.in('idle', 'sending')))
  const own = run.records()?.current
  if (own?.record.attempt !== identity.attempt) return
  const isGone = await session.warnings.doneOrRefused('replaced', async () => thread?.delete(session, own.id))
  if (!isGone) return
  run.forgetRecord()
  await setStatus(session, run)
}

/**
 * Yields to another run that sends the same request: two events of the same changes came at once, or people re-ran several runs about
 * one request in doubt.
 * @param before ids of comments about what the agent had when this run decided to ask
 * @returns undefined while the others are on their way, or come later
 */
async function yieldInQueue(
  session: Session,
  run: Run,
  { repeatsInDoubtUntil }: AskOptions,
  { current, others, before }: Pick<Queue, 'current' | 'others'> & { readonly before: ReadonlySet<number> },
): Promise<RunEnding | undefined> {
  const { identity, thread } = run
  const same = others.filter(
    ({ id, record }) =>
      isSameRequest(record, identity, thread?.number ?? 0) &&
      // A request about the same merge leaves it to this run if it failed, was refused, or came before this one began to ask.
      (record.requestDigest === identity.requestDigest ||
        (isWithAgent(record) && !before.has(id)) ||
        isInDoubt(record)),
  )
  const isTaken = same.some(({ record }) => jobOf(record) !== undefined)
  const isLost = ({ id, record, updatedAt }: RequestComment) => {
    // A request that a process said to be in doubt has a comment of its own for that, newer than its place in the queue.
    const isBefore = id < current.id || record.state === 'closed'
    // What came to be in doubt after this run was re-run is another run's to repeat.
    const isNew = record.writtenAt > repeatsInDoubtUntil
    return isNew && isBefore && isInDoubt(record) && !isLeased(record, updatedAt, session.github.clock())
  }
  if (!isTaken && !same.some(isLost)) return undefined
  await deleteOwnSending(session, run)
  return ending('skipped', 'no-changes', isTaken ? CAUSES.sameChanges : CAUSES.mayBeAsked)
}

/** An event asked for this attempt, and no person. */
const isEventAlone = ({ runner }: Session, { identity }: Run): boolean =>
  wasAskedByPullRequestEvent(identity) && runner.runAttempt === 1

/** The job of the thread may have changes that an earlier event of the pull request brought. */
const hasDoubt = ({ github }: Session, { identity }: Run, { facts }: ThreadRecords): boolean =>
  wasAskedByPullRequestEvent(identity) &&
  facts.inDoubt.some(
    ({ record, updatedAt }) =>
      record.requestDigest !== identity.requestDigest &&
      wasAskedByPullRequestEvent(record) &&
      !isLeased(record, updatedAt, github.clock()),
  )

/**
 * Lets requests with older comments go first: this one then goes to their job as a message.
 * @throws {GitHubError} where GitHub does not answer
 */
async function waitForOlder(
  session: Session,
  run: Run,
  task: Task,
  queued: QueueEntry,
): Promise<Send | RunEnding> {
  const { deadline, inputs } = task
  const { earlierPlan, options } = queued
  const { deps, github } = session
  const thread = run.writableThread(session)
  const known = run.facts.job?.id
  const withAgent = run.records()?.others.filter(({ record }) => isWithAgent(record)) ?? []
  const before = new Set(withAgent.map(({ id }) => id))
  let awaited: ReadonlySet<string> = new Set()
  for (;;) {
    const refused = await thread?.readChanges(session).catch((error: unknown) => {
      if (!isRefused(error)) throw error
      return error
    })
    const records = run.records()
    // Without a record in the thread, others cannot wait for this run, and GitHub may not show theirs.
    if (refused || thread === undefined || records?.current === undefined) return earlierPlan
    const { current, others } = records
    const given = await yieldInQueue(session, run, options, { current, others, before })
    if (given !== undefined) return given
    const isLate = deps.monotonic() >= deadline
    const next = nextInQueue({ current, others, awaited, now: github.clock(), isLate })
    if (next.kind === 'lost') return ending('error', 'github-unavailable', CAUSES.lostItsTurn)
    if (next.kind === 'go') {
      const isNewJob = records.facts.job?.id !== known
      return await planBehind(session, run, task, { ...queued, ...next, records, isNewJob })
    }
    awaited = new Set([...awaited, ...next.behind])
    if (next.renews) await writeStatus(session, run)
    if (run.lastWrite === 'unanswered') return endingAfter(deps, run.failure)
    const pause = Math.min(inputs.pollMs, deadline - deps.monotonic())
    if (next.behind.length > 0 || run.lastWrite === 'refused') await sleepUnlessCancelled(deps, pause)
  }
}

interface PlaceInQueue extends QueueEntry {
  readonly isEarlierInDoubt: boolean
  /** As read after the wait. */
  readonly records: ThreadRecords
  /** The thread has another job than before the wait. */
  readonly isNewJob: boolean
}

/** Plans once more where an older request brought the thread another job, or asked the one that this run had given up. */
async function planBehind(
  session: Session,
  run: Run,
  task: Task,
  { earlierPlan, options, records, isEarlierInDoubt, isNewJob }: PlaceInQueue,
): Promise<Send | RunEnding> {
  const { inputs } = task
  const { others, facts } = records
  if (isNewJob) {
    // A skip that came during the wait stays later than this request.
    const asked = others.flatMap(({ record }) => (isDocsSkipped(record) ? [] : record.requestedAt + 1))
    run.updateIdentity({ requestedAt: Math.max(run.identity.requestedAt, ...asked) })
  }
  const plannedAt = earlierPlan.snapshot?.at ?? Number.POSITIVE_INFINITY
  const isAskedSince = ({ record }: RequestComment) =>
    'acceptedAt' in record && record.acceptedAt >= plannedAt
  // Right after a message, the service may still show the end of the turn before it.
  const works = others.find(
    (one) =>
      one.record.state === 'running' &&
      (isAskedSince(one) || isLeased(one.record, one.updatedAt, session.github.clock())),
  )
  const isOutdated = isNewJob || (earlierPlan.job === undefined && others.some(isAskedSince))
  const plan = isOutdated ? await planRequest(session, run, task, options) : earlierPlan
  if ('outcome' in plan) return plan
  if (works !== undefined && inputs.conversation === 'skip')
    return { ...ending('skipped', 'job-active'), job: jobOf(works.record) }
  if (isEarlierInDoubt && facts.job === undefined && isEventAlone(session, run)) {
    await deleteOwnSending(session, run)
    await setStatus(session, run, earlierInDoubt(inputs.command))
    return ending('skipped', 'no-changes', CAUSES.earlierInDoubt)
  }
  if (!(plan.job === undefined ? isEarlierInDoubt : hasDoubt(session, run, records))) return plan
  return { ...plan, note: { ...plan.note, isEarlierInDoubt: true }, prompt: undefined }
}
