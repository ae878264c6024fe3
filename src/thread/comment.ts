import { isGone, isRefused } from '../base/errors.ts'
import { runUrlOf } from '../event/trigger.ts'
import type { RequestComment } from '../record/fold.ts'
import type { Job } from '../record/job.ts'
import type { RequestRecord } from '../record/record.ts'
import { mentionOf } from '../record/request-identity.ts'
import { withoutRecord } from '../record/signed-record.ts'
import { toSending } from '../record/states.ts'
import { workingComment } from '../words/comments.ts'
import type { Run } from './run.ts'
import type { Session } from './session.ts'

// A request has one comment in its thread: words for people, and its record. The runner's state comes before each write of it.

/** The request is about to go out: to this job, or to a new one. @param asNew as a comment of its own */
export async function writeSending(
  session: Session,
  run: Run,
  job: Job | undefined,
  asNew = false,
): Promise<void> {
  run.setState(toSending(run.in('idle', 'sending'), job))
  await writeStatus(session, run, asNew)
}

/** Says that the agent works, and the job once it is known. @param asNew as a comment of its own */
export async function writeStatus(session: Session, run: Run, asNew = false): Promise<void> {
  const { identity, job } = run
  const requestedBy = mentionOf(identity)
  const runUrl = runUrlOf(session.runner, identity.attempt)
  const words = workingComment({ requestedBy, runUrl, startedAt: identity.requestedAt, job })
  await writeComment(session, run, { kind: 'status comment', words, asNew })
}

/** What the comment of a request is to say. */
export interface Words {
  readonly kind: 'status comment' | 'result'
  /** '' for those that stand. */
  readonly words: string
  /** As a comment of its own, so that people are notified. */
  readonly asNew?: boolean
}

/**
 * Writes the comment, unless it says that already. What GitHub refuses becomes a warning, and decides nothing.
 * @returns false where another process reported the request meanwhile: from now on, this one has that record
 */
export async function writeComment(
  session: Session,
  run: Run,
  { kind, words, asNew = false }: Words,
): Promise<boolean> {
  const record = run.recordNow(session)
  run.keepForPostStep(session, record)
  const thread = run.writableThread(session)
  if (thread === undefined) return true
  const { current } = thread.recordsFor(run.identity)
  const body = words || withoutRecord(current?.body ?? '')
  if (body === '') return true
  const edited = asNew && words !== '' ? undefined : current
  try {
    if (!isWritten(current, record, body)) await thread.write(session, edited?.id, record, body)
    run.noteWrite(undefined)
    return true
  } catch (error) {
    if (edited !== undefined && isRefused(error, 404)) {
      if (await isReportedAnew(session, run, edited)) return false
      return await writeComment(session, run, { kind, words })
    }
    session.warnings.add(['comment', asNew && current ? `${kind} as a new comment` : kind], error)
    // A locked thread takes no new comment, but GitHub may take the edit of one.
    if (asNew && current !== undefined && isRefused(error))
      return await writeComment(session, run, { kind, words })
    noteFailure(session, run, error)
    return true
  }
}

function noteFailure(session: Session, run: Run, error: unknown): void {
  if (isGone(error)) run.setThread(undefined)
  // After `setThread`, which clears it.
  run.noteWrite(error)
  run.keepForPostStep(session)
}

/** `sending` is written again for its time, which tells others how long to wait. */
const isWritten = (current: RequestComment | undefined, record: RequestRecord, body: string): boolean =>
  current !== undefined &&
  record.state !== 'sending' &&
  saysTheSame(record, current.record) &&
  body === withoutRecord(current.body)

/** Whether two records differ in nothing but their times, and their runs: a run that holds the request says so itself. */
function saysTheSame(a: RequestRecord, b: RequestRecord): boolean {
  const comparable = (record: RequestRecord) => {
    const isLeased = record.leaseMs > 0
    const content = {
      ...record,
      writtenAt: 0,
      attempt: isLeased ? record.attempt : '',
      leaseMs: Number(isLeased),
    }
    return JSON.stringify(Object.entries(content).sort())
  }
  return comparable(a) === comparable(b)
}

/** A comment is gone because another process reported the request and replaced it; else, people deleted it. */
async function isReportedAnew(session: Session, run: Run, { id, record }: RequestComment): Promise<boolean> {
  run.thread?.forget(id)
  await run.thread?.readOrWarn(session)
  const now = run.records()?.current
  if (now?.record.state !== 'ended' || now.record.writtenAt < record.writtenAt) return false
  run.resume(now.record)
  return true
}
