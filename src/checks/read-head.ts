import { ForgeError, isRefused } from '../errors.ts'
import type { PullRequest } from '../event/objects.ts'
import type { CheckRun, CheckSuite, WorkflowRun } from '../github/answers.ts'
import type { PullRequestRef, RepositoryName } from '../link.ts'
import type { HeadChecks } from '../request/checks-report.ts'
import type { Session } from '../thread/session.ts'
import { classify, inQuestion, type ReadCheck, resultOf } from './classify.ts'

/** The head of a pull request, as one reading found it. */
export interface Head extends HeadChecks, Pick<PullRequest, 'state' | 'base'> {
  readonly sha: string
  readonly checks: readonly ReadCheck[]
  /** A check or suite is under way. */
  readonly hasRunning: boolean
  /** The forge has not said yet whether it conflicts with its base. */
  readonly isMergeabilityUnknown: boolean
}

/** The forge refuses to show the checks, or even the pull request. */
export class Refusal extends Error {
  override readonly cause: ForgeError
  readonly task: 'checks' | 'pull-and-checks'

  constructor(task: Refusal['task'], cause: ForgeError) {
    super(cause.message, { cause })
    this.cause = cause
    this.task = task
  }
}

/** @throws {Refusal} */
export const orRefusal = async <T>(task: Refusal['task'], reading: Promise<T>): Promise<T> =>
  await reading.catch((error: unknown) => {
    throw isRefused(error) ? new Refusal(task, error) : error
  })

const ACTIONS = 'github-actions'
/** A suite of GitHub Actions that is really queued gets its first check within seconds; others are orphans. */
const QUEUED_MS = 120_000

/** @throws {Refusal} */
export async function readHead(
  session: Session,
  pull: PullRequestRef,
  workflowRuns: WorkflowRuns,
): Promise<Head> {
  const { forge, context } = session
  const read = await orRefusal('pull-and-checks', forge.pullRequest(pull))
  const { headSha: sha, state, base, mergeable } = read
  const { runs, checks } = await orRefusal('checks', readChecks(session, pull, sha, workflowRuns))
  const isRunning = checks.some(({ result }) => result === 'running')
  // Where something goes on anyway, suites tell nothing more.
  const suites = isRunning ? [] : await readSuites(session, pull, sha)
  const ownRunId = String(context.runId)
  const ownSuites = new Set(runs.flatMap((run) => (run.runId === ownRunId ? [run.suiteId] : [])))
  const others = suites.filter(({ id, app }) => app === ACTIONS && !ownSuites.has(id))
  const isQueued = ({ runs: has, createdAt }: CheckSuite) => has > 0 || forge.clock() - createdAt < QUEUED_MS
  // A check that is held back keeps its suite open, but is not waited for.
  const waits = new Set(
    runs.flatMap((run) => (['needs-approval', 'queued-behind'].includes(resultOf(run)) ? [run.suiteId] : [])),
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
  }
}

/** The checks of a commit as they count, without those of this run, which would wait for itself for ever. */
export async function readChecks(
  session: Session,
  repository: RepositoryName,
  ref: string,
  workflowRuns: WorkflowRuns,
): Promise<{ readonly runs: readonly CheckRun[]; readonly checks: readonly ReadCheck[] }> {
  const { forge, context } = session
  const reading = [forge.checkRuns(repository, ref), forge.commitStatuses(repository, ref)] as const
  const [runs, statuses] = await Promise.all(reading)
  const isOther = ({ runId }: { readonly runId: string }) => runId !== String(context.runId)
  const others = runs.filter(isOther)
  await workflowRuns.askAbout(session, repository, inQuestion(others))
  return { runs, checks: classify(others, statuses.filter(isOther), workflowRuns.of) }
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

/** The run asks for this many workflow runs in all, and knows nothing of the others. */
const MOST_ASKED = 40

/** What the forge tells of the workflow runs behind checks. Each is asked for again only once it has a newer check. */
export class WorkflowRuns {
  readonly #known = new Map<string, { readonly newest: number; readonly run: WorkflowRun | undefined }>()
  #asked = 0
  #mayRead = true

  readonly of = ({ workflowRunId, suiteId }: CheckRun): WorkflowRun | undefined => {
    const run = this.#known.get(workflowRunId)?.run
    return run?.suiteId === suiteId ? run : undefined
  }

  async askAbout(session: Session, repository: RepositoryName, runs: readonly CheckRun[]): Promise<void> {
    const newest = new Map<string, number>()
    for (const { workflowRunId, id } of runs)
      if (workflowRunId !== '') newest.set(workflowRunId, Math.max(newest.get(workflowRunId) ?? 0, id))
    const open = [...newest].filter(([run, id]) => id > (this.#known.get(run)?.newest ?? -1))
    await Promise.all(open.map(([run, id]) => this.#ask(session, repository, run, id)))
  }

  async #ask({ forge }: Session, repository: RepositoryName, id: string, newest: number): Promise<void> {
    if (!this.#mayRead || this.#asked >= MOST_ASKED) return
    this.#asked += 1
    const run = await forge.workflowRun(repository, id).catch((error: unknown) => {
      if (isRefused(error, 403)) this.#mayRead = false
      // A run that cannot be read tells nothing, also where the answer is none that can be used.
      if (error instanceof ForgeError && error.httpStatus >= 200 && error.httpStatus < 500) return undefined
      throw error
    })
    this.#known.set(id, { newest, run })
  }
}
