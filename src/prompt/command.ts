import { BadInput } from '../errors.ts'
import type { Inputs } from '../inputs/inputs.ts'
import { readWorkspaceFile } from '../inputs/workspace-file.ts'
import { withoutComments } from '../invisible.ts'
import { code, grouped } from '../text.ts'

export type Command =
  | {
      readonly kind: 'help'
      /** Whether `new` followed the word, where nothing else did: a review may ask in its line comments (3.12). */
      readonly fresh?: boolean
    }
  | { readonly kind: 'status' }
  /** The changes need no documentation, and why: '' for no reason. */
  | { readonly kind: 'skip'; readonly why: string }
  | { readonly kind: 'prompt'; readonly prompt: string /** After `new`. */; readonly fresh: boolean }
  /** The request is that of `prompt` or `prompt-file`. */
  | { readonly kind: 'input' }

/** Nothing follows the command word: a review then asks for what its line comments say. */
export const isWordAlone = (
  command: Command,
): command is { readonly kind: 'help'; readonly fresh: boolean } =>
  command.kind === 'help' && command.fresh !== undefined

/**
 * Reads a comment (contract 3.1, 3.2), less its HTML comments and invisible characters (4.2). `help` and `status` count
 * only alone, so that `/docs help people to migrate` is a prompt; `skip` also before a reason. A bare command asks for help.
 * @returns undefined when the comment is no command
 */
export function parseCommand(body: string, command: string): Command | undefined {
  const text = body.replaceAll('\r\n', '\n').replace(/^(?:[^\S\n]*\n)+/, '')
  const word = text.slice(0, command.length)
  const isWord = /^(\s|$)/.test(text.slice(command.length))
  if (word.toLowerCase() !== command.toLowerCase() || !isWord) return undefined
  const shown = withoutComments(text)
  // A line that an override shows in another order holds a note alone.
  const prompt = (shown.startsWith(word) ? shown.slice(command.length) : shown).trim()
  const alone = prompt.toLowerCase()
  if (alone === 'help') return { kind: 'help' }
  if (alone === '' || alone === 'new') return { kind: 'help', fresh: alone === 'new' }
  if (alone === 'status') return { kind: 'status' }
  if (alone === 'skip') return { kind: 'skip', why: '' }
  const [, why] = /^skip(?:\s*:|\s+because(?=\s|$))(.*)$/is.exec(prompt) ?? []
  if (why !== undefined) return { kind: 'skip', why: why.trim() }
  const [, afterNew] = /^new\s+(.+)/is.exec(prompt) ?? []
  return { kind: 'prompt', prompt: afterNew ?? prompt, fresh: afterNew !== undefined }
}

export const MAX_PROMPT_CHARACTERS = 200_000

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
    const file = readWorkspaceFile('prompt-file', promptFile, workspace, MAX_PROMPT_CHARACTERS)
    const text = file.text.trim()
    if (file.goesOn || text !== '') return limited('prompt-file', text, file.goesOn)
    throw new BadInput('prompt-file', `(${code(promptFile, 100)}) is empty`, 'Write the request into it.')
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
  if (!goesOn && prompt.length <= MAX_PROMPT_CHARACTERS) return prompt
  const fault = goesOn ? 'is too long' : `has ${grouped(prompt.length)} characters`
  throw new BadInput(input, fault, `Keep it under ${grouped(MAX_PROMPT_CHARACTERS)} characters.`)
}
