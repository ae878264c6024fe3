import { BadInput } from '../base/errors.ts'
import { codeSpan, grouped } from '../base/text.ts'
import { type AnsweredCommand, type Command, isAnswered, isWordAlone } from '../event/command.ts'
import type { Trigger } from '../event/trigger.ts'
import type { ReviewComment } from '../github/answers.ts'
import type { Inputs } from '../inputs/inputs.ts'
import { readWorkspaceFile } from '../inputs/workspace-file.ts'
import type { RequestSource } from '../record/request-identity.ts'
import { BUDGETS } from './budgets.ts'
import type { Section } from './parts.ts'

/** The review of a line comment that asks for it. */
export interface ReviewOfLine {
  /** In ms since the epoch. */
  readonly submittedAt: number
  /** All of its line comments, without their lines, the oldest first. */
  readonly comments: readonly ReviewComment[]
}

/** What a run is asked, and by what. */
export interface PromptSource {
  readonly inputs: Inputs
  readonly trigger: Trigger
  readonly command: Command
  /** Of a line comment: the review that it asks for. */
  readonly review?: ReviewOfLine | undefined
}

/** A tag that is pushed is about what was merged until then, whatever it brings itself. */
export const isTagOfMerges = ({ inputs, trigger }: Pick<PromptSource, 'inputs' | 'trigger'>): boolean =>
  inputs.changesSince !== undefined && trigger.push?.branch === ''

/** What a run is to do, by what, and until when. */
export interface Task extends PromptSource {
  /** The person used the command, so hears of a denial. */
  readonly usedCommand: boolean
  /** The request in the words of the person, or of the inputs. */
  readonly text: string
  /** The texts of the reference files. */
  readonly references: readonly Section[]
  /** On the monotonic clock, in ms: nothing is sent later. */
  readonly deadline: number
  readonly source: RequestSource
  /** What of the inputs makes two requests of one step differ. */
  readonly distinguishing: readonly unknown[]
}

/** Whether the command sends nothing to the agent. What the line comments of a review say is not known yet. */
export const asksNothing = (
  command: Command,
  { comment }: Pick<Trigger, 'comment'>,
): command is AnsweredCommand =>
  isAnswered(command) && !(isWordAlone(command) && comment !== undefined && comment.kind !== 'issue')

/**
 * The request as the comment, the input or the file has it.
 * @throws {BadInput} where there is none, or no readable file
 */
export function requestText(
  command: Command,
  { prompt, promptFile }: Pick<Inputs, 'prompt' | 'promptFile'>,
  workspace: string,
): string {
  if (command.kind !== 'input') return command.kind === 'prompt' ? command.prompt : ''
  if (promptFile !== undefined) {
    const file = readWorkspaceFile('prompt-file', promptFile, workspace, BUDGETS.prompt)
    // GitHub stores comments with these line ends: a comment that is looked for after a lost answer must be the same.
    const text = file.text.replace(/\r\n?/g, '\n').trim()
    if (file.goesOn || text !== '') return limited('prompt-file', text, file.goesOn)
    throw new BadInput('prompt-file', `(${codeSpan(promptFile, 100)}) is empty`, 'Write the request into it.')
  }
  if (prompt !== undefined) return limited('prompt', prompt)
  throw new BadInput(
    'prompt',
    'is missing, and the action takes no request from this event',
    'Say what the agent should do in `prompt` or `prompt-file`.',
  )
}

/** @param goesOn whether the file has more than was read */
function limited(input: string, prompt: string, goesOn = false): string {
  if (!goesOn && prompt.length <= BUDGETS.prompt) return prompt
  const fault = goesOn ? 'is too long' : `has ${grouped(prompt.length)} characters`
  throw new BadInput(input, fault, `Keep it under ${grouped(BUDGETS.prompt)} characters.`)
}
