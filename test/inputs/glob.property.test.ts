import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BadInput } from '../../src/base/errors.ts'
import { compileGlob, isInPaths, readPaths } from '../../src/inputs/paths.ts'
import { anyText, runs, textOf } from '../helpers/property.ts'

/** What each piece of a pattern means, as a regular expression. */
const PIECES: Readonly<Record<string, string>> = {
  a: 'a',
  b: 'b',
  '/': '/',
  '.': '\\.',
  '(': '\\(',
  '*': '[^/]*',
  '**': '.*',
  '/**/': '/(?:.*/)?',
}

/** Pieces that stay apart: stars beside stars are others, and so is `**` with a slash behind it. */
const patterns = fc
  .array(fc.constantFrom(...Object.keys(PIECES)), { minLength: 1, maxLength: 8 })
  .filter((pieces) =>
    pieces.every((piece, at) => {
      const next = pieces[at + 1] ?? ''
      return !(piece.endsWith('*') && /^[*/]/.test(next)) && !(piece.endsWith('/') && next.startsWith('*'))
    }),
  )

const names = fc
  .array(fc.constantFrom('a', 'b', '/', '.', '(', 'z', 'aa', 'a/'), { maxLength: 8 })
  .map((parts) => parts.join(''))

test('a name matches where it matches the same regular expression', () => {
  fc.assert(
    fc.property(patterns, names, (pieces, name) => {
      const expression = new RegExp(`^${pieces.map((piece) => PIECES[piece]).join('')}$`, 's')
      expect(compileGlob(pieces.join(''))(name)).toBe(expression.test(name))
    }),
    runs(10_000),
  )
})

test('each pattern is refused with a remedy, or matches its own text where that has no stars', () => {
  const signs = ['*', '**', '?', '+', '[', ']', '[a-z]', '\\', '\\[', '/', '{a,b}', 'a', '-', '!', "'", '🙂']
  fc.assert(
    fc.property(fc.oneof(textOf(signs), anyText()), (pattern) => {
      try {
        const [line = '', ...more] = pattern.split('\n')
        const filter = readPaths((name) => (name === 'paths' ? line : ''))
        if (filter === undefined || more.length > 0 || line.includes('*')) return
        expect(isInPaths(filter, { path: line.trim(), earlierPath: '' })).toBe(true)
      } catch (error) {
        if (!(error instanceof BadInput)) throw error
        expect(error.message).toMatch(/ (Write|End) /)
      }
    }),
    runs(2000),
  )
})
