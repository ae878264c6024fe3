import type { ErrorReason } from './outcome.ts'
import { code } from './text.ts'

/**
 * A failure that people are told about. The message is for them: what failed, why as far as known, and the next
 * step, in at most three sentences, without a secret and without a line break.
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

/** Contract 4.3: what people are told, and have to do, when nobody can know whether the request was processed. */
export const leftOpen = (cause: string): string =>
  `${cause.charAt(0).toUpperCase()}${cause.slice(1)}. Look at the dashboard first; a re-run may start a second job.`

/** The run was told to stop (SIGINT or SIGTERM) while it waited. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** The sentence of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The sentence about a fault of our own; its stack is for those who debug (contract 6.3). */
export function unknownFault(runner: Faulty, error: unknown): string {
  if (runner.debugging && error instanceof Error) runner.annotate('debug', error.stack ?? '')
  return `Something happened that the action does not know how to handle (${code(messageOf(error), 200)}). Please report it, with the log of a run with debug logging.`
}

interface Faulty {
  readonly debugging: boolean
  annotate(level: 'debug', message: string): void
}
