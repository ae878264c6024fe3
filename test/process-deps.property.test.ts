import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { parseCommand } from '../emulator/runner/workflow-commands.ts'
import { core, processDeps } from '../src/process-deps.ts'
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

// It listens for signals.
const { sleep } = processDeps({})

test.each([-1, -86_400_000, Number.NEGATIVE_INFINITY, 2 ** 31, Number.POSITIVE_INFINITY])(
  "6.3 a pause of %s ms is none of Node's warnings, and ends by its signal",
  async (ms) => {
    const warned: string[] = []
    const listen = ({ name }: Error) => warned.push(name)
    process.on('warning', listen)
    const ends = new AbortController()
    const pause = sleep(ms, ends.signal).catch(() => undefined)
    if (ms > 0) ends.abort()
    await pause
    // Node warns in a later turn.
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', listen)
    expect(warned).toEqual([])
  },
)
