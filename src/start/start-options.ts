import type { Trigger } from '../event/trigger.ts'
import { type Command, isWordAlone } from '../prompt/command.ts'
import type { Asked } from '../prompt/material.ts'

export interface StartOptions extends Asked {
  /** The person used the command, so hears of a denial (contract 3.3). */
  readonly tellsOfDenial: boolean
  /** The text of the reference files; '' for none. */
  readonly references: string
  /** On the monotonic clock, in ms: nothing is sent later. */
  readonly deadline: number
}

/** The line comments of a review are not read yet. */
export function mayAskAgent(command: Command, { comment }: Trigger): boolean {
  if (command.kind === 'input' || command.kind === 'prompt') return true
  return isWordAlone(command) && comment?.kind === 'submitted-review'
}
