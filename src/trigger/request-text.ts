import { BadInput } from '../errors.ts'
import type { Inputs } from '../inputs.ts'
import { code, grouped } from '../text.ts'
import { readWorkspaceFile } from '../workspace-file.ts'
import type { Command } from './command.ts'

/** Characters of a prompt (contract 1.4). */
export const MAX_PROMPT_CHARACTERS = 200_000

/**
 * The request as the comment, the input or the file has it.
 * @throws {BadInput} where there is none, or no readable file
 */
export function requestText(command: Command | 'input', inputs: Inputs, workspace: string): string {
  if (command !== 'input') return command.kind === 'prompt' ? command.prompt : ''
  const { prompt, promptFile } = inputs
  if (promptFile !== undefined) {
    const text = readWorkspaceFile('prompt-file', promptFile, workspace).trim()
    if (text !== '') return limited('prompt-file', text)
    throw new BadInput('prompt-file', `(${code(promptFile, 100)}) is empty`, 'Write the request into it.')
  }
  if (prompt !== undefined) return limited('prompt', prompt)
  throw new BadInput(
    'prompt',
    'is missing, and this event has no comment to take it from',
    'Say what the agent should do in `prompt` or `prompt-file`.',
  )
}

function limited(input: string, prompt: string): string {
  if (prompt.length <= MAX_PROMPT_CHARACTERS) return prompt
  const fault = `has ${grouped(prompt.length)} characters`
  throw new BadInput(input, fault, `Keep it under ${grouped(MAX_PROMPT_CHARACTERS)}.`)
}
