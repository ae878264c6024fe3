import { type WaitOptions, watch } from '../agent/poll.ts'
import { orCancelled } from '../cancellation.ts'
import { ForgeError, isRefused } from '../errors.ts'
import type { PullRequest } from '../event/pull-request.ts'
import { type CheckRun, type CommitStatus, withoutReplaced } from '../github/parse-checks.ts'
import type { PullRequestRef } from '../link.ts'
import { checksTask } from '../messages/side-tasks.ts'
import { type Check, resultOfRun, resultOfStatus } from '../request/checks.ts'
import type { Session } from '../thread/session.ts'

/** A check run or a commit status, with what the agent gets of it where it fails. */
export interface ReadCheck extends Check {
  readonly kind: 'Check' | 'Status'
  /** The result in the words of the forge, such as `timed_out`. */
  readonly conclusion: string
  /** One line. */
  readonly said: string
  readonly run: CheckRun | undefined
}

/** The head of a pull request. */
export interface Reading {
  readonly sha: string
  readonly state: PullRequest['state']
  readonly checks: readonly ReadCheck[]
}

export type ReadEnd =
  | { readonly kind: 'ended' | 'closed'; readonly reading: Reading }
  /** The deadline came first. */
  | { readonly kind: 'late'; readonly reading: Reading | undefined }

/** A job with `needs:` shows only once the others have ended, so one read is not enough (contract 4.12). */
const QUIET_READS = 2
/** So many of the longest pauses show that there are none. */
const PAUSES_WITHOUT_CHECKS = 4

/**
 * Reads the checks of the pull request's head until all have ended, at most until the deadline.
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
    const reading = await readUnlessAway(session, () => readOnce(session, pull))
    if (reading !== undefined) {
      const { checks, sha, state } = reading
      if (last !== undefined && sha !== last.sha) [quiet, since] = [0, deps.monotonic()]
      last = reading
      const running = checks.filter(({ result }) => result === 'running').length
      log(running === 0 ? `${checks.length} ended` : `${running} of ${checks.length} under way`)
      if (state !== 'open') return { kind: 'closed', reading }
      quiet = running === 0 ? quiet + 1 : 0
      const hasWaited = deps.monotonic() - since >= PAUSES_WITHOUT_CHECKS * waiting.pollMs
      if (quiet >= QUIET_READS && (checks.length > 0 || hasWaited)) return { kind: 'ended', reading }
    }
    if (deps.monotonic() >= waiting.deadline) return { kind: 'late', reading: last }
    await pauseBeforeNext()
  }
}

/** The token may not read the checks, or not even the pull request; the warning says so. */
export class Unreadable extends Error {}

async function readOnce(session: Session, pull: PullRequestRef): Promise<Reading> {
  const { forge, context } = session
  const { headSha: sha, state } = await readPull(session, pull)
  const reading = Promise.all([forge.checkRuns(pull, sha), forge.commitStatuses(pull, sha)])
  const [runs, statuses] = await orUnreadable(session, pull, reading, true)
  // A run that waited for its own check would wait for ever.
  const isOther = ({ runId }: { readonly runId: string }) => runId !== String(context.runId)
  return {
    sha,
    state,
    checks: [
      ...withoutReplaced(runs).filter(isOther).map(checkOfRun),
      ...statuses.filter(isOther).map(checkOfStatus),
    ],
  }
}

const checkOfRun = (run: CheckRun): ReadCheck => ({
  kind: 'Check',
  name: run.name,
  url: run.url,
  result: resultOfRun(run),
  conclusion: run.conclusion,
  said: run.title,
  run,
})

const checkOfStatus = (status: CommitStatus): ReadCheck => ({
  kind: 'Status',
  name: status.context,
  url: status.url,
  result: resultOfStatus(status),
  conclusion: status.state,
  said: status.description,
  run: undefined,
})

async function readPull(session: Session, pull: PullRequestRef): Promise<PullRequest> {
  return await orUnreadable(session, pull, session.forge.pullRequest(pull), false)
}

async function orUnreadable<T>(
  { context, warnings }: Session,
  pull: PullRequestRef,
  reading: Promise<T>,
  isPullReadable: boolean,
): Promise<T> {
  return await reading.catch((error: unknown) => {
    if (!isRefused(error)) throw error
    warnings.add(checksTask(pull, isPullReadable, context.repository), error)
    throw new Unreadable()
  })
}

/**
 * Waits until the pull request has another head than this one. A push can arrive shortly after the job says that it
 * ended, so one read is not enough.
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
    const head = await readUnlessAway(session, () => readPull(session, pull))
    if (head !== undefined && head.headSha !== sha) return true
    if (head !== undefined) same += 1
    if (session.deps.monotonic() >= waiting.deadline) return false
    await pauseBeforeNext()
  }
  return false
}

/** @returns undefined where GitHub does not answer: an outage is waited out */
async function readUnlessAway<T>({ deps }: Session, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await orCancelled(deps.cancellation, read())
  } catch (error) {
    if (error instanceof ForgeError && error.kind === 'away') return undefined
    throw error
  }
}
