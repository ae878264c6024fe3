import { mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test, vi } from 'vitest'
import { parseFileCommands } from '../../emulator/runner/file-commands.ts'
import { parseCommand } from '../../emulator/runner/workflow-commands.ts'
import { runnerOf } from '../../src/runner/runner.ts'
import { runs, textOf } from './check.ts'

const folder = mkdtempSync(join(tmpdir(), 'runner-'))
afterAll(() => rmSync(folder, { recursive: true }))
const [output, state] = ['output', 'state'].map((name) => join(folder, name)) as [string, string]
const runner = runnerOf({ GITHUB_OUTPUT: output, GITHUB_STATE: state })

const values = textOf(
  [
    '\n',
    '\r\n',
    '\r',
    'END',
    '_',
    'END_',
    '<<',
    'END<<END',
    '=',
    'name=evil',
    'job-id<<END\n',
    '\nEND\n',
    '\ufeff',
    '\0',
    ' ',
  ],
  12,
).map((value) => value.toWellFormed())
const pairs = fc.array(fc.tuple(fc.constantFrom('job-id', 'status', 'result', 'x'), values), {
  minLength: 1,
  maxLength: 5,
})

test('2 every output and state comes back as it was, and no other name is set', () => {
  fc.assert(
    fc.property(pairs, (written) => {
      for (const [name, value] of written) {
        runner.output(name, value)
        runner.saveState(name, value)
      }
      for (const file of [output, state]) {
        expect(parseFileCommands(readFileSync(file, 'utf8'))).toEqual(new Map(written))
        truncateSync(file)
      }
    }),
    runs(300),
  )
})

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
    ['\n', '\r', '\r\n', ' ', '\t', '\v', '\u0085', '\u00a0', '\u2028', '\ufeff', '\u200b', '%0A', '%'],
  ),
  14,
)

test('2.4 a line of the log is one line, and the runner obeys none', () => {
  fc.assert(
    fc.property(lines, (line) => {
      const shown = printed(() => runner.log(line))
      expect(shown).toHaveLength(1)
      expect(shown.map((text) => parseCommand(text))).toEqual([undefined])
    }),
    runs(1000),
  )
})

test('2.4 an annotation is the one command that it should be, with its whole message', () => {
  fc.assert(
    fc.property(lines, fc.constantFrom('error', 'warning', 'notice', 'debug'), (message, level) => {
      const shown = printed(() => runner.annotate(level, message))
      expect(shown.map((text) => parseCommand(text))).toEqual([
        { name: level, properties: {}, data: message },
      ])
    }),
    runs(500),
  )
})
