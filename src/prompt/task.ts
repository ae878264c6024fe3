import { type Command, isWordAlone } from '../event/command.ts'
import type { Trigger } from '../event/trigger.ts'
import type { RequestOrigin } from '../request/request-key.ts'
import type { PromptSource } from './prompt.ts'

/** What a run is to do, by what, and until when. */
export interface Task extends PromptSource {
  /** The person used the command, so hears of a denial. */
  readonly answersDenial: boolean
  /** The request in the words of the person, or of the inputs. */
  readonly text: string
  /** The text of the reference files; '' for none. */
  readonly references: string
  /** On the monotonic clock, in ms: nothing is sent later. */
  readonly deadline: number
  readonly origin: RequestOrigin
  /** What of the inputs makes two requests of one step differ. */
  readonly distinct: readonly unknown[]
}

/** Whether the command may send something to the agent: the line comments of a review are not read yet. */
export function mayAskAgent(command: Command, { comment }: Pick<Trigger, 'comment'>): boolean {
  if (command.kind === 'input' || command.kind === 'prompt') return true
  return isWordAlone(command) && comment?.kind === 'submitted-review'
}
