import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCommand } from '../../src/prompt/command.ts'
import { runs, textOf } from '../helpers/property.ts'

/** Contract 3.1 line by line: the first that is not blank begins with the command, and white space or nothing follows. */
function promptOf(body: string, command: string): string | undefined {
  const lines = body.split('\r\n').join('\n').split('\n')
  const first = lines.findIndex((line) => line.trim() !== '')
  const [line = '', ...further] = first < 0 ? [] : lines.slice(first)
  const [word = ''] = line.split(/\s/)
  if (word.toLowerCase() !== command.toLowerCase()) return undefined
  return [line.slice(word.length), ...further].join('\n').trim()
}

const COMMANDS = ['/docs', '/Docs', 'docs', '@docs-agent', '.', '\\d+', '/größe', '$&', 'İ']
const PIECES = [
  ...COMMANDS,
  ...COMMANDS.map((command) => command.toUpperCase()),
  ...['\n', '\r\n', '\r', ' ', '\t', '\u00a0', '\u2028', '\u200b', '\ufeff', '> ', '`', 'x', 'word'],
  ...['new', 'NEW ', 'help', 'status', 'Help\n', ' status', '/docs-x', 'new new '],
]

const said = fc.record({
  command: fc.constantFrom(...COMMANDS),
  before: textOf(['\n', '\r\n', ' ', '\t', '\n\n', 'x', '> '], 4),
  body: textOf(PIECES, 8),
})
const commented = fc.oneof(
  said.map(({ command, body }) => ({ command, body })),
  said.map(({ command, before, body }) => ({ command, body: before + command + body })),
)

test('3.1 a comment is a command exactly if its first line with text begins with the word', () => {
  fc.assert(
    fc.property(commented, ({ body, command }) => {
      const parsed = parseCommand(body, command)
      expect(parsed === undefined).toBe(promptOf(body, command) === undefined)
    }),
    runs(2000),
  )
})

test('3.1, 3.2 everything behind the command is the prompt, but for help, status and new', () => {
  fc.assert(
    fc.property(commented, ({ body, command }) => {
      const prompt = promptOf(body, command)
      if (prompt === undefined) return
      const word = prompt.toLowerCase()
      const fresh = /^new\s/i.test(prompt)
      expect(parseCommand(body, command)).toEqual(
        word === '' || word === 'help' || word === 'new'
          ? { kind: 'help' }
          : word === 'status'
            ? { kind: 'status' }
            : { kind: 'prompt', fresh, prompt: fresh ? prompt.slice('new'.length).trim() : prompt },
      )
    }),
    runs(2000),
  )
})
