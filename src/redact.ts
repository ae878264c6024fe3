/** Removes secrets from what is shown, also where a server echoes them in another spelling (contract 2.3). */

/** A shorter secret is only removed as it is: its other spellings would stand in ordinary text. */
const LEAST_LENGTH = 6

const BETWEEN =
  '(?:[\\s\\u00ad\\u180e\\u200b-\\u200f\\u2060-\\u2064\\ufeff]|\\\\[nrt]|\\\\u(?:00ad|180e|20[06][0-9a-f]|feff)){0,16}'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
}

/** The text with `***` in place of each secret. JSON stays JSON. */
export function redact(text: string, secrets: readonly string[]): string {
  // The longest first: a secret may hold another one.
  const longestFirst = secrets.filter(Boolean).toSorted((a, b) => b.length - a.length)
  return longestFirst.reduce((rest, secret) => rest.replace(knownPattern(secret), '***'), text)
}

/** Each takes longer to make than to use, and a step has two secrets. */
const patterns = new Map<string, RegExp>()

function knownPattern(secret: string): RegExp {
  const pattern = patterns.get(secret) ?? patternOf(secret)
  patterns.set(secret, pattern)
  return pattern
}

function patternOf(secret: string): RegExp {
  if (secret.length < LEAST_LENGTH) return new RegExp(Array.from(secret, literal).join(''), 'g')
  const plain = Array.from(secret, spellings).join(BETWEEN)
  const encoded = base64Cores(secret).map((core) => Array.from(core, base64Spellings).join(BETWEEN))
  return new RegExp([plain, ...encoded].join('|'), 'g')
}

const literal = (character: string): string => character.replace(/[^\w\s]/, '\\$&')

const hexOf = (character: string): string => (character.codePointAt(0) ?? 0).toString(16)

/** A character as it is, percent-encoded, as an HTML entity, or as a JSON escape. Keys and tokens are ASCII. */
function spellings(character: string): string {
  const hex = hexOf(character)
  const anyCase = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
  const named = ENTITIES[character]
  return `(?:${[
    `${/["\\/]/.test(character) ? '\\\\?' : ''}${literal(character)}`,
    `%${anyCase.padStart(2, '0')}`,
    `&#0*${character.codePointAt(0)};?`,
    `&#[xX]0*${anyCase};?`,
    `\\\\{1,2}u${'0'.repeat(Math.max(0, 4 - hex.length))}${anyCase}`,
    ...(named === undefined ? [] : [`&${named};`]),
  ].join('|')})`
}

/** What base64 makes of the secret, wherever it begins in a longer text, without what its neighbours decide. */
function base64Cores(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    const decided = Math.floor(((before + bytes.length) * 8) / 6)
    return encoded.slice(before === 0 ? 0 : before + 1, decided)
  })
}

/** Standard, or safe in URLs; either may be percent-encoded or escaped in JSON. */
function base64Spellings(character: string): string {
  if (character === '+') return '(?:[+-]|%2[bB])'
  if (character === '/') return '(?:\\\\?/|_|%2[fF])'
  return character
}
