import { mayBeServed } from '../request/lease.ts'
import { hasOpenParts, isUnsaid } from '../request/parts.ts'
import { leftOverOf, type RequestComment, recordThatCounts } from '../request/precedence.ts'
import type { RequestRecord, Running } from '../request/record.ts'
import type { Thread } from '../thread/thread.ts'

/** A request in a thread of the repository, by the record that counts. */
export interface KnownRequest<R extends RequestRecord = RequestRecord> {
  /** One object for all requests there: a list can lag, and what is written for one of them counts for the next. */
  readonly thread: Thread
  readonly record: R
  /** When it was asked first, or earlier, on the forge's clock, in ms since the epoch. */
  readonly askedAt: number
  /** Of the comment with the record, on the same clock. */
  readonly updatedAt: number
  /** Something follows the result, or a comment is left that it replaces. */
  readonly hasLeftOver: boolean
}

/** A request whose job is known, and that no run waits for any more (contract 8.1). */
export type OpenRequest = KnownRequest<Extract<RequestRecord, Running>>

export type FoundComment = Omit<KnownRequest, 'hasLeftOver'> & Pick<RequestComment, 'id' | 'author'>

/** What a sweep takes, the earliest request first. */
export interface Work {
  /** Their jobs are to be read, and reported where they ended. */
  readonly open: readonly OpenRequest[]
  /** All other requests with something left to do, or to say. */
  readonly left: readonly KnownRequest[]
}

/**
 * What a sweep takes of all that it finds: what no run waits for any more.
 * @param found the comments of each request
 * @param now on the forge's clock, in ms since the epoch
 */
export function workIn(found: Iterable<readonly FoundComment[]>, now: number): Work {
  const known = [...found]
    .flatMap((comments): KnownRequest[] => {
      const counts = recordThatCounts(comments)
      if (counts === undefined || mayBeServed(counts, now)) return []
      return [
        { ...counts, hasLeftOver: hasOpenParts(counts.record) || leftOverOf(comments, counts).length > 0 },
      ]
    })
    .toSorted((a, b) => a.record.requestedAt - b.record.requestedAt)
  return { open: known.filter(isOpen), left: known.filter(isLeft) }
}

const isOpen = (request: KnownRequest): request is OpenRequest => request.record.state === 'running'

const isLeft = (request: KnownRequest): boolean =>
  !isOpen(request) && (request.hasLeftOver || isUnsaid(request.record))
