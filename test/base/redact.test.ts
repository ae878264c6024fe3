import { describe, expect, test } from 'vitest'
import { redact } from '../../src/base/redact.ts'

const KEY = 'mint_a"B/c+d&9'
const each = (spell: (character: string) => string) => Array.from(KEY, spell).join('')
const codeOf = (character: string) => character.charCodeAt(0)

test('2.4 secrets are taken out wherever they are, an empty one is none', () => {
  expect(redact('key test-key and test-key.', ['test-key', ''])).toBe('key *** and ***.')
  expect(redact('a k and a \\u006b', ['k'])).toBe('a *** and a \\u006b')
  expect(redact('abcdef and abcdef2', ['abcdef', 'abcdef2'])).toBe('*** and ***')
})

describe('2.3 a secret that the service spells otherwise', () => {
  test.each([
    ['as JSON', JSON.stringify(KEY).slice(1, -1)],
    [
      'as JSON in JSON',
      JSON.stringify(each((c) => `\\u${codeOf(c).toString(16).padStart(4, '0')}`)).slice(1, -1),
    ],
    ['with JSON escapes', each((c) => `\\u${codeOf(c).toString(16).toUpperCase().padStart(4, '0')}`)],
    ['percent-encoded', encodeURIComponent(KEY)],
    ['percent-encoded all over', each((c) => `%${codeOf(c).toString(16)}`)],
  ])('%s', (_, spelled) => {
    expect(redact(`before ${spelled} after`, [KEY])).toBe('before *** after')
  })

  test.each(['', 'u', 'us', 'user:', 'Authorization: Bearer '])('in base64, behind %j', (before) => {
    for (const after of ['', '\n', ':x', '":"']) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const encoded = Buffer.from(before + KEY + after).toString(encoding)
        const shown = redact(encoded, [KEY])
        expect(shown).toContain('***')
        // What is left decodes to nothing but the ends of the key.
        expect(shown.replace('***', '').length).toBeLessThanOrEqual(
          Math.ceil(((before + after).length * 4) / 3) + 6,
        )
      }
    }
  })

  test('in base64 with its two signs beside letters and digits, in both alphabets', () => {
    const key = 'mint_~~~???>>>'
    const [standard, inUrls] = (['base64', 'base64url'] as const).map((encoding) =>
      Buffer.from(key).toString(encoding),
    )
    expect(standard).toMatch(/\+.*\/|\/.*\+/)
    expect(inUrls).toMatch(/-.*_|_.*-/)
    for (const encoded of [standard, inUrls]) expect(redact(encoded ?? '', [key])).toMatch(/^\*\*\*.{0,3}$/)
  })

  test('and the rest of the text stays', () => {
    const text = 'mint a "B" / c + d & 9, %6d, bWludA==, mint… and "mint_a": "b…'
    expect(redact(text, [KEY])).toBe(text)
  })
})

test('2.3 of a secret within which a text was cut, no part is left', () => {
  const key = 'mint_0123456789abcdef'
  for (const text of [key, `%2F${key}`, Buffer.from(`user:${key}`).toString('base64')]) {
    for (let end = 16; end <= text.length; end += 1) {
      const start = text.slice(0, end)
      const shown = redact(`${start}… and \`${start}…\`\n${start}\n[cut: 7 more characters]`, [key])
      expect(shown).toMatch(/^(.{0,8}\*\*\*.?.?)… and `\1…`\n\1\n\[cut: 7/)
    }
  }
})
