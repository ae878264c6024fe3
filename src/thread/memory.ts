import { type Marker, type MarkerScope, meaningOf, readMarker } from '../core/marker.ts'
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
  /** The job of the latest request that knows one, however late its marker was written: the one to continue. */
  readonly job: Remembered | undefined
  readonly refusal: Remembered | undefined
  /** The pull requests of all jobs that the thread knows. */
  readonly prLinks: ReadonlySet<string>
  /** The time of the newest marker; what is written next must be newer, whatever the clock says. */
  readonly newest: number
}

export function remember(comments: readonly ThreadComment[], scope: MarkerScope, key: string): Memory {
  // A copy of a marker is as new as the original, and always posted later: the older comment counts.
  const all = comments
    .flatMap((comment) => {
      const marker = readMarker(comment.body, scope)
      return marker === undefined ? [] : [{ comment, marker }]
    })
    .sort((a, b) => b.marker.at - a.marker.at || a.comment.id - b.comment.id)
  const ownComments = all.filter(({ marker }) => marker.key === key && meaningOf(marker.state).ofRequest)
  return {
    own: ownComments[0],
    ownComments,
    job: all.filter(({ marker }) => marker.job !== '').sort((a, b) => b.marker.from - a.marker.from)[0],
    refusal: all.find(({ marker }) => marker.state === 'refusal'),
    prLinks: new Set(all.map(({ marker }) => marker.pr)),
    newest: all[0]?.marker.at ?? 0,
  }
}

/** What a run without a thread remembers. */
export const NOTHING: Memory = {
  own: undefined,
  ownComments: [],
  job: undefined,
  refusal: undefined,
  prLinks: new Set(),
  newest: 0,
}
