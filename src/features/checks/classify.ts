import type { CheckRun, CheckSuite, CommitStatus } from '../../github/answers.ts'
import { type Check, type CheckResult, isRed } from '../../record/check-results.ts'

/** A check of a head, with what the agent gets of it where it fails. */
export interface ReadCheck extends Check {
  readonly kind: 'Check' | 'Status' | 'Suite' | 'Conflict'
  /** The result in GitHub's words, such as `timed_out`. */
  readonly conclusion: string
  /** Title or description. */
  readonly text: string
  /** Undefined for what is no check run. */
  readonly run: CheckRun | undefined
  /** On GitHub's clock, in ms since the epoch; 0 where GitHub does not tell. */
  readonly changedAt: number
}

/** What GitHub lists of a commit. */
export interface Listed {
  readonly runs: readonly CheckRun[]
  readonly statuses: readonly CommitStatus[]
  readonly suites: readonly CheckSuite[]
  /** Of suites of GitHub Actions, the ids of their workflows, where those are known. */
  readonly workflows?: Workflows
}

type Workflows = ReadonlyMap<CheckSuite['id'], number>

/** https://docs.github.com/rest/checks/runs; what is not here has no verdict, such as `cancelled` and `stale`. */
const CONCLUSIONS: ReadonlyMap<string, CheckResult> = new Map([
  ['success', 'passed'],
  ['neutral', 'passed'],
  ['skipped', 'passed'],
  ['failure', 'failed'],
  ['timed_out', 'failed'],
  ['startup_failure', 'failed'],
  ['action_required', 'needs-approval'],
])

/** Of a check run that is not completed: what is not here is queued, such as `requested` and `pending`. */
const STATUSES: ReadonlyMap<string, CheckResult> = new Map([
  ['in_progress', 'works'],
  ['waiting', 'needs-approval'],
])

/** https://docs.github.com/rest/commits/statuses; a pending status does not say whether something works on it. */
const STATES: ReadonlyMap<string, CheckResult> = new Map([
  ['pending', 'queued'],
  ['success', 'passed'],
  ['failure', 'failed'],
  ['error', 'failed'],
])

const ACTIONS = 'github-actions'

/** One list of all that speaks of a commit. @param ownRunId of the run that reads, which would wait for itself for ever */
export function classify(
  { runs, statuses, suites, workflows = new Map() }: Listed,
  ownRunId: string,
): readonly ReadCheck[] {
  const isOwn = ({ runId }: { readonly runId: string }) => runId === ownRunId
  // What a suite tells stands in the list already where one of its runs is open.
  const shown = new Set(
    runs.filter((run) => isOwn(run) || run.status !== 'completed').map(({ suiteId }) => suiteId),
  )
  return [
    ...runs.filter((run) => !isOwn(run) && !isReplaced(run, runs, workflows)).map(ofRun),
    ...statuses.filter((status) => !isOwn(status)).map(ofStatus),
    ...suites.filter(({ app, id }) => app === ACTIONS && !shown.has(id)).flatMap(ofSuite),
  ]
}

/** A new push or label cancels what a workflow began before. Red stays red, whatever comes after it. */
const isReplaced = (run: CheckRun, runs: readonly CheckRun[], workflows: Workflows): boolean =>
  runs.some((by) => mayReplace(by, run) && isOfSameWorkflow(by, run, workflows))

/** It is a later one of the name of a cancelled one. */
const mayReplace = (by: CheckRun, { conclusion, name, app, id }: CheckRun): boolean =>
  conclusion === 'cancelled' && by.name === name && by.app === app && by.id > id

/** Jobs of two workflows can have one name, and another App names each of its checks once. */
function isOfSameWorkflow(one: CheckRun, other: CheckRun, workflows: Workflows): boolean {
  if (one.app !== ACTIONS || isOfSameSuite(one, other)) return true
  const workflow = workflows.get(one.suiteId)
  return workflow !== undefined && workflow === workflows.get(other.suiteId)
}

const isOfSameSuite = (one: CheckRun, other: CheckRun): boolean =>
  one.suiteId > 0 && one.suiteId === other.suiteId

/** Whether it depends on the workflows which of the runs count. */
export const dependsOnWorkflows = (runs: readonly CheckRun[]): boolean =>
  runs.some((run) => run.app === ACTIONS && runs.some((by) => mayReplace(by, run) && !isOfSameSuite(by, run)))

function ofRun(run: CheckRun): ReadCheck {
  const { name, url, status, conclusion, title } = run
  const result =
    status === 'completed'
      ? (CONCLUSIONS.get(conclusion) ?? 'no-verdict')
      : (STATUSES.get(status) ?? 'queued')
  const needs = status === 'waiting' ? 'approve-deployment' : undefined
  const { changedAt } = run
  return { kind: 'Check', name, url, result, needs, conclusion, text: title, run, changedAt }
}

const ofStatus = ({ context, url, state, description, createdAt }: CommitStatus): ReadCheck => ({
  ...{ kind: 'Status', name: context, url, result: STATES.get(state) ?? 'no-verdict' },
  ...{ conclusion: state, text: description, run: undefined, changedAt: createdAt },
})

/** A suite tells of jobs to come, and without runs of workflows that wait for an approval, or whose file cannot be used. */
function ofSuite({ status, conclusion, runs, changedAt }: CheckSuite): readonly ReadCheck[] {
  const result = status === 'completed' ? CONCLUSIONS.get(conclusion) : 'queued'
  if (result === undefined || result === 'passed') return []
  // An open one without runs may be an orphan, and those of one that ended say more.
  if ((result === 'queued') !== runs > 0) return []
  const needs = result === 'needs-approval' ? 'approve-workflows' : undefined
  const suite = { kind: 'Suite', name: 'GitHub Actions', url: '', conclusion } as const
  return [{ ...suite, result, needs, text: '', run: undefined, changedAt }]
}

/** No workflow runs on a conflict, so it counts as a check that fails. */
export const conflictWith = (base: string): ReadCheck => ({
  ...{ kind: 'Conflict', name: `merge into ${base}`, url: '', result: 'failed', conclusion: 'conflict' },
  ...{ needs: 'resolve-conflict', text: '', run: undefined, changedAt: 0 },
})

const namesake = ({ name, run }: ReadCheck): string => JSON.stringify([name, run?.app ?? ''])

/** Marks what fails at the base branch as well, by name and app. */
export function withBase(checks: readonly ReadCheck[], base: readonly ReadCheck[]): readonly ReadCheck[] {
  const failing = new Set(base.filter(({ result }) => result === 'failed').map(namesake))
  return checks.map((check) =>
    check.result === 'failed' && failing.has(namesake(check)) ? { ...check, result: 'fails-on-base' } : check,
  )
}

/** Nothing of what failed of the commit that went back passes at the later head: no commit may be able to change it. */
export function hasTurnedNone(
  { checks }: { readonly checks: readonly ReadCheck[] },
  sent: readonly ReadCheck[],
): boolean {
  const red = new Set(checks.filter(isRed).map(namesake))
  const failed = sent.filter(({ result }) => result === 'failed')
  return failed.length > 0 && failed.every((check) => red.has(namesake(check)))
}
