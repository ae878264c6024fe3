import { isGone, isRefused } from '../errors.ts'
import { runUrlOf } from '../event/trigger.ts'
import { setStatus } from '../features/pull-request/pull-request.ts'
import { workingComment } from '../words/comments.ts'
import type { RequestComment } from './fold.ts'
import type { Job } from './job.ts'
import { isHeld } from './lease.ts'
import { isOfRun, mentionOf, type RequestRecord } from './record.ts'
import type { Request } from './request.ts'
import type { Session } from './session.ts'
import { withoutRecord } from './signed-record.ts'
import { send, takeBack } from './states.ts'

// A request has one comment in its thread: words for people, and its record. The runner's state comes before each write of it.

/** The request is about to go out: to this job, or to a new one. @param asNew as a comment of its own */
export async function writeSending(
  session: Session,
  request: Request,
  job: Job | undefined,
  asNew = false,
): Promise<void> {
  request.become(send(request.in('idle', 'sending'), job))
  await writeStatus(session, request, asNew)
}

/** Says that the agent works, and the job once it is known. @param asNew as a comment of its own */
export async function writeStatus(session: Session, request: Request, asNew = false): Promise<void> {
  const { identity, job } = request
  const { requestedAt: startedAt, run } = identity
  const requestedBy = mentionOf(identity)
  const runUrl = runUrlOf(session.context, run)
  const words = workingComment({ requestedBy, runUrl, startedAt, job })
  await writeComment(session, request, 'status comment', words, asNew)
}

type CommentKind = 'status comment' | 'result'

/**
 * Writes the comment, unless it says that already. What GitHub refuses becomes a warning, and decides nothing.
 * @param words '' for those that stand @param asNew beside the comment that stands, so that people are notified
 * @returns false where another process reported the request meanwhile: from now on, this one has that record
 */
export async function writeComment(
  session: Session,
  request: Request,
  kind: CommentKind,
  words: string,
  asNew = false,
): Promise<boolean> {
  const record = request.recordNow(session)
  request.keepForPostStep(session, record)
  const thread = request.writableThread(session)
  if (thread === undefined) return true
  const { own } = thread.recordsFor(request.identity)
  const body = words || withoutRecord(own?.body ?? '')
  if (body === '') return true
  // What goes out is written for its time, which tells others how long to wait.
  const isUnchanged = record.state !== 'sending' && own !== undefined && saysTheSame(record, own.record)
  if (isUnchanged && body === withoutRecord(own.body)) {
    request.commentUrl = own.url
    request.noteWrite()
    return true
  }
  const edited = asNew && words !== '' ? undefined : own
  try {
    const { url } = await thread.write(session, edited?.id, record, body)
    if (kind === 'result') request.commentUrl = url
    request.noteWrite()
  } catch (error) {
    if (edited !== undefined && isRefused(error, 404)) {
      if (await isReportedAnew(session, request, edited)) return false
      return await writeComment(session, request, kind, words)
    }
    session.warnings.add(['comment', asNew && own ? `${kind} as a new comment` : kind], error)
    // A locked thread takes no new comment, but GitHub may take the edit of one.
    if (asNew && own !== undefined && isRefused(error))
      return await writeComment(session, request, kind, words)
    if (isGone(error)) request.answerIn(undefined)
    // After that: another thread would clear it.
    request.noteWrite(error)
    request.keepForPostStep(session)
  }
  return true
}

/** Whether two records differ in nothing but their times, and their runs: a run that holds the request says so itself. */
function saysTheSame(a: RequestRecord, b: RequestRecord): boolean {
  const comparable = (record: RequestRecord) => {
    const isHeld = record.heldForMs > 0
    const content = { ...record, writtenAt: 0, run: isHeld ? record.run : '', heldForMs: Number(isHeld) }
    return JSON.stringify(Object.entries(content).sort())
  }
  return comparable(a) === comparable(b)
}

/** A comment is gone because another process reported the request and replaced it; else, people deleted it. */
async function isReportedAnew(
  session: Session,
  request: Request,
  { id, record }: RequestComment,
): Promise<boolean> {
  request.thread?.forget(id)
  await request.thread?.readOrWarn(session)
  const now = request.records()?.own
  if (now?.record.state !== 'ended' || now.record.writtenAt < record.writtenAt) return false
  request.continueFrom(now.record, now)
  return true
}

/** This run has sent nothing, and another comment says what is known of the request: that one stands, also for the status. */
export async function withdraw(session: Session, request: Request): Promise<void> {
  const { thread, identity } = request
  request.become(takeBack(request.in('idle', 'sending')))
  const own = request.records()?.own
  if (own?.record.run !== identity.run) return
  const isGone = await session.warnings.doneOrRefused('replaced', async () => thread?.delete(session, own.id))
  if (!isGone) return
  request.action = 'none'
  await setStatus(session, request)
}

/** Deletes the comments that a newer one replaced, but for what another run holds. @returns whether none is left */
export async function deleteReplaced(session: Session, request: Request): Promise<boolean> {
  const thread = request.writableThread(session)
  if (thread === undefined) return true
  const now = session.github.clock()
  const { replaced } = thread.recordsFor(request.identity)
  const over = replaced.filter(
    ({ record, updatedAt }) => isOfRun(record, request.identity) || !isHeld(record, updatedAt, now),
  )
  const remove = ({ id }: RequestComment) =>
    session.warnings.doneOrRefused('replaced', () => thread.delete(session, id))
  return (await Promise.all(over.map(remove))).every(Boolean)
}
