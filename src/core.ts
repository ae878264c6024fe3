import * as toolkit from '@actions/core'
import { messageOf } from './errors.ts'
import { logLine } from './text.ts'

/**
 * The part of `@actions/core` that the action uses, by its names. Lines of the log cannot become workflow commands, and
 * a command file that cannot be written does not end the step.
 */
export interface Core {
  /** The input without white space around it, '' where it is not given. */
  getInput(name: string): string
  /** What the main step saved for the post step, '' where it saved nothing. */
  getState(name: string): string
  setSecret(secret: string): void
  info(line: string): void
  debug(message: string): void
  warning(message: string): void
  error(message: string): void
  /** An error annotation; the step ends red. */
  setFailed(message: string): void
  isDebug(): boolean
  setOutput(name: string, value: string): void
  saveState(name: string, value: string): void
  /** Adds Markdown to the step summary. */
  addSummary(markdown: string): Promise<void>
}

/** `core.info` prints a line that begins with `::` as it is, and the runner obeys it. */
const info = (line: string): void => toolkit.info(logLine(line))

/** `core.setOutput` and `core.saveState` throw where their file is missing; the rest of the report must still come. */
function tolerant(write: (name: string, value: string) => void): (name: string, value: string) => void {
  return (name, value) => {
    try {
      write(name, value)
    } catch (error) {
      info(`${name} could not be written (${messageOf(error)}).`)
    }
  }
}

export const core: Core = {
  getInput: (name) => toolkit.getInput(name),
  getState: (name) => toolkit.getState(name),
  setSecret: (secret) => toolkit.setSecret(secret),
  info,
  debug: (message) => toolkit.debug(message),
  warning: (message) => toolkit.warning(message),
  error: (message) => toolkit.error(message),
  setFailed: (message) => toolkit.setFailed(message),
  isDebug: () => toolkit.isDebug(),
  setOutput: tolerant(toolkit.setOutput),
  saveState: tolerant(toolkit.saveState),
  async addSummary(markdown) {
    try {
      await toolkit.summary.addRaw(markdown).write()
    } catch (error) {
      info(`The step summary could not be written (${messageOf(error)}).`)
    }
  },
}
