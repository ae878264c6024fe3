/** How a run can end. The order is that of the README's table. */
export const OUTCOMES = [
  'pull-request',
  'no-pull-request',
  'archived',
  'failed',
  'timed-out',
  'cancelled',
  'started',
  'skipped',
  'error',
] as const
export type Outcome = (typeof OUTCOMES)[number]

/** Why nothing was asked of the agent. Always green. */
export const SKIP_REASONS = [
  'not-a-command',
  'not-a-new-comment',
  'bot',
  'agent-pull-request',
  'permission-denied',
  'missing-secret',
  'pull-request-open',
  'job-active',
  'dry-run',
  'help',
  'status',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

/** What went wrong. Always red. */
export const ERROR_REASONS = [
  'bad-input',
  'unauthorized',
  'forbidden',
  'payment-required',
  'job-not-found',
  'rejected',
  'rate-limited',
  'service-unavailable',
  'network',
  'creation-uncertain',
  'bad-response',
  'internal',
] as const
export type ErrorReason = (typeof ERROR_REASONS)[number]

export type Reason = SkipReason | ErrorReason | ''

/** What the run did about a job. */
export type JobAction = 'created' | 'continued' | 'resumed' | 'none'

/** How a time-out is taken (the input `on-timeout`). */
export type OnTimeout = 'fail' | 'warn'

/** Whether the step ends red. */
export function isRed(outcome: Outcome, onTimeout: OnTimeout = 'fail'): boolean {
  return RED.has(outcome) || (outcome === 'timed-out' && onTimeout === 'fail')
}
const RED: ReadonlySet<Outcome> = new Set(['failed', 'error', 'cancelled'])
