import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { parseCommand } from '../emulator/runner/workflow-commands.ts'
import { core } from '../src/process-deps.ts'
import { runs, textOf } from './helpers/property.ts'

/** As the runner reads the log: its lines end at a line feed, a carriage return or both. */
function printed(act: () => void): string[] {
  let text = ''
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk)
    return true
  })
  try {
    act()
  } finally {
    write.mockRestore()
  }
  return text.replace(/\r?\n$/, '').split(/\r\n|\n|\r/)
}

const lines = textOf(
  ['::', ':', '##[', '##', '#', '[', ']', 'error', 'add-mask', 'set-env name=x', 'stop-commands', 'x'].concat(
    ['\n', '\r', '\r\n', ' ', '\t', '\v', '\0', '\u0085', '\u00a0', '\u2028', '\ufeff', '\u200b', '%0A', '%'],
  ),
  14,
)

/** Behind what the runner skips. */
const commands = fc
  .tuple(textOf([' ', '\t', '\v', '\u00a0'], 3), fc.constantFrom('::error::x', '##[error]x', '::debug::x'))
  .map((parts) => parts.join(''))

test('2.4 a line of the log is one line, and the runner obeys none', () => {
  fc.assert(
    fc.property(fc.oneof(lines, commands), (line) => {
      const shown = printed(() => core.info(line))
      expect(shown).toHaveLength(1)
      expect(shown.map((text) => parseCommand(text))).toEqual([undefined])
    }),
    runs(1000),
  )
})
