import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_LENGTH, readerText } from '../../src/insights/sources.ts'
import { anyText, runs, textOf } from '../helpers/property.ts'

test.each([
  ['write to jane.doe+docs@example.com, please', 'write to [email], please'],
  ['<JOHN@EXAMPLE.CO.UK>', '<[email]>'],
  ['jürgen@münchen.example', '[email]'],
  ['mailto:a@b.example?x', 'mailto:[email]?x'],
  ['ja\u200bne@exam\u2060ple.com', '[email]'],
  ['an @mention and a@b stay', 'an @mention and a@b stay'],
  ['jose\u0301@example.com', '[email]'],
  ['user@डाटामेल.भारत', '[email]'],
  ['https://a.example/?email=jane%40example.com', 'https://a.example/?email=[email]'],
  ['jane@example。com and jane﹫example.com', '[email] and [email]'],
  ['4111.1111.1111.1111', '[number]'],
  ['4111\u20111111\u20111111\u20111111', '[number]'],
  ['card 4111111111111111', 'card [number]'],
  ['card 4111 1111 1111 1111', 'card [number]'],
  ['card 4111-1111-1111-1111.', 'card [number].'],
  ['call +49 (0)170 1234 5678', 'call +[number]'],
  ['١٢٣٤٥٦٧٨٩٠١٢', '[number]'],
  ['12345678901 has eleven digits', '12345678901 has eleven digits'],
  ['version 10.11.12 of 2026-07-01', 'version 10.11.12 of 2026-07-01'],
])('9.3 %j becomes %j', (text, expected) => {
  expect(readerText(text)).toBe(expected)
})

test.each([
  ['\r\nline\rends\u2028of\u2029all\u0085kinds\u0000', 'line\nends\nof\nall\nkinds'],
  ['abc\u202egpj.exe', 'abcgpj.exe'],
  ['t\u{e0061}\u{e0062}ags\ufe0f', 'tags'],
  ['a  \n\n\n\n  b\t\n', 'a\n\n  b'],
  [' \u200b\n ', ''],
])('9.3 %j becomes %j: visible characters in plain lines', (text, expected) => {
  expect(readerText(text)).toBe(expected)
})

test('9.3 a text is cut after it is masked, so that no part of an address is left', () => {
  const text = readerText(`${'x'.repeat(MAX_LENGTH - 5)} jane.doe@example.com`)
  expect(text).toHaveLength(MAX_LENGTH)
  expect(text).not.toContain('jane')
})

test.each(['a', 'a.', '1 ', '1', '@', 'a@', 'a@b.', ' ', '\n', 'a@b '])(
  '9.3 a megabyte of %j takes no time',
  (piece) => {
    const startedAt = performance.now()
    expect(readerText(piece.repeat(1_000_000 / piece.length)).length).toBeLessThanOrEqual(MAX_LENGTH)
    expect(performance.now() - startedAt).toBeLessThan(2000)
  },
)

test('9.3 whatever a reader writes, no address, long number or invisible character is left', () => {
  const pieces = [
    'jane',
    '@',
    '.',
    'example',
    '.com',
    '1234',
    '-',
    ' ',
    '\u200b',
    '\u202e',
    '\n',
    '\r',
    '\ufe0f',
  ]
  fc.assert(
    fc.property(fc.oneof(textOf(pieces), anyText(2000)), (raw) => {
      const text = readerText(raw)
      expect(text).not.toMatch(/[a-z]@[a-z]+\.[a-z]/)
      expect(text).not.toMatch(/\d{12}/)
      expect(text).not.toMatch(/[\p{Default_Ignorable_Code_Point}\p{Co}\u2028\u2029]|(?![\n\t])\p{Cc}/u)
      expect(text.length).toBeLessThanOrEqual(MAX_LENGTH)
      expect(text.isWellFormed()).toBe(true)
    }),
    runs(2000),
  )
})
