import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ChangeTexts, textsOfChange, textsOfMerged } from '../../src/prompt/change-texts.ts'
import { fitPatches, fitRest } from '../../src/prompt/fit-patches.ts'
import { anyText, runs, textOf } from '../helpers/property.ts'

const line = textOf(
  [
    '+',
    '-',
    ' ',
    '@@',
    '@@ -1 +1 @@ f()',
    '\\',
    '\n',
    'maxAge',
    'max_age',
    '--max-age',
    'word',
    '…',
    '\u202e',
  ],
  8,
)
const patch = fc
  .array(fc.oneof({ weight: 9, arbitrary: line }, anyText(600)), { maxLength: 40 })
  .map((lines) => lines.join('\n'))
const path = fc.oneof(fc.constantFrom('src/a.ts', 'test/a.ts', 'yarn.lock', 'b.md'), anyText(300))
const files = fc.array(fc.record({ path, patch }), { maxLength: 12 })
const room = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 6000 }))

test('a digest is never over its room, and the same for the same files', () => {
  fc.assert(
    fc.property(files, room, (files, room) => {
      const digest = fitPatches(files, room)
      expect(digest.text.length).toBeLessThanOrEqual(room)
      expect(digest).toEqual(fitPatches(files, room))
    }),
    runs(1000),
  )
})

test('what it lacks is counted: each changed line is there, or left out', () => {
  const shown = (text: string) => text.match(/^[+-](?!-- )/gm)?.length ?? 0
  const lines = fc.array(fc.constantFrom('+maxAge', '+max_age', '-word', '+', ' same', '+x'.repeat(20)), {
    maxLength: 60,
  })
  const real = fc.array(fc.record({ path: fc.constantFrom('a.ts', 'test/b.ts'), lines }), { maxLength: 8 })
  fc.assert(
    fc.property(real, room, (real, room) => {
      const files = real.map(({ path, lines }) => ({ path, patch: ['@@ -1 +1 @@', ...lines].join('\n') }))
      const { text, lines: missing } = fitPatches(files, room)
      const all = real.flatMap(({ lines }) => lines).filter((line) => line !== ' same')
      expect(shown(text) + missing).toBe(all.length)
    }),
    runs(500),
  )
})

test('the rest of a digest is within its room, and holds no line that went', () => {
  const own = fc.uniqueArray(fc.integer({ min: 0, max: 500 }), { maxLength: 60 })
  const many = fc.array(fc.record({ path: fc.constantFrom('a.ts', 'test/b.ts'), own }), { maxLength: 6 })
  fc.assert(
    fc.property(many, room, room, (many, before, room) => {
      const files = many.map(({ path, own }, at) => ({
        path: `${at}/${path}`,
        patch: ['@@ -1 +1 @@', ...own.map((n) => `+field${at}_${n}`)].join('\n'),
      }))
      const linesIn = (text: string): readonly string[] => text.match(/^\+.*$/gm) ?? []
      const went = fitPatches(files, before)
      const rest = fitRest(files, before, room)
      expect(rest.text.length).toBeLessThanOrEqual(room)
      expect(linesIn(rest.text).filter((line) => linesIn(went.text).includes(line))).toEqual([])
      expect(linesIn(rest.text).length + rest.lines).toBe(went.lines)
    }),
    runs(300),
  )
})

test('description, list and patches of a change, or of several, stay within their room', () => {
  const changed = fc.record({
    description: anyText(400),
    files: fc.array(
      fc.record({
        ...{ path, patch, earlierPath: fc.constantFrom('', 'old.ts'), status: fc.constant('modified') },
        ...{ additions: fc.nat(9), deletions: fc.nat(9), sha: fc.constant('') },
      }),
      { maxLength: 8 },
    ),
    total: fc.constantFrom(undefined, 0, 3000),
  })
  const lengthOf = ({ description, list, patches }: ChangeTexts) =>
    description.length + list.length + patches.length
  fc.assert(
    fc.property(fc.array(changed, { maxLength: 5 }), room, (changes, room) => {
      const all = textsOfMerged(changes, room).map(lengthOf)
      expect(all.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(room)
      for (const one of changes) expect(lengthOf(textsOfChange(one, room))).toBeLessThanOrEqual(room)
    }),
    runs(500),
  )
})
