import { ERROR_REASONS, type ErrorReason } from '../base/errors.ts'
import { type Job, namedLink } from './job.ts'

export const REACTIONS = ['eyes', 'rocket', '+1', 'confused'] as const
export type Reaction = (typeof REACTIONS)[number]

/** How the step and its comment show an outcome. */
interface Appearance {
  readonly level: 'error' | 'warning' | 'info'
  /** Undefined where the `eyes` stay: the run does not wait for its job. */
  readonly reaction: Exclude<Reaction, 'eyes'> | undefined
}

/** How a run can end, in the order of docs/contract.md. */
const APPEARANCES = {
  'pull-request': { level: 'info', reaction: 'rocket' },
  'no-pull-request': { level: 'info', reaction: '+1' },
  archived: { level: 'warning', reaction: '+1' },
  failed: { level: 'error', reaction: 'confused' },
  'timed-out': { level: 'error', reaction: 'confused' },
  cancelled: { level: 'error', reaction: 'confused' },
  started: { level: 'info', reaction: undefined },
  skipped: { level: 'info', reaction: '+1' },
  error: { level: 'error', reaction: 'confused' },
} as const satisfies Readonly<Record<string, Appearance>>

export type Outcome = keyof typeof APPEARANCES
export const OUTCOMES = Object.keys(APPEARANCES) as readonly Outcome[]

/** Why the action asked the agent nothing. Always green. */
export const SKIP_REASONS = [
  'not-a-command',
  'not-a-new-comment',
  'comment-gone',
  'bot',
  'agent-pull-request',
  'permission-denied',
  'missing-secret',
  'pull-request-open',
  'pull-request-closed',
  'job-active',
  'no-changes',
  'docs-skipped',
  'ignored',
  'merge-group',
  'daily-limit',
  'dry-run',
  'help',
  'status',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

export type Reason = SkipReason | ErrorReason | ''
export const REASONS: readonly Reason[] = ['', ...SKIP_REASONS, ...ERROR_REASONS]

export interface Ending {
  readonly outcome: Outcome
  readonly reason: Reason
  /** For `error` and some `skipped`: what failed, why, and the next step; inline Markdown, at most three sentences. */
  readonly message: string
}

/** Nothing was asked, and a commit status is an error for it. */
export const failsStatus = ({ outcome, reason }: Pick<Ending, 'outcome' | 'reason'>): boolean =>
  outcome === 'error' || reason === 'daily-limit'

export const ending = (outcome: Outcome, reason: Reason = '', message = ''): Ending => ({
  outcome,
  reason,
  message,
})

export const isSameEnding = (a: Ending, b: Ending | undefined): boolean =>
  a.outcome === b?.outcome && a.reason === b.reason && a.message === b.message

export type JobAction = 'created' | 'continued' | 'resumed' | 'none'

export type OnTimeout = 'fail' | 'warn'

type LinkOf = Pick<Job, 'prLink' | 'isEarlierLink'>

/** Undefined while the job works. */
type OutcomeOf = (job: LinkOf) => Outcome | undefined

const STATUSES = {
  active: () => undefined,
  completed: (job) => (namedLink(job) === '' ? 'no-pull-request' : 'pull-request'),
  archived: () => 'archived',
  failed: () => 'failed',
} as const satisfies Record<string, OutcomeOf>

export const isKnownStatus = (status: string): status is keyof typeof STATUSES =>
  Object.hasOwn(STATUSES, status)

const NO_LINK: LinkOf = { prLink: '', isEarlierLink: false }

/** What tells how a job stands. */
export type StatusOf = Pick<Job, 'status' | 'archivedAt'>

/** The date tells where the status decides nothing. */
const hasArchiveDate = ({ archivedAt }: StatusOf): boolean =>
  /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/.test(archivedAt)

/**
 * The outcome of the job, or undefined while it works. A status that this version does not know is not terminal, unless
 * the job is archived.
 */
export function outcomeOf(job: StatusOf & LinkOf): Outcome | undefined {
  const outcome = isKnownStatus(job.status) ? STATUSES[job.status](job) : undefined
  return outcome ?? (hasArchiveDate(job) ? 'archived' : undefined)
}

/** How a request ends with its job, which has ended. */
export const endingOf = (job: Job): Ending => ending(outcomeOf(job) ?? 'error')

/** The agent works on the last message. */
export const isActive = (job: StatusOf): boolean => isKnownStatus(job.status) && !isTerminal(job)

/** The job takes no more messages, so the next request starts a new one. */
export const isArchived = (job: StatusOf): boolean => outcomeOf({ ...job, ...NO_LINK }) === 'archived'

const JOB_OUTCOMES: ReadonlySet<Outcome> = new Set(['pull-request', 'no-pull-request', 'archived', 'failed'])

export const isJobOutcome = (outcome: Outcome): boolean => JOB_OUTCOMES.has(outcome)

/** The job ended, or is gone. */
export const endsJob = ({ outcome, reason }: Ending): boolean =>
  isJobOutcome(outcome) || reason === 'job-not-found' || reason === 'end-uncertain'

export const isTerminal = (job: StatusOf): boolean => outcomeOf({ ...job, ...NO_LINK }) !== undefined

/** @param onTimeout changes the level of a time-out alone */
export function appearanceOf(outcome: Outcome, reason: Reason, onTimeout: OnTimeout = 'fail'): Appearance {
  const warns = reason === 'missing-secret' || (outcome === 'timed-out' && onTimeout === 'warn')
  if (warns) return { ...APPEARANCES[outcome], level: 'warning' }
  // A person did not get what the comment asks for.
  return reason === 'daily-limit' ? { ...APPEARANCES[outcome], reaction: 'confused' } : APPEARANCES[outcome]
}
