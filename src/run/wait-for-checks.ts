import { orCancelled } from '../deps.ts'
import { ForgeError, isRefused } from '../errors.ts'
import type { PullRequest } from '../event/objects.ts'
import type { CheckRun, CheckSuite, CommitStatus } from '../github/answers.ts'
import { polling, type WaitOptions } from '../http/retry.ts'
import { isLoopback, type PullRequestRef, type RepositoryName } from '../link.ts'
import type { Check, CheckResult, HeadChecks } from '../request/checks-report.ts'
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

/** The head of a pull request, as one reading found it. */
export interface Head extends HeadChecks, Pick<PullRequest, 'state' | 'base'> {
  readonly sha: string
  readonly checks: readonly ReadCheck[]
  /** Something of it goes on. */
  readonly hasRunning: boolean
  /** The forge has not said yet whether it conflicts with its base. */
  readonly isMergeabilityUnknown: boolean
  /** When the last of its checks began or ended, in ms since the epoch; 0 where none tells. */
  readonly changedAt: number
}

/** The token may not read the checks, or not even the pull request; the warning says so. */
export class Unreadable extends Error {}

/** https://docs.github.com/rest/checks/runs; what is not here ends without a verdict, such as `cancelled` and `stale`. */
const CONCLUSIONS: Readonly<Record<string, CheckResult>> = {
  success: 'passed',
  neutral: 'passed',
  skipped: 'passed',
  action_required: 'person',
  failure: 'failed',
  timed_out: 'failed',
  startup_failure: 'failed',
}
/** A job that is `waiting` is held by the rules of its environment, one that is `pending` by its concurrency group. */
const STATUSES: Readonly<Record<string, CheckResult>> = { waiting: 'person', pending: 'turn' }
/** https://docs.github.com/rest/commits/statuses; Gitea has `warning` and `skipped` as well. */
const STATES: Readonly<Record<string, CheckResult>> = {
  pending: 'running',
  success: 'passed',
  warning: 'passed',
  skipped: 'passed',
  failure: 'failed',
  error: 'failed',
}

const resultOf = ({ status, conclusion }: CheckRun): CheckResult =>
  status === 'completed' ? (CONCLUSIONS[conclusion] ?? 'open') : (STATUSES[status] ?? 'running')

/**
 * Of two checks of one name and app, one that began after the other had ended counts alone; any later one replaces one
 * that was cancelled (contract 4.12). Two that ran at the same time are of different workflows or events.
 */
const isReplaced = (run: CheckRun, by: CheckRun): boolean => {
  if (by.name !== run.name || by.app !== run.app || by.id === run.id) return false
  if (run.conclusion === 'cancelled' && by.id > run.id) return true
  return run.completedAt > 0 && by.startedAt > run.completedAt
}

const ACTIONS = 'github-actions'
/** A suite of GitHub Actions that is really queued gets its first check within seconds; others are orphans. */
const QUEUED_MS = 120_000

/** Checks and statuses as they count. @param ownRunId of this run, which would wait for its own check for ever */
export function checksOfHead(
  runs: readonly CheckRun[],
  statuses: readonly CommitStatus[],
  ownRunId: string,
): readonly ReadCheck[] {
  const isOther = ({ runId }: { readonly runId: string }) => runId !== ownRunId
  const counting = runs.filter((run) => isOther(run) && !runs.some((by) => isReplaced(run, by)))
  return [
    ...counting.map((run) => ({
      kind: 'Check' as const,
      name: run.name,
      url: run.url,
      result: resultOf(run),
      conclusion: run.conclusion,
      said: run.title,
      run,
    })),
    ...statuses.filter(isOther).map(({ context, url, state, description }) => ({
      kind: 'Status' as const,
      name: context,
      url,
      result: STATES[state] ?? 'open',
      conclusion: state,
      said: description,
      run: undefined,
    })),
  ]
}

async function readHead(session: Session, pull: PullRequestRef): Promise<Head> {
  const { forge, context } = session
  const {
    headSha: sha,
    state,
    base,
    mergeable,
  } = await orUnreadable(session, pull, false, forge.pullRequest(pull))
  const reading = Promise.all([forge.checkRuns(pull, sha), forge.commitStatuses(pull, sha)])
  const [runs, statuses] = await orUnreadable(session, pull, true, reading)
  const ownRunId = String(context.runId)
  const checks = checksOfHead(runs, statuses, ownRunId)
  const isRunning = checks.some(({ result }) => result === 'running')
  // Where something goes on anyway, suites tell nothing more.
  const suites = isRunning ? [] : await readSuites(session, pull, sha)
  const ownSuites = new Set(runs.flatMap((run) => (run.runId === ownRunId ? [run.suiteId] : [])))
  const others = suites.filter(({ id, app }) => app === ACTIONS && !ownSuites.has(id))
  const isQueued = ({ runs: has, createdAt }: CheckSuite) => has > 0 || forge.clock() - createdAt < QUEUED_MS
  // A check that waits keeps its suite open, and is not waited for.
  const waits = new Set(
    runs.flatMap((run) => (['person', 'turn'].includes(resultOf(run)) ? [run.suiteId] : [])),
  )
  const isOpen = (suite: CheckSuite) =>
    suite.status !== 'completed' && isQueued(suite) && !waits.has(suite.id)
  return {
    sha,
    state,
    base,
    checks,
    conflictsWith: mergeable === false ? base : '',
    isParked: others.some((suite) => suite.conclusion === 'action_required' && suite.runs === 0),
    hasRunning: isRunning || others.some(isOpen),
    isMergeabilityUnknown: mergeable === undefined,
    changedAt: Math.max(
      0,
      ...runs.flatMap(({ startedAt, completedAt }) => [startedAt, completedAt]),
      ...statuses.map(({ createdAt }) => createdAt),
    ),
  }
}

