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
  'github-unavailable',
  'creation-uncertain',
  'end-uncertain',
  'bad-response',
  'internal',
] as const
export type ErrorReason = (typeof ERROR_REASONS)[number]

/**
 * A failure with a message for people: what failed, why as far as known, and the next step, in at most three
 * sentences of inline Markdown, without a secret and without a line break.
 */
export class ActionError extends Error {
  readonly reason: ErrorReason

  constructor(reason: ErrorReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.reason = reason
  }
}

/** An input that cannot be used: `fault` says what is wrong with the value, `remedy` what to write instead. */
export class BadInput extends ActionError {
  constructor(input: string, fault: string, remedy: string, options?: ErrorOptions) {
    super('bad-input', `Input \`${input}\` ${fault}. ${remedy}`, options)
  }
}

/** Whether the service acted on a create or a message is not known. The message says why, a sentence. */
export class CreationUncertain extends Error {
  override readonly name = 'CreationUncertain'
  /** Of the job that was sent a message; '' for a new one. */
  readonly jobId: string

  constructor(why: string, jobId: string, options?: ErrorOptions) {
    super(why, options)
    this.jobId = jobId
  }
}

/** The runner asked the step to stop (SIGINT or SIGTERM). */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'

  constructor(options?: ErrorOptions) {
    super('the run was cancelled', options)
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A request to GitHub that failed for good; `words/` has the sentences. */
export class GitHubError extends Error {
  override readonly name = 'GitHubError'
  /** `away`: no answer that can be used, for as long as the request was tried. */
  readonly kind: 'refused' | 'away'
  /** Of the last answer; 0 where there was none. */
  readonly httpStatus: number
  /** One short line: what GitHub says, or how the connection broke. */
  readonly detail: string
  readonly triedMs: number
  /** When a limit of the rate ends, in ms since the epoch, where that is known. */
  readonly limitedUntil?: number | undefined
  /** Method and path, such as `POST /repos/{owner}/{repo}/issues`; undefined where no call is known. */
  readonly call?: string | undefined

  constructor(failure: GitHubFailure, options?: ErrorOptions) {
    super(failure.detail, options)
    this.kind = failure.kind
    this.httpStatus = failure.httpStatus
    this.detail = failure.detail
    this.triedMs = failure.triedMs
    this.limitedUntil = failure.limitedUntil
    this.call = failure.call
  }
}

export type GitHubFailure = Omit<GitHubError, keyof Error>

/** @param what an answer that came instead of what was asked for, such as `one that is no list` */
export const unusableAnswer = (what: string) =>
  new GitHubError({ kind: 'away', httpStatus: 200, detail: what, triedMs: 0 })

/** Whether GitHub refused, with one of these statuses where any are named. */
export const isRefused = (error: unknown, ...statuses: readonly number[]): error is GitHubError =>
  error instanceof GitHubError &&
  error.kind === 'refused' &&
  (statuses.length === 0 || statuses.includes(error.httpStatus))

/** What a call gives, or this where GitHub refuses it, with one of these statuses where any are named. @throws what else it throws */
export async function unlessRefused<T, Otherwise>(
  call: Promise<T>,
  otherwise: Otherwise,
  ...statuses: readonly number[]
): Promise<T | Otherwise> {
  return await call.catch((error: unknown) => {
    if (isRefused(error, ...statuses)) return otherwise
    throw error
  })
}

/** Whether GitHub made what it was asked for, and its answer was lost: only that is answered with 201. */
export const isMade = (error: unknown): error is GitHubError =>
  error instanceof GitHubError && error.httpStatus === 201

/**
 * Whether what the request is about is gone for good: an issue that was deleted, transferred or turned into a discussion.
 * For the issues of a repository that has them turned off, GitHub says the same.
 */
export const isGone = (error: unknown): error is GitHubError => isRefused(error, 410)
