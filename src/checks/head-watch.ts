import { orCancelled } from '../deps.ts'
import { ForgeError } from '../errors.ts'
import { polling, type WaitOptions } from '../http/retry.ts'
import { isLoopback, type PullRequestRef } from '../link.ts'
import type { Session } from '../thread/session.ts'
import {
  judge,
  type Patience,
  QUIET_TIMES,
  type QuietEnd,
  type QuietTimes,
  quietTimesHere,
  type Watched,
  watched,
} from './quiet.ts'
import { type Head, orRefusal, Refusal, readHead, type WorkflowRuns } from './read-head.ts'

/** The token may not read the checks, or not even the pull request; the warning says so. */
export class Unreadable extends Error {}

export type HeadEnd =
  | {
      readonly kind: QuietEnd | 'closed'
      readonly head: Head
      /** When it was read, in ms on the monotonic clock. */
      readonly readAt: number
    }
  /** The deadline came first. */
  | { readonly kind: 'late'; readonly head: Head | undefined }

/** While nothing changes, the pauses between readings grow to this. */
const LONGEST_PAUSE_MS = 60_000

export const quietTimes = ({ client }: Session, pollMs: number): QuietTimes =>
  isLoopback(client.access.baseUrl) ? quietTimesHere(pollMs) : QUIET_TIMES

/** Reads the head of a pull request again and again. */
export class HeadWatch {
  readonly #session: Session
  readonly #pull: PullRequestRef
  readonly #waiting: WaitOptions
  readonly #workflowRuns: WorkflowRuns
  #known: Watched | undefined

  constructor(session: Session, pull: PullRequestRef, waiting: WaitOptions, workflowRuns: WorkflowRuns) {
    this.#session = session
    this.#pull = pull
    this.#waiting = waiting
    this.#workflowRuns = workflowRuns
  }

  /**
   * Waits until the checks of the head have ended, or need not be waited for any longer, at most until the deadline.
   * @throws {Unreadable} where the token may not read them
   * @throws {Cancelled} as soon as the runner asks the step to stop
   */
  async wait(patienceWith: (known: Watched) => Omit<Patience, 'times'>): Promise<HeadEnd> {
    const { deps, forge } = this.#session
    const { deadline, pollMs } = this.#waiting
    const times = quietTimes(this.#session, pollMs)
    const { log, pauseUntil, pauseMs } = polling(deps, this.#waiting, () => true, 'checks ')
    const read = untilSure(this.#session, this.#pull, times, () =>
      readHead(this.#session, this.#pull, this.#workflowRuns),
    )
    const from = deps.monotonic()
    for (;;) {
      const readFrom = deps.monotonic()
      const head = await read()
      const readAt = deps.monotonic()
      if (head === undefined) {
        if (readAt >= deadline) return { kind: 'late', head: this.#known?.head }
        await pauseUntil(readAt + pauseMs(readAt - (this.#known?.readAt ?? from)))
        continue
      }
      const running = head.checks.filter(({ result }) => result === 'running').length
      log(head.hasRunning ? `${running} of ${head.checks.length} under way` : `${head.checks.length} ended`)
      if (head.state !== 'open') return { kind: 'closed', head, readAt }
      const known = watched(this.#known, { head, readFrom, readAt, clock: forge.clock() })
      this.#known = known
      const verdict = judge(known, { ...patienceWith(known), times })
      if (typeof verdict === 'string') return { kind: verdict, head, readAt }
      if (readAt >= deadline) return { kind: 'late', head }
      const sinceMs = readAt - known.changedAt
      const pause = readAt + Math.max(pauseMs(sinceMs), Math.min(LONGEST_PAUSE_MS, sinceMs / 20))
      await pauseUntil(Math.min(pause, verdict.readAgainBy))
    }
  }
}

/**
 * Waits until the pull request has another head than this one: a push can arrive some time after the job says that it
 * ended (contract 4.12).
 * @returns false where it does not come, or the deadline comes first
 */
export async function waitForPush(
  session: Session,
  pull: PullRequestRef,
  sha: string,
  waiting: WaitOptions,
): Promise<boolean> {
  const { deps, forge } = session
  const { pauseUntil, pauseMs } = polling(deps, waiting, () => true, 'pull request ')
  const times = quietTimes(session, waiting.pollMs)
  const read = untilSure(session, pull, times, () => orRefusal('pull-and-checks', forge.pullRequest(pull)))
  const from = deps.monotonic()
  const until = Math.min(waiting.deadline, from + times.minuteMs)
  for (;;) {
    const head = await read()
    if (head !== undefined && head.headSha !== sha) return true
    const now = deps.monotonic()
    // Without an answer from GitHub, the push may be there all the same.
    const end = head === undefined ? waiting.deadline : until
    if (now >= end) return false
    await pauseUntil(Math.min(end, now + pauseMs(now - from)))
  }
}

/** GitHub may say for a moment that a head, or its pull request, is not there (contract 4.12). */
const DOUBTFUL: readonly number[] = [404, 410, 422]

/**
 * @returns a function that reads once. It gives undefined while GitHub does not answer, since an outage is waited out,
 * and while GitHub has said for less than half a minute that nothing is there
 */
function untilSure<T>(
  { deps, warnings }: Session,
  pull: PullRequestRef,
  { quietMs }: QuietTimes,
  read: () => Promise<T>,
): () => Promise<T | undefined> {
  let missingSince: number | undefined
  return async () => {
    try {
      const answer = await orCancelled(deps.cancellation, read())
      missingSince = undefined
      return answer
    } catch (error) {
      if (error instanceof ForgeError && error.kind === 'away') return undefined
      if (!(error instanceof Refusal)) throw error
      const now = deps.monotonic()
      missingSince ??= now
      if (DOUBTFUL.includes(error.cause.httpStatus) && now < missingSince + quietMs) return undefined
      warnings.add([error.task, pull], error.cause)
      throw new Unreadable()
    }
  }
}
