import { hash } from '../random.ts'
import type { Schemas } from './samples.ts'

/** How a check of a commit goes. Times are milliseconds on the emulator's clock. */
export interface Check {
  /** Of the check run, the context of the status, or the suite that a `suite` of another check names. */
  readonly name: string
  /** Default `run`. A `suite` is one without check runs, or that is there before them. */
  readonly kind?: 'run' | 'status' | 'suite'
  /** Default `success`. Statuses end with `success`, `failure` and `error` only. */
  readonly conclusion?: Conclusion
  /** Slug of the App that checks; default `github-actions`. */
  readonly app?: string
  /** Checks of one App are in one suite unless this tells them apart, as the runs of several workflows or events. */
  readonly suite?: string
  /** The workflow behind its suite; by default each suite has its own. A later suite with the same one is a new run of it. */
  readonly workflow?: string
  /** What that ran for; default `pull_request`. */
  readonly event?: string
  /** Names of other checks of the commit: it shows only once the last of each has ended. */
  readonly needs?: readonly string[]
  /** From the push, or the end of what it `needs`, until it shows; default 0, and 3,000 after what it `needs`. */
  readonly appearsAfterMs?: number
  /** From then until it ends: `Infinity` for never; default 0. */
  readonly takesMs?: number
  /** From its showing until it starts: `Infinity` for never; default a quarter of `takesMs`, ten seconds at most. */
  readonly startsAfterMs?: number
  /** Its status until it starts; default `queued`. */
  readonly queuedAs?: QueuedStatus
  /** For the protection rules of its environment, without an end. */
  readonly waits?: true
  readonly title?: string
  /** In Markdown; the description of a status. */
  readonly summary?: string
  readonly text?: string
  readonly detailsUrl?: string
  /** Login of the account that sets the status. */
  readonly creator?: string
  readonly annotations?: readonly CheckAnnotation[]
  /** Of the job behind a check run of GitHub Actions, as it is stored; by default a short one, and `null` once it is gone. */
  readonly log?: string | null
}

/** GitHub documents more than it describes. */
type Conclusion = NonNullable<Schemas['check-run']['conclusion']> | 'stale' | 'startup_failure' | 'error'

/** GitHub reserves all but `queued` for its Actions. */
type QueuedStatus = 'queued' | 'pending' | 'requested' | 'waiting'
type Status = QueuedStatus | 'in_progress' | 'completed'

export interface CheckAnnotation {
  readonly path: string
  readonly line: number
  readonly message: string
}

/** Times are milliseconds since the epoch. */
export interface StartedCheck extends Check {
  readonly id: number
  readonly sha: string
  readonly app: string
  readonly suiteId: number
  readonly appearsAt: number
  readonly startsAt: number
  readonly endsAt: number
}

export const ACTIONS = 'github-actions'
const NEEDS_MS = 3000
const LONGEST_QUEUE_MS = 10_000

/** What checks the heads of the agent's pull requests: none by default. */
export class Checks {
  /** Checks of heads to come; each takes the first. */
  readonly script: (readonly Check[])[] = []
  /** What checks a head when the script is empty. */
  everyHead: readonly Check[] | ((sha: string) => readonly Check[]) = []

  next(sha: string): readonly Check[] {
    const { everyHead } = this
    return this.script.shift() ?? (typeof everyHead === 'function' ? everyHead(sha) : everyHead)
  }
}

/** Starts checks on a commit beside those that it has. One that needs what is not there before it never shows. */
export function started(
  sha: string,
  checks: readonly Check[],
  { known, firstId, now }: { known: readonly StartedCheck[]; firstId: number; now: number },
): StartedCheck[] {
  return checks.map(start)

  function start(check: Check, at: number): StartedCheck {
    const { kind, name, app = ACTIONS, takesMs = 0, waits = false, needs = [] } = check
    const suite = kind === 'suite' ? name : (check.suite ?? '')
    const appearsAt =
      Math.max(now, ...needs.map((name) => endOf(name, at))) +
      (check.appearsAfterMs ?? (needs.length > 0 ? NEEDS_MS : 0))
    // What is skipped ends without a start.
    const queueMs = Math.min(takesMs, check.startsAfterMs ?? Math.min(LONGEST_QUEUE_MS, takesMs / 4))
    return {
      ...check,
      ...(waits && { queuedAs: 'waiting' as const }),
      app,
      sha,
      id: firstId + at,
      suiteId: hash('suite', sha, app, suite) % 1_000_000_000,
      appearsAt,
      startsAt: waits ? Number.POSITIVE_INFINITY : appearsAt + queueMs,
      endsAt: waits ? Number.POSITIVE_INFINITY : appearsAt + takesMs,
    }
  }

  function endOf(name: string, before: number): number {
    const at = checks.findIndex((check, nth) => nth < before && check.name === name)
    const needed = checks[at]
    const found = needed ? start(needed, at) : known.findLast((check) => check.name === name)
    return found?.endsAt ?? Number.POSITIVE_INFINITY
  }
}

export function statusOf({ queuedAs = 'queued', startsAt, endsAt }: StartedCheck, now: number): Status {
  if (now >= endsAt) return 'completed'
  return now < startsAt ? queuedAs : 'in_progress'
}

