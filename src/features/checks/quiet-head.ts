import { orCancelled } from '../../base/deps.ts'
import { GitHubError, unlessRefused } from '../../base/errors.ts'
import type { PullRequestRef, RepositoryName } from '../../base/link.ts'
import { fullName } from '../../base/link.ts'
import { comparedBranch, type PullRequest } from '../../event/objects.ts'
import { polling, type WaitOptions, type Waits, waitsFor } from '../../http/retry.ts'
import { isRed } from '../../record/check-results.ts'
import type { Session } from '../../thread/session.ts'
import { classify, conflictWith, dependsOnWorkflows, type ReadCheck, withBase } from './classify.ts'

/** The head of a pull request, as one reading found it. */
export interface Head extends Pick<PullRequest, 'state' | 'base'> {
  readonly sha: string
  /** Its branch. */
  readonly branch: string
  readonly checks: readonly ReadCheck[]
  /** GitHub has said whether it conflicts with its base. */
  readonly isMergeableKnown: boolean
  /** Everybody can read the repository. */
  readonly isPublic: boolean
  /** When its checks changed last, on GitHub's clock, in ms since the epoch; without checks, the pull request. 0 where that is not known. */
  readonly changedAt: number
}

export interface Expected {
  /** The head from before a message to the job: until then, on the monotonic clock, it is no answer to it. */
  readonly before: { readonly sha: string; readonly until: number }
  /** An earlier head of the pull request had checks, so this one is to get some. */
  readonly hadChecks: boolean
  /** What fails of a head can go back to the agent. */
  readonly goesBack: (head: Head) => boolean
  /**
   * The process has just begun, and knows by GitHub's times for how long a head is as it is. It waits for what settles before its
   * deadline, and for nothing else.
   */
  readonly isSweep: boolean
}

/**
 * `quiet`: nothing is left to wait for. `late`: the deadline came first; `head` is undefined where GitHub did not answer.
 * `refused`: GitHub does not show the checks.
 */
type SettledHead =
  | { readonly end: 'quiet'; readonly head: Head }
  | { readonly end: 'late'; readonly head: Head | undefined }
  | { readonly end: 'refused'; readonly error: GitHubError }

/** How long a head has to stay as it is until the run acts on it, in ms. */
export function patienceWith(head: Head, { hadChecks, goesBack, isSweep }: Expected, waits: Waits): number {
  const results = new Set(head.checks.map(({ result }) => result))
  const isOpen = results.has('works') || (isSweep && results.has('queued'))
  if (isOpen) return goesBack(head) ? waits.stalledMs : Infinity
  if (results.has('queued')) return waits.stalledMs
  if (results.size === 0 && isSweep) return waits.noneMs
  if (results.size === 0) return hadChecks ? waits.stalledMs : waits.lateMs
  return head.isMergeableKnown ? waits.quietMs : waits.lateMs
}

