import { id, object, text } from '../core/json.ts'
import { type Marker, type MarkerScope, readMarker } from '../core/marker.ts'

/** What markers are bound to, but for the thread. */
export type Everywhere = Omit<MarkerScope, 'thread'>

export interface Marked {
  readonly thread: number
  readonly marker: Marker
  /** When the comment was touched last, in ms since the epoch on GitHub's clock; 0 where it does not say. */
  readonly touched: number
}

/**
 * A comment as the list of a whole repository has it, with the thread that it is in and the marker that holds there.
 * https://docs.github.com/rest/issues/comments#list-issue-comments-for-a-repository
 */
export function markedComment(comment: unknown, everywhere: Everywhere): Marked | undefined {
  const { body, issue_url, updated_at } = object(comment)
  const thread = id(Number(/\/(\d+)$/.exec(text(issue_url))?.[1]))
  if (thread === undefined) return undefined
  const marker = readMarker(text(body).replaceAll('\r\n', '\n'), { ...everywhere, thread })
  return marker && { thread, marker, touched: Date.parse(text(updated_at)) || 0 }
}
