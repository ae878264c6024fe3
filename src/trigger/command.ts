/** What a comment asks of the action. */
export type Command =
  | { readonly kind: 'help' }
  | { readonly kind: 'status' }
  | { readonly kind: 'prompt'; readonly prompt: string /** After `new`. */; readonly fresh: boolean }

/**
 * Reads a comment (contract 3.1, 3.2). Its first line that is not blank must begin, at its first character, with the
 * command as a whole word, in any letter case; everything behind it is the prompt. `help` and `status` count
 * only alone, so that `/docs help people to migrate` is a prompt. A bare command asks for help.
 * @returns undefined when the comment is no command
 */
export function parseCommand(body: string, command: string): Command | undefined {
  const text = body.replaceAll('\r\n', '\n').replace(/^(?:[^\S\n]*\n)+/, '')
  const word = text.slice(0, command.length)
  const rest = text.slice(command.length)
  if (word.toLowerCase() !== command.toLowerCase() || !/^(\s|$)/.test(rest)) return undefined
  const prompt = rest.trim()
  const alone = prompt.toLowerCase()
  if (alone === '' || alone === 'new' || alone === 'help') return { kind: 'help' }
  if (alone === 'status') return { kind: 'status' }
  const [, afterNew] = /^new\s+(.+)/is.exec(prompt) ?? []
  return afterNew === undefined
    ? { kind: 'prompt', prompt, fresh: false }
    : { kind: 'prompt', prompt: afterNew, fresh: true }
}
