import type { Trigger } from '../event/trigger.ts'
import type { Inputs } from '../inputs.ts'
import type { Command } from '../prompt/command.ts'

/** What a run asks of the agent, and how. */
export interface StartOptions {
  readonly inputs: Inputs
  readonly trigger: Trigger
  readonly command: Command | 'input'
  /** The person used the command, so hears of a denial (contract 3.3). */
  readonly tellsOfDenial: boolean
  /** The text of the reference files; '' for none. */
  readonly references: string
  /** On the monotonic clock, in ms: nothing is sent later. */
  readonly deadline: number
}

/** The command alone asks the agent where a review has line comments, which are not read yet. */
export function mayAskAgent(command: Command | 'input', { comment }: Trigger): boolean {
  if (command === 'input' || command.kind === 'prompt') return true
  return command.kind === 'help' && command.fresh !== undefined && comment?.kind === 'submitted-review'
}
