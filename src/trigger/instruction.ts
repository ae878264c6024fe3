import { readFileSync, realpathSync } from 'node:fs'
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
export function instructionOf(command: Command | 'input', inputs: Inputs, workspace: string): string {
  if (command !== 'input') return command.kind === 'prompt' ? command.prompt : ''
  const { prompt, promptFile } = inputs
  if (promptFile !== undefined) return readPromptFile(promptFile, workspace)
  if (prompt !== undefined) return limited('prompt', prompt)
  throw new BadInput(
    'prompt',
    'is missing, and this event has no comment to take it from',
    'Say what the agent should do in `prompt` or `prompt-file`.',
  )
}

function readPromptFile(file: string, workspace: string): string {
  const refuse = (fault: string, cause?: unknown): never => {
    throw new BadInput('prompt-file', `(${code(file, 100)}) ${fault}`, REMEDY, { cause })
  }
  const orRefuse = <T>(fault: string, act: () => T): T => {
    try {
      return act()
    } catch (cause) {
      return refuse(fault, cause)
    }
  }
  const root = orRefuse('is not there', () => realpathSync(workspace))
  const path = orRefuse('is not there', () => realpathSync(resolve(workspace, file)))
  const inside = relative(root, path)
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    return refuse('lies outside the workspace')
  }
  const bytes = orRefuse('cannot be read', () => readFileSync(path))
  const prompt = orRefuse('is not UTF-8', () =>
    new TextDecoder('utf-8', { fatal: true }).decode(bytes).trim(),
  )
  return prompt === '' ? refuse('is empty') : limited('prompt-file', prompt)
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
