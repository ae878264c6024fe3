import type { CommentMode } from '../core/choices.ts'
import type { Ending } from '../core/ending.ts'
import { pullRequestOf } from '../core/link.ts'
import type { MarkerScope, MarkerState } from '../core/marker.ts'
import type { Attempt } from '../github/attempt.ts'
import type { GitHub } from '../github/octokit.ts'
import { resultComment } from './bodies.ts'
import type { Memory } from './memory.ts'
import { pointTo } from './pointer.ts'
import { reactionOf, reactionOfMarker } from './reactions.ts'
import type { Request, Thread } from './thread.ts'
import type { Setting } from './words.ts'

/** A request with the thread that waits for its ending. */
export interface Desk {
  readonly thread: Thread
  /** What its markers are bound to; undefined without a thread. */
  readonly scope: MarkerScope | undefined
  readonly request: Request
  readonly mode: CommentMode
  readonly github: GitHub
  readonly attempt: Attempt
  readonly serverUrl: string
  readonly runUrl: string
  now(): number
}

/** What the marker keeps beyond the ending. */
export interface Kept {
  /** The job that the request was, or may have been, sent to. */
  readonly targetJob: string
  /** When it was, in ms since the epoch; 0 for a new job. */
  readonly messagedAt: number
}

/**
 * Reports an ending where it was asked for: the result comment, the reaction, and the way back on the job's own pull
 * request. The same for a run that waited and for a sweep that came later.
 * @param known what the thread remembers, if it has just been read
 * @returns the URL of the comment that carries the result, '' if there is none
 */
export async function reportEnding(
  desk: Desk,
  ending: Ending,
  kept: Kept,
  setting: Setting,
  known?: Memory,
): Promise<string> {
  const { job } = ending
  const news = {
    state: stateOf(ending),
    job: job?.id ?? kept.targetJob,
    status: job?.status ?? '',
    pr: job?.prLink ?? '',
    messaged: kept.messagedAt,
  }
  const { thread } = desk
  const { url, stands } = await thread.report(news, resultComment(ending, setting, desk.runUrl), known)
  await thread.reactions.conclude(stands === undefined ? reactionOf(ending) : reactionOfMarker(stands))
  await point(desk, ending, setting.command)
  return url
}

/** The way back to the job, on its own pull request (contract 5.5). */
async function point(desk: Desk, { job }: Ending, command: string): Promise<void> {
  const { scope, request, mode } = desk
  const pull = pullRequestOf(job?.prLink ?? '', desk.serverUrl)
  if (scope === undefined || job === undefined || pull === undefined || mode === 'off') return
  const marker = {
    ...request,
    job: job.id,
    status: job.status,
    pr: job.prLink,
    until: 0,
    messaged: 0,
    eyes: 0,
  }
  await pointTo(desk, pull, { scope, marker, command })
}

/** What the thread must remember of the ending: whether a re-run or a sweep still has something to do (5.2, 8.1). */
function stateOf({ outcome, reason, job }: Ending): MarkerState {
  if (outcome === 'started') return 'open'
  if (reason === 'creation-uncertain') return 'uncertain'
  if (reason === 'job-not-found' && job !== undefined) return 'reported'
  if (outcome === 'cancelled' || outcome === 'error' || outcome === 'timed-out') {
    return job === undefined ? 'unsent' : 'parted'
  }
  return 'reported'
}