/** Reads the head of a pull request again and again. @throws {Cancelled} as soon as the runner asks the step to stop */
export async function quietHead(
  session: Session,
  pull: PullRequestRef,
  waiting: WaitOptions,
  expected: Expected,
): Promise<SettledHead> {
  const { deps, client, github } = session
  const { before, isSweep } = expected
  const waits = waitsFor(client.access.baseUrl, waiting.pollMs)
  const { log, pauseUntil, pauseMs } = polling(deps, waiting, () => true, 'checks ')
  let head: Head | undefined
  let known = ''
  const begunAt = deps.monotonic()
  let changedAt = begunAt
  let refusedSince: number | undefined
  let ofBase: readonly ReadCheck[] | undefined
  const readWithBase = async (): Promise<Head> => {
    const read = await readHead(session, pull)
    if (read.checks.some(isRed)) ofBase ??= await checksOf(session, pull, comparedBranch(read))
    return { ...read, checks: withBase(read.checks, ofBase ?? []) }
  }
  for (;;) {
    const readFrom = deps.monotonic()
    const read = await orCancelled(deps.cancellation, readWithBase()).catch(asGitHubError)
    let settledAt = Infinity
    let mergeableBy = 0
    if (read instanceof GitHubError) {
      // GitHub may say for a moment that a head, or its pull request, is not there. An outage is waited out.
      refusedSince = read.kind === 'refused' ? (refusedSince ?? readFrom) : undefined
      settledAt = refusedSince === undefined ? Infinity : refusedSince + waits.quietMs
      if (readFrom >= settledAt) return { end: 'refused', error: read }
    } else {
      refusedSince = undefined
      head = read
      const now = contentOf(head)
      const ageMs = isSweep && head.changedAt > 0 ? Math.max(0, github.clock() - head.changedAt) : 0
      if (now !== known) [known, changedAt] = [now, deps.monotonic() - ageMs]
      log(progressOf(head))
      const unmovedUntil = head.sha === before.sha ? before.until : 0
      settledAt = Math.max(changedAt + patienceWith(head, expected, waits), unmovedUntil)
      // Each move of the base branch has GitHub look for conflicts anew, which begins with a reading, however old the head is.
      mergeableBy = head.isMergeableKnown ? 0 : begunAt + waits.lateMs
      if (head.state !== 'open' || readFrom >= Math.max(settledAt, mergeableBy)) return { end: 'quiet', head }
    }
    const now = deps.monotonic()
    if (now >= waiting.deadline || (isSweep && settledAt > waiting.deadline)) return { end: 'late', head }
    const nextAt = Math.min(
      Math.max(settledAt, mergeableBy),
      now + pauseMs(now - Math.max(begunAt, changedAt)),
    )
    await pauseUntil(isSweep && settledAt > now ? settledAt : nextAt)
  }
}

function asGitHubError(error: unknown): GitHubError {
  if (error instanceof GitHubError) return error
  throw error
}

/** A commit that GitHub refuses to show has no failures. @param ref a SHA or the name of a branch @throws {GitHubError} where GitHub does not answer */
export const checksOf = async (
  session: Session,
  pull: PullRequestRef,
  ref: string,
): Promise<readonly ReadCheck[]> => await unlessRefused(readChecks(session, pull, ref), [])

/** What counts as a change of the head. */
const contentOf = ({ sha, checks }: Head): string =>
  JSON.stringify([sha, ...checks.map(({ name, result, run }) => [name, result, run?.id])])

function progressOf({ checks }: Head): string {
  const open = checks.filter(({ result }) => result === 'works' || result === 'queued').length
  return open > 0 ? `${open} of ${checks.length} under way` : `${checks.length} ended`
}

/** @throws {GitHubError} */
async function readHead(session: Session, pull: PullRequestRef): Promise<Head> {
  const { headSha: sha, ...read } = await session.github.pullRequest(pull)
  const { state, base, head: branch, mergeable, isPrivate, updatedAt } = read
  const checks = await readChecks(session, pull, sha, true)
  return {
    sha,
    branch,
    state,
    base,
    changedAt: Math.max(0, ...checks.map((check) => check.changedAt)) || updatedAt,
    isMergeableKnown: mergeable !== undefined,
    isPublic: isPrivate === false,
    checks: mergeable === false ? [...checks, conflictWith(base)] : checks,
  }
}

/**
 * @param ref a SHA, or the name of a branch for its head
 * @param isHead it is a SHA, of which also counts what was cancelled
 * @throws {GitHubError}
 */
async function readChecks(
  { github, runner, warnings }: Session,
  repository: RepositoryName,
  ref: string,
  isHead = false,
): Promise<readonly ReadCheck[]> {
  const [runs, statuses, suites] = await Promise.all([
    github.checkRuns(repository, ref),
    github.commitStatuses(repository, ref),
    github.checkSuites(repository, ref),
  ])
  // Without an answer, what was cancelled has no verdict.
  const begun =
    isHead && dependsOnWorkflows(runs)
      ? await warnings.warnIfRefused(['workflows', fullName(repository)], () =>
          github.workflowRuns(repository, ref),
        )
      : undefined
  const workflows = new Map(begun?.map(({ suiteId, workflowId }) => [suiteId, workflowId]))
  return classify({ runs, statuses, suites, workflows }, String(runner.runId))
}
