import { type Marker, type MarkerScope, meaningOf, namesJob, readMarker } from '../core/marker.ts'
import type { ThreadComment } from './comments.ts'

/** A comment of ours with what it remembers. */
export interface Remembered {
  readonly comment: ThreadComment
  readonly marker: Marker
}

/** What a thread remembers of one project, and of one request. */
export interface Memory {
  /**
   * What earlier attempts have left of this very request: its result, else the job that they knew, else what may have
   * been sent, else the newest.
   */
  readonly own: Remembered | undefined
  /** Every comment of this request, so that only one is left in the end. */
  readonly ownComments: readonly Remembered[]
  /** The job of the latest request that knows one, however late its marker was written: the one to continue. */
  readonly job: Remembered | undefined
  /** Comments about a missing permission: one, unless two were written at the same time; the newest first. */
  readonly refusals: readonly Remembered[]
  /** The pull requests of all jobs that the thread knows. */
  readonly prLinks: ReadonlySet<string>
  /** The time of the newest marker; what is written next must be newer, whatever the clock says. */
  readonly newest: number
}

export function remember(comments: readonly ThreadComment[], scope: MarkerScope, key: string): Memory {
  // A copy of a marker is as new as the original. It is posted later, unless a stranger has edited it into a comment
  // that stood there already: those of the project count first, then the older ones.
  const all = comments
    .flatMap((comment) => {
      const marker = readMarker(comment.body, scope)
      return marker === undefined ? [] : [{ comment, marker }]
    })
    .sort(
      (a, b) =>
        b.marker.at - a.marker.at ||
        Number(b.comment.ofProject) - Number(a.comment.ofProject) ||
        a.comment.id - b.comment.id,
    )
  const ownComments = all.filter(({ marker }) => marker.key === key && meaningOf(marker.state).ofRequest)
  return {
    own: ownOf(ownComments),
    ownComments,
    job: all.filter(({ marker }) => marker.job !== '').sort((a, b) => b.marker.from - a.marker.from)[0],
    refusals: all.filter(({ marker }) => marker.state === 'refusal'),
    prLinks: new Set(all.map(({ marker }) => marker.pr)),
    newest: all[0]?.marker.at ?? 0,
  }
}

/** A later attempt may not have been able to read what an earlier one knew, and takes nothing of it back. */
const ownOf = (own: readonly Remembered[]): Remembered | undefined =>
  own.find(({ marker }) => marker.state === 'reported') ??
  own.find(({ marker }) => namesJob(marker)) ??
  own.find(({ marker }) => isUnsettled(marker, own)) ??
  own[0]

/** It may have been sent: neither has that run said more since, nor has anyone told people so. */
const isUnsettled = ({ state, run, at }: Marker, own: readonly Remembered[]): boolean =>
  state === 'sending' &&
  !own.some(({ marker }) => marker.at > at && (marker.run === run || marker.state === 'uncertain'))

/** What a run without a thread remembers. */
export const NOTHING: Memory = {
  own: undefined,
  ownComments: [],
  job: undefined,
  refusals: [],
  prLinks: new Set(),
  newest: 0,
}
