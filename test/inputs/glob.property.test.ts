import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileGlob, faultOf } from '../../src/inputs/paths.ts'
import { anyText, runs, textOf } from '../helpers/property.ts'

/** What each piece of a pattern means, as a regular expression. */
const PIECES: Readonly<Record<string, string>> = {
  a: 'a',
  b: 'b',
  '/': '/',
  '.': '\\.',
  'a?': 'a?',
  'b+': 'b+',
  '[ab]': '[ab]',
  '[a-z]+': '[a-z]+',
  '\\[': '\\[',
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
  .array(fc.constantFrom('a', 'b', '/', '.', '[', 'z', 'aa', 'a/'), { maxLength: 8 })
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

test('what has no fault compiles, and matches its own text where that has no signs', () => {
  const signs = ['*', '**', '?', '+', '[', ']', '[a-z]', '\\', '\\[', '/', '{a,b}', 'a', '-', '!', "'", '🙂']
  fc.assert(
    fc.property(fc.oneof(textOf(signs), anyText()), (pattern) => {
      if (faultOf(pattern) !== undefined) return
      const isMatch = compileGlob(pattern)(pattern)
      if (!/[*?+[\]\\]/.test(pattern)) expect(isMatch).toBe(true)
    }),
    runs(2000),
  )
})
