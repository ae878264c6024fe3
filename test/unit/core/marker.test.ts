import { expect, test } from 'vitest'
import {
  type Marker,
  type MarkerScope,
  type MarkerState,
  readMarker,
  writeMarker,
} from '../../../src/core/marker.ts'

const scope: MarkerScope = { apiKey: 'test-key', projectId: 'docs', repository: 'octo/app', thread: 12 }
const marker: Marker = {
  key: 'k_-aZ09',
  state: 'reported',
  job: 'j_81f2',
  status: 'completed',
  pr: 'https://github.com/octo/app/pull/77',
  run: '9000001.1',
  until: 1_800_000_000,
  at: 1_795_000_000_000,
  from: 1_795_000_000_001,
  messaged: 1_795_000_000_002,
  asker: 'alice',
  comment: 'issue:123',
  eyes: 5,
}
const written = writeMarker(marker, scope)
const words = 'The docs agent opened a pull request.\n\n'

test('5.1 what is written is read, at the end of any text', () => {
  expect(readMarker(written, scope)).toEqual(marker)
  for (const body of [words + written, `${words}${written}\n`, `${words.repeat(1700)}${written} \r\n\n`]) {
    expect(readMarker(body, scope)).toEqual(marker)
  }
  expect(written).toMatch(/^<!-- [\x21-\x7e]+ -->$/)
  expect(written.length).toBeLessThan(700)
})

const STATES: readonly MarkerState[] = [
  'sending',
  'uncertain',
  'unsent',
  'open',
  'parted',
  'reported',
  'answer',
  'refusal',
  'pointer',
]

test.each(STATES)('5.1 the state %s is kept', (state) => {
  expect(readMarker(writeMarker({ ...marker, state }, scope), scope)).toEqual({ ...marker, state })
})

const ALPHABET = [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  ...':=+/ \n<>!.',
  '\u200b',
  '\0',
]

const places = Array.from(
  written,
  (_, at) => [written.slice(0, at), written[at] ?? '', written.slice(at + 1)] as const,
)
/** Those that are still taken for a marker; one with more text before it is the same marker. */
const taken = (changed: readonly string[]) =>
  changed.filter((text) => !text.endsWith(written) && readMarker(words + text, scope) !== undefined)

test('5.1 with any one character changed it is ignored', () => {
  const changed = places.flatMap(([before, , after]) => ALPHABET.map((other) => before + other + after))
  expect(taken(changed)).toEqual([])
  expect(changed.length).toBe(written.length * ALPHABET.length)
})

test('5.1 with any one character inserted it is ignored', () => {
  expect(taken(places.flatMap(([a, letter, z]) => ALPHABET.map((more) => a + more + letter + z)))).toEqual([])
})

test('5.1 with any one character removed, or any two swapped, it is ignored', () => {
  expect(taken(places.map(([before, , after]) => before + after))).toEqual([])
  expect(taken(places.map(([a, letter, z]) => a + z.slice(0, 1) + letter + z.slice(1)))).toEqual([])
})

test('5.1 the letter case of any one character counts', () => {
  const turned = (letter: string) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
  expect(taken(places.map(([a, letter, z]) => a + turned(letter) + z))).toEqual([])
})

test('5.1 cut short anywhere, it is ignored', () => {
  expect(taken(places.map(([before]) => before))).toEqual([])
})

test.each([
  ['thread', { thread: 13 }],
  ['thread', { thread: 1 }],
  ['repository', { repository: 'octo/docs' }],
  ['owner', { repository: 'evil/app' }],
  ['project', { projectId: 'docs2' }],
  ['project', { projectId: '' }],
  ['key', { apiKey: 'test-key-2' }],
  ['key', { apiKey: '' }],
])('5.1 in another %s it is ignored: %j', (_, other) => {
  expect(readMarker(words + written, { ...scope, ...other })).toBeUndefined()
})

test('5.1 the parts of what it is bound to cannot be shifted into one another', () => {
  const shifted = writeMarker(marker, { ...scope, repository: 'octo/app1', thread: 2 })
  expect(readMarker(shifted, { ...scope, repository: 'octo/app', thread: 12 })).toBeUndefined()
  const quoted = writeMarker(marker, { ...scope, repository: 'octo/app","12' })
  expect(readMarker(quoted, scope)).toBeUndefined()
})

test('5.1 a repository is the same in any letter case, as on GitHub', () => {
  expect(readMarker(written, { ...scope, repository: 'Octo/App' })).toEqual(marker)
})

test.each([
  ['text behind it', `${written} more`],
  ['a character behind it', `${written}.`],
  ['a zero-width character behind it', `${written}\u200b`],
  ['a fence around it', `\`\`\`\n${written}\n\`\`\``],
  ['another comment behind it', `${written}<!-- x -->`],
])('5.1 it counts at the end only: %s', (_, body) => {
  expect(readMarker(words + body, scope)).toBeUndefined()
})

test('5.1 of two, the last one counts', () => {
  const later = writeMarker({ ...marker, job: 'j_2' }, scope)
  expect(readMarker(`${written}\n${later}`, scope)?.job).toBe('j_2')
  const forged = written.replace(/.{5} -->$/, 'AAAAA -->')
  expect(readMarker(`${written}\n${forged}`, scope)).toBeUndefined()
})

test.each(['2', '10', '01', '0', '9999', '1000000'])(
  '5.1 version %s is ignored, not failed on',
  (version) => {
    expect(readMarker(written.replace(':1:', `:${version}:`), scope)).toBeUndefined()
    expect(readMarker(`<!-- docs-agent:${version}:anything else:here -->`, scope)).toBeUndefined()
  },
)

/** Work that grew with the square of the length would outlast the time limit of a test by far. */
test.each([
  '<!-- docs-agent:1:',
  '<!-- docs-agent:1:A',
  ' ',
  ' -->',
  `<!-- docs-agent:1:${'A'.repeat(3000)}`,
])('5.1 a hostile end of a comment is not too much: %j', (part) => {
  const end = part.repeat(500_000 / part.length)
  expect(readMarker(end, scope)).toBeUndefined()
  expect(readMarker(`${written}${end}.`, scope)).toBeUndefined()
})

test('5.1 a state that another release knows is ignored, though its HMAC holds', () => {
  const later = writeMarker({ ...marker, state: 'later' as MarkerState }, scope)
  expect(readMarker(later, scope)).toBeUndefined()
})

test('5.1 what version 1 has written in threads is read by every release to come', () => {
  const old = [
    '<!-- docs-agent:1:eyJrIjoiayIsInMiOiJyZXBvcnRlZCIsImoiOiJqXzgxZjIiLCJ0IjoiY29tcGxldGVkIiwicCI6IiIsIn',
    'IiOiIxLjEiLCJ1IjowLCJhIjoxLCJmIjoxLCJtIjowLCJ3IjoiYWxpY2UiLCJjIjoiIiwiZSI6MH0:3vtIO56I7T2s68aJ80PYHU',
    'l3pSjteKwzMNcHO0ED3SM -->',
  ]
  expect(readMarker(old.join(''), scope)).toMatchObject({
    job: 'j_81f2',
    state: 'reported',
    asker: 'alice',
    at: 1,
  })
})
