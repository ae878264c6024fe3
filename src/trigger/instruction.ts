import { readFile, realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { BadInput } from '../core/errors.ts'
import { code } from '../core/text.ts'
import type { Inputs } from '../inputs/inputs.ts'
import type { Command } from './command.ts'

const MAX_CHARACTERS = 200_000

/**
 * What the agent is asked to do, from the comment, the input or the file.
 * @throws {BadInput} where there is nothing, or no readable file
 */
export async function instructionOf(
  command: Command | 'input',
  inputs: Inputs,
  workspace: string,
): Promise<string> {
  if (command !== 'input') return command.kind === 'prompt' ? command.prompt : ''
  const { prompt, promptFile } = inputs
  if (promptFile !== undefined) return await readPromptFile(promptFile, workspace)
  if (prompt !== undefined) return limited('prompt', prompt)
  throw new BadInput(
    'prompt',
    'is missing, and this event has no comment to take it from',
    'Say what the agent should do in `prompt` or `prompt-file`.',
  )
}

async function readPromptFile(file: string, workspace: string): Promise<string> {
  const refuse = (fault: string, cause?: unknown): never => {
    throw new BadInput('prompt-file', `(${code(file, 100)}) ${fault}`, REMEDY, { cause })
  }
  const [root, path] = await Promise.all([realpath(workspace), realpath(resolve(workspace, file))]).catch(
    (cause) => refuse('is not there', cause),
  )
  const inside = relative(root, path)
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    return refuse('lies outside the workspace')
  const bytes = await readFile(path).catch((cause) => refuse('cannot be read', cause))
  try {
    const prompt = new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim()
    return prompt === '' ? refuse('is empty') : limited('prompt-file', prompt)
  } catch (error) {
    return error instanceof BadInput ? Promise.reject(error) : refuse('is not UTF-8', error)
  }
}

const REMEDY =
  'Name a UTF-8 text file by its path in the workspace; a workflow that reads one checks it out or writes it first.'

function limited(input: string, prompt: string): string {
  if (prompt.length <= MAX_CHARACTERS) return prompt
  throw new BadInput(
    input,
    `has ${prompt.length.toLocaleString('en-US')} characters`,
    `Keep it under ${MAX_CHARACTERS.toLocaleString('en-US')}.`,
  )
}
