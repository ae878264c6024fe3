import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_LENGTH, readerText } from '../../src/analytics/reader-text.ts'
import { processorMs } from '../helpers/processor-time.ts'
import { anyText, runs, textOf } from '../helpers/property.ts'

test.each([
  ['write to jane.doe+docs@example.com, please', 'write to [email], please'],
  ['<JOHN@EXAMPLE.CO.UK>', '<[email]>'],
  ['mailto:a@b.example?x', 'mailto:[email]?x'],
  ['ja\u200bne@exam\u2060ple.com', '[email]'],
  ['an @mention and a@b stay', 'an @mention and a@b stay'],
  ['jose\u0301@example.com', '[email]'],
  ['user@डाटामेल.भारत', '[email]'],
  ['https://a.example/?email=jane%40example.com', 'https://a.example/?email=[email]'],
  ['jane@example。com and jane﹫example.com', '[email] and [email]'],
  ['4111\u20111111\u20111111\u20111111', '[number]'],
  ['card 4111 1111 1111 1111', 'card [number]'],
  ['card 4111:1111*1111·1111, 4111∣1111∣1111∣1111', 'card [number]'],
  ['mail to user@[192.0.2.1]', 'mail to [email]'],
  ['call +49 (0)170 1234 5678', 'call +[number]'],
  ['١٢٣٤٥٦٧٨٩٠١٢', '[number]'],
  ['12345678901 has eleven digits', '12345678901 has eleven digits'],
  ['"john doe"@example.com, please', '[email], please'],
  ['john&#x40;example&period;com, john&amp;#64;example.com', '[email], [email]'],
  ['&quot;john doe&quot;@example.com', '[email]'],
  ['4111&nbsp;1111&#160;1111&#32;1111', '[number]'],
  ['4111 - 1111 -- 1111 -  1111', '[number]'],
  ['use &lt;b&gt; & co', 'use &lt;b&gt; & co'],
  ['version 10.11.12 of 2026-07-01', 'version 10.11.12 of 2026-07-01'],
])('9.3 %j becomes %j', (text, expected) => {
  expect(readerText(text)).toBe(expected)
})

const LETTERS = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3gH5'

// In parts, because a scanner of this repository would take them for real ones.
test.each([
  ['gh', `p_${LETTERS}`],
  ['github', `_pat_${LETTERS}_${LETTERS}`],
  ['AKIA', 'IOSFODNN7EXAMPLE'],
  ['xox', 'b-123456789012-1234567890123-abcDEF'],
  ['sk', `_live_${LETTERS}`],
  ['whsec', `_${LETTERS}`],
  ['sk', `-proj-${LETTERS}-_x`],
  ['glpat', `-${LETTERS}`],
  ['npm', `_${LETTERS}`],
  ['AIza', `Sy${LETTERS}`],
  ['mint', `_${LETTERS}`],
  ['ey', 'JhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc_DEF-123'],
  ['-----BEGIN RSA', ' PRIVATE KEY-----\nMIIE\n+/=\n-----END RSA PRIVATE KEY-----'],
])('9.3 keys and tokens are masked: %s…', (start, rest) => {
  expect(readerText(`I use ${start}${rest} and get a 401`)).toBe('I use [key] and get a 401')
})

test('9.3 a private key that is cut off, and the address of a Slack webhook', () => {
  expect(readerText('-----BEGIN PRIVATE KEY-----\nMIIE')).toBe('[key]')
  expect(readerText(`https://hooks.slack.com/services/T0/B0/${LETTERS}`)).toBe(
    'https://hooks.slack.com/services/[key]',
  )
})

test.each([
  'mint_condition',
  'the eye. eyes',
  'sk_live_ is a prefix',
  'task_test_results',
  'AKIA',
  'npm_package_repository_url',
])('9.3 %j is no key', (text) => {
  expect(readerText(text)).toBe(text)
})

test.each([
  ['\r\nline\rends\u2028of\u2029all\u0085kinds\u0000', 'line\nends\nof\nall\nkinds'],
  ['abc\u202egpj.exe', '[text in another direction]'],
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

test.each([
  ...['a', '1 ', '@', 'a@b.', ' ', '\n', 'a@b ', '"a', '&amp;', 'ey', 'eyaaaaaaaaaaaaaaaaa.', 'mint_'],
  ...['-----BEGIN ', '-----BEGIN PRIVATE KEY-----', 'xoxb-', 'sk-'],
])('9.3 a megabyte of %j takes no time', (piece) => {
  const text = piece.repeat(1_000_000 / piece.length)
  expect(processorMs(() => expect(readerText(text).length).toBeLessThanOrEqual(MAX_LENGTH))).toBeLessThan(
    2000,
  )
})

test('9.3 whatever a reader writes, no address, long number or invisible character is left', () => {
  const pieces = ['jane', '@', '&#64;', '.', 'example', '.com', '1234', '-', ' ', '\u200b', '\u202e', '\n']
  fc.assert(
    fc.property(fc.oneof(textOf(pieces), anyText(1000)), (raw) => {
      const text = readerText(raw)
      expect(text).not.toMatch(/[a-z]@[a-z]+\.[a-z]/)
      expect(text).not.toMatch(/\d{12}/)
      expect(text).not.toMatch(/[\p{Bidi_Control}\p{Co}\u200b\u2028\u2029\ufeff]|(?![\n\t])\p{Cc}/u)
      expect(text.length).toBeLessThanOrEqual(MAX_LENGTH)
      expect(text.isWellFormed()).toBe(true)
    }),
    runs(1000),
  )
})
