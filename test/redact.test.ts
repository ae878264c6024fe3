import { describe, expect, test } from 'vitest'
import { redact } from '../src/redact.ts'

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
    ['as decimal entities', each((c) => `&#${codeOf(c)};`)],
    ['as hexadecimal entities', each((c) => `&#x00${codeOf(c).toString(16)};`)],
    ['as named entities', KEY.replace('&', '&amp;').replace('"', '&quot;')],
    ['split by white space', each((c) => `${c} `).trimEnd()],
    ['split by lines in JSON', each((c) => `${c}\\n`).slice(0, -2)],
    ['split by zero-width characters', each((c) => `${c}\u200b`).slice(0, -1)],
    ['split by soft hyphens', KEY.replace('_', '_\u00ad')],
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

  test('and the rest of the text stays', () => {
    const text = 'mint a "B" / c + d & 9, %6d, &#109; and bWludA=='
    expect(redact(text, [KEY])).toBe(text)
  })
})
