import type { CheckRun, CommitStatus, WorkflowRun } from '../github/answers.ts'
import type { Check, CheckResult } from '../request/checks-report.ts'

/** A check run or a commit status, with what the agent gets of it where it fails. */
export interface ReadCheck extends Check {
  readonly kind: 'Check' | 'Status'
  /** The result in the words of the forge, such as `timed_out`. */
  readonly conclusion: string
  /** One line. */
  readonly said: string
  /** When it began or ended, by the forge, in ms since the epoch and whole seconds; 0 where it does not tell. */
  readonly since: number
  readonly run: CheckRun | undefined
}

/** https://docs.github.com/rest/checks/runs; what is not here ends without a verdict, such as `cancelled` and `stale`. */
const CONCLUSIONS: Readonly<Record<string, CheckResult>> = {
  success: 'passed',
  neutral: 'passed',
  skipped: 'passed',
  action_required: 'needs-approval',
  failure: 'failed',
  timed_out: 'failed',
  startup_failure: 'failed',
}
/** A job that is `waiting` is held by the rules of its environment, one that is `pending` by its concurrency group. */
const STATUSES: Readonly<Record<string, CheckResult>> = {
  waiting: 'needs-approval',
  pending: 'queued-behind',
}
/** https://docs.github.com/rest/commits/statuses */
const STATES: Readonly<Record<string, CheckResult>> = {
  pending: 'running',
  success: 'passed',
  failure: 'failed',
  error: 'failed',
}

export const resultOf = ({ status, conclusion }: CheckRun): CheckResult =>
  status === 'completed' ? (CONCLUSIONS[conclusion] ?? 'no-verdict') : (STATUSES[status] ?? 'running')

const areNamesakes = (a: CheckRun, b: CheckRun): boolean => a !== b && a.name === b.name && a.app === b.app

/**
 * Whether one check replaces another of its name and app, as far as the checks tell (contract 4.12). In one suite, it
 * does if it began after the other had ended. In any suite, a later check replaces a cancelled one.
 */
function isReplaced(run: CheckRun, by: CheckRun): boolean {
  if (!areNamesakes(run, by)) return false
  if (run.conclusion === 'cancelled' && by.id > run.id) return true
  const isSameSuite = run.suiteId !== 0 && by.suiteId === run.suiteId
  return isSameSuite && run.completedAt > 0 && by.startedAt > run.completedAt
}

/** What the forge tells of the workflow run behind a check; undefined where it does not. */
type WorkflowRunOf = (run: CheckRun) => WorkflowRun | undefined

/** Of two runs of one workflow for one event, the later one counts, even if they overlapped. In doubt, both count. */
function isOfEarlierRun(run: CheckRun, by: CheckRun, workflowRunOf: WorkflowRunOf): boolean {
  if (!areNamesakes(run, by) || by.suiteId === run.suiteId) return false
  const [one, other] = [workflowRunOf(run), workflowRunOf(by)]
  if (one === undefined || other === undefined) return false
  const isSameWorkflow = one.workflowId === other.workflowId && one.event === other.event
  return isSameWorkflow && other.startedAt > one.startedAt
}

const withoutReplaced = (runs: readonly CheckRun[]): readonly CheckRun[] =>
  runs.filter((run) => !runs.some((by) => isReplaced(run, by)))

/** Checks of one name and app whose results differ: only the workflow runs behind them tell whether both count. */
export function inQuestion(runs: readonly CheckRun[]): readonly CheckRun[] {
  const counting = withoutReplaced(runs)
  return counting.filter((run) =>
    counting.some((other) => areNamesakes(run, other) && resultOf(run) !== resultOf(other)),
  )
}

/** Checks and statuses as they count. */
export function classify(
  runs: readonly CheckRun[],
  statuses: readonly CommitStatus[],
  workflowRunOf: WorkflowRunOf,
): readonly ReadCheck[] {
  const newest = withoutReplaced(runs)
  const counting = newest.filter((run) => !newest.some((by) => isOfEarlierRun(run, by, workflowRunOf)))
  return [
    ...counting.map((run) => ({
      kind: 'Check' as const,
      name: run.name,
      url: run.url,
      result: resultOf(run),
      conclusion: run.conclusion,
      said: run.title,
      since: run.status === 'completed' ? run.completedAt : run.startedAt,
      run,
    })),
    ...statuses.map(({ context, url, state, description, createdAt }) => ({
      kind: 'Status' as const,
      name: context,
      url,
      result: STATES[state] ?? 'no-verdict',
      conclusion: state,
      said: description,
      since: createdAt,
      run: undefined,
    })),
  ]
}

/** The check may never end: perhaps no runner takes it, or no service answers. */
export const mayNeverEnd = ({ result, kind, run }: ReadCheck): boolean =>
  result === 'running' && (kind === 'Status' || run?.status === 'queued')
