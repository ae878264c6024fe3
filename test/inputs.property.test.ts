import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readMetadata } from '../emulator/runner/metadata.ts'
import { BadInput } from '../src/errors.ts'
import { type GetInput, requireKey } from '../src/input-readers.ts'
import { readInputs } from '../src/inputs.ts'
import { readVisitorsInputs } from '../src/visitors/visitors.ts'
import { anyText, runs, textOf } from './helpers/property.ts'

const NAMES = ['action.yml', 'visitors/action.yml']
  .flatMap((file) => readMetadata(file).inputs)
  .map(({ name }) => name)

/** Long enough that no text holds it by chance. */
const keys = fc.stringMatching(/^test-key-[!-~]{10,20}$/)
const oddKeys = fc
  .tuple(keys, fc.constantFrom(' ', '\n', '\t', 'ü', '\u200b', '\0'))
  .map(([key, odd]) => `${key}${odd}${key}`)

const PIECES = [
  ...['`', '. ', '! ', '\n', '\r', '\u2028', '\u202e', '|', '<!--', '@alice', '[a](b)', 'true', '7d', '12'],
]
const WORDS = [
  ...['https://host.example', 'http://127.0.0.1:1', 'https://u:p@host.example', 'docs', '.', '..'],
  ...['1e3', '-1', '0'],
]
const values = fc.oneof(
  anyText(),
  textOf([...PIECES, ...WORDS], 6),
  fc.constantFrom(...WORDS, 'x.csv', 'continue', '2026-07-01', '2026-02-30'),
)
/** Few at a time, or the first that cannot be used would hide all others. */
const given = fc.dictionary(fc.constantFrom(...NAMES), values, { maxKeys: 3 })

function faultOf(inputs: GetInput): BadInput | undefined {
  try {
    requireKey(readInputs(inputs).access)
    readVisitorsInputs(inputs, 1_782_864_000_000)
    return undefined
  } catch (error) {
    if (error instanceof BadInput) return error
    throw error
  }
}

test('1 a bad input is one line of at most three sentences that names it, and never the key', () => {
  fc.assert(
    fc.property(given, fc.oneof(keys, oddKeys), (typed, key) => {
      const all: Readonly<Record<string, string>> = { 'project-id': 'docs', ...typed, 'api-key': key }
      const fault = faultOf((name) => (all[name] ?? '').trim())
      if (fault === undefined) return
      const { message } = fault
      expect(message).toMatch(/^Input `[a-z]+(-[a-z]+)*` /)
      expect(message).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u)
      expect(message).not.toContain(key.slice(0, 19))
      // What is quoted stands in code spans, and says nothing of its own.
      const sentences = message
        .replace(/`[^`]*`/g, '')
        .split(/[.!?](?:\s|$)/)
        .filter((part) => part.trim() !== '')
      expect(sentences.length).toBeLessThanOrEqual(3)
      expect(message.length).toBeLessThan(500)
    }),
    runs(2000),
  )
})
