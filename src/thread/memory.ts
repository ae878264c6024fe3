import { MARKER_STATES, type Marker, type MarkerScope, readMarker } from '../marker.ts'
import type { ThreadComment } from './comments.ts'

/** A comment of ours with what it remembers. */
export interface Remembered {
  readonly comment: ThreadComment
  readonly marker: Marker
}

/** What a thread remembers of one project, and of one request. */
export interface Memory {
  /** The newest marker of this very request: an earlier attempt wrote it. */
  readonly own: Remembered | undefined
  /** Every comment of this request, so that only one is left in the end. */
  readonly ownComments: readonly Remembered[]
  /** The newest marker that knows a job: the one to continue. */
  readonly job: Remembered | undefined
  readonly refusal: Remembered | undefined
  /** The pull requests of all jobs that the thread knows. */
  readonly prLinks: ReadonlySet<string>
  /** The time of the newest marker; what is written next must be newer, whatever the clock says. */
  readonly newest: number
}

/** States of a marker that belong to one request, as opposed to the thread. */
const OF_A_REQUEST: ReadonlySet<string> = new Set(
  MARKER_STATES.filter((state) => state !== 'refusal' && state !== 'pointer'),
)

export function remember(comments: readonly ThreadComment[], scope: MarkerScope, key: string): Memory {
  const all = comments
    .flatMap((comment) => {
      const marker = readMarker(comment.body, scope)
      return marker === undefined ? [] : [{ comment, marker }]
    })
    .sort((a, b) => b.marker.at - a.marker.at || b.comment.id - a.comment.id)
  const ownComments = all.filter(({ marker }) => marker.key === key && OF_A_REQUEST.has(marker.state))
  return {
    own: ownComments[0],
    ownComments,
    job: all.find(({ marker }) => marker.job !== ''),
    refusal: all.find(({ marker }) => marker.state === 'refusal'),
    prLinks: new Set(all.map(({ marker }) => marker.pr)),
    newest: all[0]?.marker.at ?? 0,
  }
}
