import type { ChangedFile } from '../github/model.ts'

/** What a turn writes into the pull request of its job. */
export interface Change {
  readonly title?: string
  readonly body?: string
  /** All files of the pull request, as they are after this turn. */
  readonly files?: readonly ChangedFile[]
  /** What the commit of this turn changes; by default all of them. */
  readonly commit?: readonly ChangedFile[]
  /** Whether the pull request conflicts with its base branch then; by default as before. */
  readonly conflicts?: boolean
}

/** How one turn of a job goes: what a creation or a message sets off. Every field has a default. */
export interface Turn {
  /** Reads that still answer `active` before the turn ends; default 1. */
  readonly reads?: number
  /** Instead of `reads`: milliseconds on the emulator's clock until the turn ends. */
  readonly durationMs?: number
  /** Default `completed`. */
  readonly ending?: Terminal | 'active-forever'
  /**
   * `open` (default of a completed turn): a pull request in the docs repository, or the one that the job has.
   * `none`: the job's link stays as it is. `null`: the link goes. Another string: the link, word for word.
   */
  readonly pr?: 'open' | 'none' | string | null
  /** Where the turn opens the pull request or adds to it; made up by default. */
  readonly change?: Change
  /** Milliseconds until the pull request opens, while the turn goes on; the job names it at its end all the same. */
  readonly opensAfterMs?: number
  /**
   * Milliseconds from the end of the turn until one more commit arrives on the pull request. With `pr: 'none'` it is the
   * only one of the turn, and brings the `change`.
   */
  readonly lateCommitAfterMs?: number
  /**
   * Of a message to a job that works: the turn begins this long after the end of the one before, in milliseconds; default
   * 5,000. In between the job reads as that one left it.
   */
  readonly pauseMs?: number
  /** After a message: reads within a minute that still answer as before it. */
  readonly staleReads?: number
  /** Reads that answer 404 in the service's own words, although the job is there; then it is found again. */
  readonly notFound?: Absence
  /**
   * Status in the answer to the creation or the message; default `active`. A terminal one means that the turn
   * ended at once, unless `staleReads` says that it is the last turn's.
   */
  readonly answerStatus?: string
  /** What reads call the job while it works; default `active`. For statuses that nobody documented. */
  readonly activeStatus?: string
  /** Put over the job's fields in every answer of this turn; `undefined` takes a field away. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/** From the beginning of the turn, and for one read, unless it says otherwise. */
export interface Absence {
  /** Reads that find the job first. */
  readonly afterReads?: number
  readonly afterMs?: number
  /** Reads that do not find it; with `ms`, all of that time. */
  readonly reads?: number
  readonly ms?: number
}

export const TERMINAL = ['completed', 'failed', 'archived'] as const
type Terminal = (typeof TERMINAL)[number]

export const isTerminal = (status: string): status is Terminal => TERMINAL.some((name) => name === status)

export interface EmulatedJob {
  readonly id: string
  readonly project: string
  /** Of its pull request. */
  readonly branch: string
  /** All prompts, the first one first. */
  readonly prompts: string[]
  readonly createdAt: string
  status: string
  prLink: string | null
  /** URL of the pull request that was opened for it, whether or not its link tells. */
  pullRequest: string | null
  /** Commits to come; times in milliseconds since the epoch. */
  lateCommits: readonly { readonly at: number; readonly change?: Change | undefined }[]
  archivedAt: string | null
}

/** As the service documents it. */
export interface JobAnswer {
  readonly id: string
  readonly status: string
  readonly source: { readonly repository: string; readonly ref: string }
  readonly model: string
  readonly prLink: string | null
  readonly createdAt: string
  readonly archivedAt: string | null
}

/** Opens the agent's pull request for a job, or adds a commit to it; gives its URL. */
export interface PullRequests {
  open(job: EmulatedJob, change?: Change): string
  push(job: EmulatedJob, change?: Change): void
}

export interface RunningTurn {
  turn: Turn
  readonly startedAt: number
  readsLeft: number
  staleLeft: number
  /** Reads so far that may have found nothing. */
  looks: number
  /** What stale reads answer. */
  readonly before: JobAnswer | undefined
  /** When it ended; `undefined` while it works. */
  endedAt: number | undefined
}

/** The link that a turn leaves behind; `open` is called where a new pull request is due. */
export function linkAfter(turn: Turn, current: string | null, open: () => string): string | null {
  const wish =
    turn.pr === undefined ? ((turn.ending ?? 'completed') === 'completed' ? 'open' : 'none') : turn.pr
  if (wish === 'none') return current
  return wish === 'open' ? (current ?? open()) : wish
}
