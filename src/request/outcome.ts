import type { ErrorReason } from '../errors.ts'
import type { Job } from './job.ts'
import type { Reported } from './record.ts'

export const REACTIONS = ['eyes', 'rocket', '+1', 'confused'] as const
export type Reaction = (typeof REACTIONS)[number]

/** How the step and its comment show an outcome (contract 2.1, 5.3). */
interface Appearance {
  readonly level: 'error' | 'warning' | 'info'
  /** Undefined where the `eyes` stay, because the job goes on. */
  readonly reaction: Exclude<Reaction, 'eyes'> | undefined
}

/** How a run can end (contract 2), in the order of the README's table. */
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
  'bot',
  'agent-pull-request',
  'permission-denied',
  'missing-secret',
  'pull-request-open',
  'pull-request-closed',
  'job-active',
  'no-changes',
  'dry-run',
  'help',
  'status',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

export type Reason = SkipReason | ErrorReason | ''

export interface Ending {
  readonly outcome: Outcome
  readonly reason: Reason
  /** For `error` and some `skipped`: what failed, why, and the next step; inline Markdown, at most three sentences. */
  readonly message: string
}

export const ending = (outcome: Outcome, reason: Reason = '', message = ''): Ending => ({
  outcome,
  reason,
  message,
})

export type JobAction = 'created' | 'continued' | 'resumed' | 'none'

export type OnTimeout = 'fail' | 'warn'

interface StatusRow {
  /** Undefined while the job works. */
  readonly outcome: (job: Pick<Job, 'prLink'>) => Outcome | undefined
  /** The agent did what the request asked for: no later request asks for it again. */
  readonly isDone: boolean
  /** The job takes no more messages, so the next request starts a new one. */
  readonly isClosed: boolean
}

const STATUSES = {
  active: { outcome: () => undefined, isDone: false, isClosed: false },
  completed: {
    outcome: ({ prLink }) => (prLink === '' ? 'no-pull-request' : 'pull-request'),
    isDone: true,
    isClosed: false,
  },
  archived: { outcome: () => 'archived', isDone: false, isClosed: true },
  failed: { outcome: () => 'failed', isDone: false, isClosed: false },
} as const satisfies Record<string, StatusRow>

export const isKnownStatus = (status: string): status is keyof typeof STATUSES =>
  Object.hasOwn(STATUSES, status)

/** The outcome of the job, or undefined while it works. A status that this version does not know is not terminal. */
export const outcomeOf = (job: Pick<Job, 'status' | 'prLink'>): Outcome | undefined =>
  isKnownStatus(job.status) ? STATUSES[job.status].outcome(job) : undefined

/** The agent works on the last message. */
export const isActive = ({ status }: Pick<Job, 'status'>): boolean =>
  isKnownStatus(status) && !isTerminal(status)

export const isDone = ({ status }: Pick<Job, 'status'>): boolean =>
  isKnownStatus(status) && STATUSES[status].isDone

export const isClosed = ({ status }: Pick<Job, 'status'>): boolean =>
  isKnownStatus(status) && STATUSES[status].isClosed

/** What becomes of the checks of a pull request changes nothing of it (4.12). */
export const reportedOutcome = ({ job, checks }: Pick<Reported, 'job' | 'checks'>): Outcome | undefined =>
  checks === undefined ? outcomeOf(job) : 'pull-request'

const JOB_OUTCOMES: Readonly<
  Record<NonNullable<ReturnType<(typeof STATUSES)[keyof typeof STATUSES]['outcome']>>, true>
> = { 'pull-request': true, 'no-pull-request': true, archived: true, failed: true }

export const isJobOutcome = (outcome: Outcome): boolean => Object.hasOwn(JOB_OUTCOMES, outcome)

export const isTerminal = (status: string): boolean => outcomeOf({ status, prLink: '' }) !== undefined

/** @param onTimeout a time-out that only warns keeps its reaction: the reaction shows the job, not the step */
export function appearanceOf(outcome: Outcome, reason: Reason, onTimeout: OnTimeout = 'fail'): Appearance {
  const warns = reason === 'missing-secret' || (outcome === 'timed-out' && onTimeout === 'warn')
  return warns ? { ...APPEARANCES[outcome], level: 'warning' } : APPEARANCES[outcome]
}
