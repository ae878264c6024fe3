import type { ErrorReason } from './request/outcome.ts'
import { code } from './text.ts'

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
  readonly input: string

  constructor(input: string, fault: string, remedy: string, options?: ErrorOptions) {
    super('bad-input', `Input \`${input}\` ${fault}. ${remedy}`, options)
    this.input = input
  }
}

/** The service may or may not have acted on a create or a message, and the action cannot find out (contract 4.3). */
export class CreationUncertain extends ActionError {
  /** @param fault a sentence without its full stop */
  constructor(fault: string, options?: ErrorOptions) {
    const sentence = `${fault}. Look at the dashboard first; a re-run may start a second job.`
    super('creation-uncertain', sentence, options)
  }
}

/** The runner asked the step to stop (SIGINT or SIGTERM). */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'

  constructor(options?: ErrorOptions) {
    super('the run was cancelled', options)
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The sentence about a bug of the action itself; its stack goes to the debug log only (contract 6.3). */
export function unexpectedError(
  core: { isDebug(): boolean; debug(message: string): void },
  error: unknown,
): string {
  if (core.isDebug() && error instanceof Error) core.debug(error.stack ?? '')
  return `Unexpected error (${code(messageOf(error), 200)}). Please report it, with the log of a run with debug logging.`
}
