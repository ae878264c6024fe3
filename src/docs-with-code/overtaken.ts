import { isReplacedComment, replacedComment } from '../messages/comments.ts'
import { CAUSES, isCutShort } from '../messages/notes.ts'
import { type Ending, ending } from '../request/outcome.ts'
import { isAtWork } from '../request/parts.ts'
import type { RequestComment } from '../request/precedence.ts'
import type { RequestIdentity, RequestState } from '../request/record.ts'
import type { Request } from '../thread/request.ts'
import { sayOfEarlier } from '../thread/say.ts'
import type { Session } from '../thread/session.ts'
import { isUnwritten } from '../thread/thread.ts'
import { hasAgent } from './increment.ts'

// No person used a command on these events, so at most one of their comments says more than a line (contract 3.13).

type Known = Pick<Request, 'identity' | 'history'>

/** It is of the same step and another event: two calls of one reusable workflow on one event are two requests (5.2). */
const isOfOtherEvent = (one: RequestIdentity, { head, origin }: RequestIdentity): boolean =>
  head.step !== '' && one.head.sha !== '' && one.head.step === head.step && one.origin !== origin

/** The comment says how the request ended, not that it goes on. */
const hasResult = ({ state, ending }: Pick<RequestState, 'state' | 'ending'>): boolean =>
  state === 'reported' || ending?.outcome === 'error'

/** The latest request of a later event of the same step that has a result; else the latest that the agent has. */
function laterOf({ identity, history }: Known): RequestComment | undefined {
  const later = history?.others.filter(
    ({ record }) => isOfOtherEvent(record, identity) && record.requestedAt > identity.requestedAt,
  )
  return later?.find(({ record }) => hasResult(record)) ?? later?.find(({ record }) => hasAgent(record))
}

/**
 * A run that is cancelled is no news where no person used a command: most often a later push took over.
 * @returns the end of the run in view of that
 */
export async function inViewOfPushes(
  { forge }: Session,
  { identity, thread }: Request,
  end: Ending,
): Promise<Ending> {
  const { sha } = identity.head
  if (end.outcome !== 'cancelled' || sha === '' || thread === undefined) return end
  const pull = await forge.pullRequest({ ...forge.repository, number: thread.number }).catch(() => undefined)
  const isOvertaken = pull !== undefined && pull.headSha !== '' && pull.headSha !== sha
  return ending('cancelled', '', isOvertaken ? CAUSES.laterPush : CAUSES.cutShort)
}

/**
 * What the comment of a request says in the place of its result, which notifies no person.
 * @returns '' to leave the comment as it is, undefined where the words of the request itself count
 */
export function overtakenWords(request: Known, end: Ending): string | undefined {
  const later = laterOf(request)
  if (later === undefined && !isCutShort(end)) return undefined
  // What has no comment yet gets none.
  if (request.history?.own === undefined) return ''
  if (later !== undefined && hasResult(later.record)) return replacedComment(later.url)
  return isCutShort(end) ? end.message : ''
}

/** What earlier events of the same step left in the thread. */
export const earlierOf = ({ identity, history }: Known): readonly RequestComment[] =>
  (history?.others ?? []).filter(
    ({ record }) => isOfOtherEvent(record, identity) && record.requestedAt < identity.requestedAt,
  )

/**
 * Makes one line of what earlier events of the same step left in the thread, now that the result of this one stands.
 * @returns whether GitHub took it, or refuses it
 */
export async function replaceEarlier(session: Session, request: Request): Promise<boolean> {
  const { state, history, thread } = request
  const own = history?.own
  if (own === undefined || thread === undefined) return true
  const words = replacedComment(own.url)
  // A re-run writes its result anew, and deletes the comment that a line may still lead to.
  const lines = [own, ...(history?.others ?? [])].map(({ url }) => replacedComment(url))
  const earlier = earlierOf(request).filter(
    ({ record, body }) =>
      // A run that follows a job, or its checks, still rewrites its comment. A line leads to the result of now.
      (isReplacedComment(body) || (hasResult(state) && !isAtWork(record))) &&
      !lines.some((line) => body.startsWith(line)),
  )
  const change = { what: 'line for an earlier result', words }
  const written = earlier.map((one) => sayOfEarlier(session, thread, one, change))
  return !(await Promise.all(written)).some(isUnwritten)
}
