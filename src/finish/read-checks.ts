import { type WaitOptions, watch } from '../agent/poll.ts'
import { orCancelled } from '../cancellation.ts'
import { ForgeError } from '../errors.ts'
import type { PullRequest } from '../event/pull-request.ts'
import type { CheckRun, CommitStatus } from '../github/parse-checks.ts'
import { whileReporting } from '../http/retry-rules.ts'
import type { PullRequestRef } from '../link.ts'
import { type Check, resultOfRun, resultOfStatus } from '../request/checks.ts'
import type { Session } from '../thread/session.ts'

/** What one read tells of the head of a pull request. */
export interface Reading {
  readonly sha: string
  readonly state: PullRequest['state']
  readonly runs: readonly CheckRun[]
  readonly statuses: readonly CommitStatus[]
  /** Both of them. */
  readonly checks: readonly Check[]
}

/** Why the action stops to read. */
export type ReadEnd =
  | { readonly kind: 'ended' | 'closed'; readonly reading: Reading }
  /** The deadline came first. */
  | { readonly kind: 'late'; readonly reading: Reading | undefined }

/** A job with `needs:` shows only once the others have ended, so one read is not enough (contract 4.12). */
const QUIET_READS = 2
/** So many of the longest pauses show that there are none. */
const PAUSES_WITHOUT_CHECKS = 4

/**
 * Reads the checks of the pull request's head until all have ended, at most until the deadline. An outage of GitHub is
 * waited out.
 * @throws {Unreadable} where the token may not read them
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function readChecks(
  session: Session,
  pull: PullRequestRef,
  waiting: WaitOptions,
): Promise<ReadEnd> {
  const { deps } = session
  const { log, pauseBeforeNext } = watch(deps, waiting, () => true, 'checks ')
  let [quiet, since] = [0, deps.monotonic()]
  let last: Reading | undefined
  for (;;) {
    const reading = await readUnlessAway(session, waiting.deadline, () => readOnce(session, pull))
    if (reading !== undefined) {
      if (last !== undefined && reading.sha !== last.sha) [quiet, since] = [0, deps.monotonic()]
      last = reading
      const running = reading.checks.filter(({ result }) => result === 'running').length
      log(
        running === 0 ? `${reading.checks.length} ended` : `${running} of ${reading.checks.length} under way`,
      )
      if (reading.state !== 'open') return { kind: 'closed', reading }
      quiet = running === 0 ? quiet + 1 : 0
      const hasWaited = deps.monotonic() - since >= PAUSES_WITHOUT_CHECKS * waiting.pollMs
      if (quiet >= QUIET_READS && (reading.checks.length > 0 || hasWaited)) return { kind: 'ended', reading }
    }
    if (deps.monotonic() >= waiting.deadline) return { kind: 'late', reading: last }
    await pauseBeforeNext()
  }
}

/** The token may not read the checks, or not even the pull request. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
  readonly error: ForgeError
  readonly isPullReadable: boolean

  constructor(error: ForgeError, isPullReadable: boolean) {
    super(error.message, { cause: error })
    this.error = error
    this.isPullReadable = isPullReadable
  }
}

async function readOnce(session: Session, pull: PullRequestRef): Promise<Reading> {
  const { forge, context } = session
  const { headSha: sha, state } = await orUnreadable(forge.pullRequest(pull), false)
  const reading = Promise.all([forge.checkRuns(pull, sha), forge.commitStatuses(pull, sha)])
  const [allRuns, allStatuses] = await orUnreadable(reading, true)
  // A run that waited for its own check would wait for ever.
  const isOther = ({ runId }: { readonly runId: string }) => runId !== String(context.runId)
  const [runs, statuses] = [allRuns.filter(isOther), allStatuses.filter(isOther)]
  const checks = [
    ...runs.map((run) => ({ name: run.name, url: run.url, result: resultOfRun(run) })),
    ...statuses.map((status) => ({
      name: status.context,
      url: status.url,
      result: resultOfStatus(status),
    })),
  ]
  return { sha, state, runs, statuses, checks }
}

async function orUnreadable<T>(reading: Promise<T>, isPullReadable: boolean): Promise<T> {
  return await reading.catch((error: unknown) => {
    if (error instanceof ForgeError && error.kind === 'refused') throw new Unreadable(error, isPullReadable)
    throw error
  })
}

/**
 * Waits until the pull request has another head than this one, or is no longer open. A push can arrive shortly after
 * the job says that it ended, so one read is not enough.
 * @returns false where two reads in a row find the same head, or the deadline comes first
 */
export async function hasMoved(
  session: Session,
  pull: PullRequestRef,
  sha: string,
  waiting: WaitOptions,
): Promise<boolean> {
  const { pauseBeforeNext } = watch(session.deps, waiting, () => true, 'pull request ')
  for (let same = 0; same < QUIET_READS; ) {
    const head = await readUnlessAway(session, waiting.deadline, () =>
      orUnreadable(session.forge.pullRequest(pull), false),
    )
    if (head !== undefined && head.headSha !== sha) return true
    if (head !== undefined) same += 1
    if (session.deps.monotonic() >= waiting.deadline) return false
    await pauseBeforeNext()
  }
  return false
}

/** No try goes on beyond the deadline. @returns undefined where GitHub does not answer */
async function readUnlessAway<T>(
  { deps, patience }: Session,
  deadline: number,
  read: () => Promise<T>,
): Promise<T | undefined> {
  patience.limits = whileReporting(deadline)
  try {
    return await orCancelled(deps.cancellation, read())
  } catch (error) {
    if (error instanceof ForgeError && error.kind === 'away') return undefined
    throw error
  } finally {
    patience.limits = whileReporting()
  }
}