async function orUnreadable<T>(
  { warnings }: Session,
  pull: PullRequestRef,
  isPullReadable: boolean,
  reading: Promise<T>,
): Promise<T> {
  return await reading.catch((error: unknown) => {
    if (!isRefused(error)) throw error
    warnings.add([isPullReadable ? 'checks' : 'pull-and-checks', pull], error)
    throw new Unreadable()
  })
}

/** Suites that the token may not read count as none. */
async function readSuites(
  { forge }: Session,
  pull: RepositoryName,
  sha: string,
): Promise<readonly CheckSuite[]> {
  return await forge.checkSuites(pull, sha).catch((error: unknown) => {
    if (isRefused(error)) return []
    throw error
  })
}

/** How long nothing must change, how long no check must come, and how long a push may take, in ms (contract 4.12). */
function quietTimes({ client }: Session, pollMs: number) {
  const isHere = isLoopback(client.access.baseUrl)
  return isHere ? { quietMs: 2 * pollMs, noneMs: 4 * pollMs } : { quietMs: 30_000, noneMs: 60_000 }
}

export type HeadEnd =
  | { readonly kind: 'ended' | 'closed'; readonly head: Head }
  /** The deadline came first. */
  | { readonly kind: 'late'; readonly head: Head | undefined }

/** Pauses of a reading that changed nothing grow to this. */
const LONGEST_PAUSE_MS = 60_000

/**
 * Reads the head of the pull request until its checks have ended, at most until the deadline. Ended means: none is under
 * way, and nothing about the head has changed for a while, since the first job of a workflow says little (4.12).
 * @throws {Unreadable} where the token may not read them
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function waitForChecks(
  session: Session,
  pull: PullRequestRef,
  waiting: WaitOptions,
): Promise<HeadEnd> {
  const { deps, forge } = session
  const { quietMs, noneMs } = quietTimes(session, waiting.pollMs)
  const { log, pauseUntil, pauseMs } = polling(deps, waiting, () => true, 'checks ')
  let [firstReadAt, changedAt, lastReadAt] = [0, 0, 0]
  let last: Head | undefined
  for (;;) {
    // A reading that limits and outages draw out tells how the head was when it began.
    const readFrom = deps.monotonic()
    const head = await readUnlessAway(session, () => readHead(session, pull))
    const now = deps.monotonic()
    if (head !== undefined) {
      const running = head.checks.filter(({ result }) => result === 'running').length
      log(head.hasRunning ? `${running} of ${head.checks.length} under way` : `${head.checks.length} ended`)
      if (head.state !== 'open') return { kind: 'closed', head }
      if (last === undefined || head.sha !== last.sha) [firstReadAt, changedAt] = [now, now]
      else if (contentOf(head) !== contentOf(last)) {
        // The forge tells when: after the last reading, at the latest now.
        const ago = head.changedAt === 0 ? 0 : Math.max(0, forge.clock() - head.changedAt)
        changedAt = Math.max(lastReadAt, now - ago, firstReadAt)
      }
      ;[last, lastReadAt] = [head, now]
      const { checks, conflictsWith, isParked, isMergeabilityUnknown } = head
      const isKnown = !isMergeabilityUnknown && (checks.length > 0 || conflictsWith !== '' || isParked)
      const endsAt = Math.max(changedAt + quietMs, isKnown ? 0 : firstReadAt + noneMs)
      if (!head.hasRunning && readFrom >= endsAt) return { kind: 'ended', head }
      if (now >= waiting.deadline) return { kind: 'late', head }
      const pause = Math.max(pauseMs(now - changedAt), Math.min(LONGEST_PAUSE_MS, (now - changedAt) / 20))
      await pauseUntil(head.hasRunning || endsAt - now > pause ? now + pause : endsAt)
      continue
    }
    if (now >= waiting.deadline) return { kind: 'late', head: last }
    await pauseUntil(now + pauseMs(now - lastReadAt))
  }
}

/** What counts as a change of the head. */
const contentOf = ({ checks, conflictsWith, isParked, hasRunning }: Head): string =>
  JSON.stringify([
    checks.map(({ name, result, conclusion, run }) => [name, result, conclusion, run?.id, run?.status]),
    ...[conflictsWith, isParked, hasRunning],
  ])

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
  const from = deps.monotonic()
  const until = Math.min(waiting.deadline, from + quietTimes(session, waiting.pollMs).noneMs)
  for (;;) {
    const head = await readUnlessAway(session, () =>
      orUnreadable(session, pull, false, forge.pullRequest(pull)),
    )
    if (head !== undefined && head.headSha !== sha) return true
    const now = deps.monotonic()
    if (now >= until) return false
    await pauseUntil(Math.min(until, now + pauseMs(now - from)))
  }
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
