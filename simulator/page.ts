import { latestOf, type StartedCheck, statusOf, suitesOf, workflowRunOf } from '../emulator/github/checks.ts'

/** The checks of a commit, as GitHub's own page shows them: the last attempt of each, and what else it says. */
export interface Page {
  readonly red: readonly StartedCheck[]
  /** Not ended. */
  readonly open: readonly StartedCheck[]
  /** Ended, and neither red nor green. */
  readonly grey: readonly StartedCheck[]
  readonly green: readonly StartedCheck[]
  /** A workflow of the commit waits for an approval, or is about to begin. */
  readonly isHeld: boolean
}

const RED: ReadonlySet<string> = new Set(['failure', 'timed_out', 'startup_failure', 'error'])
const GREEN: ReadonlySet<string> = new Set(['success', 'neutral', 'skipped'])
/** Longer than that nothing is about to begin. */
const BEGINS_MS = 118_000

/**
 * @param at on GitHub's clock
 * @param tellsRuns whether the reader knows which suites are runs of one workflow
 */
export function pageAt(checks: readonly StartedCheck[], at: number, tellsRuns = true): Page {
  const runs = latestOf(checks, 'run', at)
  const begun = new Map(
    suitesOf(checks, at).map((suite) => [suite.id, tellsRuns ? workflowRunOf(checks, suite, at) : undefined]),
  )
  const counting = runs.filter((run) => {
    const own = begun.get(run.suiteId)
    return !runs.some((by) => {
      if (by === run || by.name !== run.name || by.app !== run.app) return false
      const other = begun.get(by.suiteId)
      const isSame = own?.workflow === other?.workflow && own?.event === other?.event
      const isNewer = own !== undefined && other !== undefined && isSame && other.startedAt > own.startedAt
      // What somebody has stopped, and what ran again since, says nothing any more.
      return isNewer || (run.conclusion === 'cancelled' && at >= run.endsAt && by.id > run.id)
    })
  })
  const all = [...counting, ...latestOf(checks, 'status', at)]
  const ended = all.filter(({ endsAt }) => at >= endsAt)
  const is = (of: ReadonlySet<string>) => ended.filter(({ conclusion = 'success' }) => of.has(conclusion))
  const [red, green] = [is(RED), is(GREEN)]
  const suites = suitesOf(checks, at).filter(
    (suite) => suite.app === 'github-actions' && suite.runs.length === 0,
  )
  return {
    red,
    green,
    open: all.filter(({ endsAt }) => at < endsAt),
    grey: ended.filter((check) => !red.includes(check) && !green.includes(check)),
    isHeld: suites.some(
      ({ status, conclusion, createdAt }) =>
        conclusion === 'action_required' || (status === 'queued' && at - createdAt < BEGINS_MS),
    ),
  }
}

/** Nothing is left of it but what nobody may ever end: statuses, and runs in the queue. @param at on GitHub's clock */
export const isIdle = ({ open, isHeld }: Page, at: number): boolean =>
  !isHeld &&
  open.length > 0 &&
  open.every((check) => check.kind === 'status' || statusOf(check, at) === 'queued')
