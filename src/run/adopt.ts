import { isOfOtherAttempt } from '../request/history.ts'
import { asksAgain } from '../request/plan.ts'
import { cameFurther, keptCounts, type RequestComment } from '../request/precedence.ts'
import { hasHead, identityOf, type RequestRecord } from '../request/record.ts'
import { jobOf, mayBeWithAgent } from '../request/states.ts'
import { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import type { Thread } from '../thread/thread.ts'

// From which record each process goes on with its request.

/**
 * A re-run goes on from the record of the attempts before it.
 * @returns whether one of them reported the job, which is not asked again
 */
export function adoptEarlier({ context }: Session, request: Request, isDryRun: boolean): boolean {
  const own = request.history?.own
  if (own === undefined) {
    if (context.runAttempt === 1) request.noteFirstRun()
    request.orderAfterOthers()
    return false
  }
  const isAgain = asksAgain(own.record, request.identity.run)
  const isReported = own.record.state === 'reported' && !isAgain
  // A dry run plans as if nothing had been asked. `settle` may still take up the record.
  if (isDryRun) return isReported
  if (isAgain) askAgain(request, own.record)
  else {
    request.goOnFrom(own.record)
    request.apply({ type: 'retry' })
  }
  return isReported
}

/** Asks once more for what a job failed at. The time and the person of the first attempt stay (contract 5.2). */
function askAgain(request: Request, record: RequestRecord): void {
  const { run, settings } = request.identity
  request.amend({ ...identityOf(record), run, settings })
}

/** The run of a rebase goes on with the request of an earlier push, and moves the same changes to the head of its event. */
export function adoptOfPush({ deps }: Session, request: Request, { record }: RequestComment): void {
  const { head } = request.identity
  request.goOnFrom(record)
  if (head.digest !== '' && head.digest === record.head.digest) request.amend({ head })
  deps.core.info(`Job ${jobOf(record)?.id} resumed: it has these changes, and no run waits for it`)
}

/**
 * A process that comes to the end goes on from the record of another run or attempt that brought the request further.
 * @returns whether it does
 */
export function adoptLater(request: Request): boolean {
  const { history, mayWrite, state, identity } = request
  const own = history?.own
  if (own === undefined) {
    // A request that is with the agent keeps its place, also where people deleted its comment and asked again since.
    if (!mayBeWithAgent(state)) request.orderAfterOthers()
    return false
  }
  const isLater = mayWrite && cameFurther(own.record, { ...state, round: identity.round })
  // Where the job of an earlier attempt failed, a re-run asks again. If it cannot, it says why, and not that the job failed.
  const failedBefore = !mayBeWithAgent(state) && asksAgain(own.record, identity.run)
  if (!isLater || failedBefore) return false
  request.goOnFrom(own.record)
  // The reason for which an earlier attempt sent nothing is not the reason of this one.
  if (own.record.state === 'notSent' && isOfOtherAttempt(own.record, identity.run))
    request.apply({ type: 'retry' })
  return true
}

/** A process that is about to write, and finds that another one came further, goes on from that record. */
export function adoptExisting(request: Request, { record }: RequestComment): void {
  request.goOnFrom(record)
}

/**
 * The post step goes on from the record that the runner kept, or from that in the thread, whichever came further.
 * @param kept by a main step that knew the permission
 */
export async function adoptKept(session: Session, request: Request, kept: RequestRecord): Promise<void> {
  const { thread } = request
  // A thread that cannot be read may hold a result.
  if (thread === undefined || (await thread.readOrWarn(session))) request.allowWrites()
  thread?.noteUnknown()
  const own = request.history?.own
  request.goOnFrom(own === undefined || keptCounts(kept, own.record) ? kept : own.record)
}

interface FoundRecord {
  readonly thread: Thread
  readonly record: RequestRecord
  readonly askedAt: number
}

/** How long before `askedAt` the forge may list the comments of the request as updated. */
const LISTING_MS = 300_000

/**
 * A sweep goes on from the record that it found.
 * @param askedAt when it was asked first, or earlier, on the forge's clock, in ms since the epoch
 * @returns undefined where another run was faster: right before the report the thread is read again (contract 8.2)
 */
export async function adoptFound(
  session: Session,
  { thread, record, askedAt }: FoundRecord,
): Promise<Request | undefined> {
  const request = new Request(identityOf(record))
  // Without comments nothing remembers that a job was reported, so a sweep changes nothing (contract 8.2).
  if (session.commentMode !== 'off') request.allowWrites()
  request.answerIn(thread)
  // A result of a `pull_request` event replaces what earlier events left, so the whole thread is read.
  const since = hasHead(record) ? undefined : askedAt - LISTING_MS
  if (request.mayWrite) await thread.read(session, since)
  const own = request.history?.own
  // The sweep itself has made a line of an earlier result since (contract 3.13).
  const isOwn = own !== undefined && thread.hasWritten(own)
  if (request.mayWrite && own?.record.writtenAt !== record.writtenAt && !isOwn) return undefined
  request.goOnFrom(isOwn ? own.record : record)
  return request
}