/** A commit status as tests see it: '' for what it does not have. */
export interface CommitStatus {
  readonly context: string
  readonly state: string
  readonly description: string
  readonly targetUrl: string
  /** Login. */
  readonly creator: string
  readonly at: string
}

/** Of a status: `pending`, and then how it ended. */
export const stateOf = ({ conclusion = 'success', endsAt }: StartedCheck, now: number): string =>
  now < endsAt ? 'pending' : conclusion

/** The checks of a kind that show, in the order in which they appeared. */
export const shownOf = (checks: readonly StartedCheck[], kind: Check['kind'], now: number): StartedCheck[] =>
  checks
    .filter((check) => (check.kind ?? 'run') === kind && check.appearsAt <= now)
    .sort((a, b) => a.appearsAt - b.appearsAt)

/** Of those of one name and suite the last. */
export function latestOf(checks: readonly StartedCheck[], kind: Check['kind'], now: number): StartedCheck[] {
  // The context of a status does not depend on the case, nor on who sets it.
  const keyOf = ({ name, suiteId }: StartedCheck) =>
    kind === 'status' ? name.toLowerCase() : `${suiteId} ${name}`
  return [...new Map(shownOf(checks, kind, now).map((check) => [keyOf(check), check])).values()]
}

/** A run of a workflow: what GitHub Actions checks in one suite. */
export interface WorkflowRun {
  readonly suite: Suite
  readonly workflow: string
  readonly event: string
  readonly attempt: number
  /** Of its latest attempt. */
  readonly startedAt: number
}

/** That of a suite of GitHub Actions; a check that comes again in its suite is of another attempt. */
export function workflowRunOf(
  checks: readonly StartedCheck[],
  suite: Suite,
  now: number,
): WorkflowRun | undefined {
  if (suite.app !== ACTIONS) return undefined
  const own = shownOf(checks, 'run', now).filter(({ suiteId }) => suiteId === suite.id)
  const again = own.filter((check, at) => own.slice(0, at).some(({ name }) => name === check.name))
  const [first] = own
  return {
    suite,
    workflow: first?.workflow ?? (first?.suite || 'ci'),
    event: first?.event ?? 'pull_request',
    attempt: again.length === 0 ? 1 : 2,
    startedAt: again.at(-1)?.appearsAt ?? suite.createdAt,
  }
}

const GOOD: readonly Conclusion[] = ['success', 'neutral', 'skipped']

/** Whether all checks that show have ended well. A commit without checks is green. */
export const areGreen = (checks: readonly StartedCheck[], now: number): boolean =>
  [...latestOf(checks, 'run', now), ...latestOf(checks, 'status', now)].every(
    ({ endsAt, conclusion = 'success' }) => now >= endsAt && GOOD.includes(conclusion),
  )

export interface Suite {
  readonly id: number
  readonly app: string
  readonly sha: string
  readonly status: Status
  readonly conclusion: Conclusion | null
  /** Its check runs, the latest of each name. */
  readonly runs: readonly StartedCheck[]
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** The worst first. */
const CONCLUSIONS: readonly Conclusion[] = [
  ...(['startup_failure', 'failure', 'timed_out', 'action_required', 'cancelled', 'stale'] as const),
  ...GOOD,
]

/** The suites of a commit that show: each with its first check. */
export function suitesOf(checks: readonly StartedCheck[], now: number): Suite[] {
  const ids = new Set(checks.filter(({ kind }) => kind !== 'status').map(({ suiteId }) => suiteId))
  return [...ids].flatMap((id) => {
    const own = checks.filter(({ kind, suiteId }) => kind !== 'status' && suiteId === id)
    const [first] = own.filter(({ appearsAt }) => appearsAt <= now).sort((a, b) => a.appearsAt - b.appearsAt)
    if (!first) return []
    const runs = latestOf(own, 'run', now)
    const parts = runs.length > 0 ? runs : latestOf(own, 'suite', now)
    const status = suiteStatus(own, runs, parts, now)
    const isOver = status === 'completed'
    const ended = parts.map(({ conclusion = 'success' }) => conclusion)
    const updates = parts.flatMap(({ appearsAt, startsAt, endsAt }) => [appearsAt, startsAt, endsAt])
    return {
      ...{ id, app: first.app, sha: first.sha, runs, status, createdAt: first.appearsAt },
      conclusion: isOver ? (CONCLUSIONS.find((worst) => ended.includes(worst)) ?? 'neutral') : null,
      updatedAt: Math.max(...updates.filter((at) => at <= now)),
    }
  })
}

/** A suite whose runs are still to come is queued; one with a run that needs others goes on until that has ended. */
function suiteStatus(
  own: readonly StartedCheck[],
  runs: readonly StartedCheck[],
  parts: readonly StartedCheck[],
  now: number,
): Status {
  const toCome = own.filter(({ appearsAt }) => appearsAt > now)
  if (runs.length === 0 && toCome.length > 0) return 'queued'
  const statuses = parts.map((part) => statusOf(part, now)).filter((status) => status !== 'completed')
  const [status, ...others] = new Set(statuses)
  if (status === undefined)
    return toCome.some(({ needs = [] }) => needs.length > 0) ? 'in_progress' : 'completed'
  return others.length > 0 || (status === 'queued' && statuses.length < parts.length) ? 'in_progress' : status
}
