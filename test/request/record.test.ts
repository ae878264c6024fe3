import { expect, test } from 'vitest'
import {
  type ActionRecord,
  carriesRecord,
  isRequestRecord,
  parseRecord,
  RECORD_VERSION,
  type SigningContext,
  signRecord,
  verifyRecord,
} from '../../src/request/record.ts'
import { type RecordFields, recordOf, withJob } from './helpers.ts'

const context: SigningContext = { apiKey: 'test-key', projectId: 'docs', repositoryId: 4242, thread: 12 }
const record: ActionRecord = recordOf({
  key: 'k_-aZ09',
  state: 'detached',
  ...withJob('j_81f2', 'https://github.com/octo/app/pull/77', 'active'),
  messagedAt: 1_795_000_000_002,
  waitsUntil: 1_800_000_000_000,
  run: '9000001.1',
  writtenAt: 1_795_000_000_000,
  requestedAt: 1_795_000_000_001,
  requestedBy: 'alice',
  command: '@docs-agent',
  comment: 'issue:123',
  eyes: 5,
  finish: { preview: true, reviewers: ['bob', 'octo/writers'], labels: ['docs', 'größe'] },
  coversUntil: 1_794_000_000_000,
})
const written = signRecord(record, context)
const words = 'The docs agent opened a pull request.\n\n'

test('5.1 what is written is read, at the end of any text', () => {
  expect(verifyRecord(written, context)).toEqual(record)
  for (const body of [words + written, `${words}${written}\n`, `${words.repeat(1700)}${written} \r\n\n`]) {
    expect(verifyRecord(body, context)).toEqual(record)
    expect(carriesRecord(body)).toBe(true)
  }
  expect(written).toMatch(/^<!-- [\x21-\x7e]+ -->$/)
  expect(written.length).toBeLessThan(1200)
})

const FIELDS: readonly RecordFields[] = [
  { state: 'received' },
  { state: 'sending', jobId: '' },
  { state: 'sending', jobId: 'j_1' },
  { state: 'unknown', jobId: 'j_1' },
  { state: 'notSent' },
  { state: 'answered' },
  { state: 'running', ...withJob('j_1', '', 'active'), waitsUntil: 5, messagedAt: 6 },
  { state: 'detached', ...withJob('j_1') },
  { state: 'reported', ...withJob('j_1', 'https://github.com/octo/app/pull/77') },
  { state: 'refusal' },
  { state: 'link', ...withJob('j_1') },
  { state: 'tracking' },
]
const THREAD_STATES = ['refusal', 'link', 'tracking']

test.each(FIELDS)('5.1 the state $state is kept', (fields) => {
  const original = recordOf(fields)
  const read = verifyRecord(signRecord(original, context), context)
  expect(read).toMatchObject(original)
  expect(read !== undefined && isRequestRecord(read)).toBe(!THREAD_STATES.includes(fields.state))
})

const short = signRecord(recordOf({ state: 'answered' }), context)

const ALPHABET = [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  ...':=+/ \n<>!.',
  '\u200b',
  '\0',
]

const places = Array.from(
  short,
  (_, at) => [short.slice(0, at), short[at] ?? '', short.slice(at + 1)] as const,
)
/** Those that are still taken for a record; one with more text before it is the same record. */
const taken = (changed: readonly string[]) =>
  changed.filter((text) => !text.endsWith(short) && verifyRecord(words + text, context) !== undefined)

test('5.1 with any one character changed it is ignored', () => {
  const changed = places.flatMap(([before, , after]) => ALPHABET.map((other) => before + other + after))
  expect(taken(changed)).toEqual([])
  expect(changed.length).toBe(short.length * ALPHABET.length)
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

test.each<readonly [string, Partial<SigningContext>]>([
  ['thread', { thread: 13 }],
  ['thread', { thread: 1 }],
  ['repository', { repositoryId: 4243 }],
  ['repository', { repositoryId: 0 }],
  ['project', { projectId: 'docs2' }],
  ['project', { projectId: '' }],
  ['key', { apiKey: 'test-key-2' }],
  ['key', { apiKey: '' }],
])('5.1 in another %s it is ignored: %j', (_, other) => {
  expect(verifyRecord(words + written, { ...context, ...other })).toBeUndefined()
})

test('5.1 the name of the repository is no part of it, so a renamed one keeps its memory', () => {
  const renamed: SigningContext & { repository: string } = { ...context, repository: 'octo/renamed' }
  expect(verifyRecord(words + written, renamed)).toEqual(record)
})

test('5.1 the parts of what it is bound to cannot be shifted into one another', () => {
  const shifted = signRecord(record, { ...context, repositoryId: 42421, thread: 2 })
  expect(verifyRecord(shifted, { ...context, repositoryId: 4242, thread: 12 })).toBeUndefined()
  const quoted = signRecord(record, { ...context, thread: 1, projectId: '2,"docs' })
  expect(verifyRecord(quoted, { ...context, thread: 12 })).toBeUndefined()
})

test.each([
  ['text behind it', `${written} more`],
  ['a character behind it', `${written}.`],
  ['a zero-width character behind it', `${written}\u200b`],
  ['a fence around it', `\`\`\`\n${written}\n\`\`\``],
  ['another comment behind it', `${written}<!-- x -->`],
])('5.1 it counts at the end only: %s', (_, body) => {
  expect(verifyRecord(words + body, context)).toBeUndefined()
})

test('5.1 of two, the last one counts', () => {
  const later = signRecord(recordOf({ state: 'reported', ...withJob('j_2') }), context)
  expect(verifyRecord(`${written}\n${later}`, context)).toMatchObject({ job: { id: 'j_2' } })
  const forged = written.replace(/.{5} -->$/, 'AAAAA -->')
  expect(verifyRecord(`${written}\n${forged}`, context)).toBeUndefined()
})

test.each(['1', '3', '20', '02', '0', '9999'])(
  '5.1 version %s is ignored, and still tells a bot',
  (version) => {
    const other = written.replace(':2:', `:${version}:`)
    expect(verifyRecord(other, context)).toBeUndefined()
    expect(verifyRecord(`<!-- docs-agent:${version}:anything else:here -->`, context)).toBeUndefined()
    expect(carriesRecord(other)).toBe(true)
  },
)

/** Work that grew with the square of the length would outlast the time limit of a test by far. */
test.each([
  `<!-- docs-agent:${RECORD_VERSION}:`,
  `<!-- docs-agent:${RECORD_VERSION}:A`,
  ' ',
  ' -->',
  `<!-- docs-agent:${RECORD_VERSION}:${'A'.repeat(3000)}`,
])('5.1 a hostile end of a comment is not too much: %j', (part) => {
  const end = part.repeat(500_000 / part.length)
  expect(verifyRecord(end, context)).toBeUndefined()
  expect(verifyRecord(`${written}${end}.`, context)).toBeUndefined()
})

test.each([
  ['a state that another release knows', { ...record, state: 'later' }],
  ['a state of every object', { ...record, state: 'constructor' }],
  ['no state', { ...record, state: undefined }],
  ['a job state without a job', { ...record, job: undefined }],
  ['a job without an id', { ...record, job: { status: 'active' } }],
  ['a list', [record]],
])('5.1 %s is ignored, though its HMAC holds', (_, payload) => {
  expect(verifyRecord(signRecord(payload as unknown as ActionRecord, context), context)).toBeUndefined()
})

test('5.1 fields of an older release that are missing or of another type count as empty', () => {
  const old = {
    state: 'running',
    job: { id: 'j_1' },
    writtenAt: '7',
    finish: null,
    eyes: -1,
    coversUntil: 1.5,
  }
  expect(parseRecord(JSON.stringify(old))).toEqual({
    ...{ key: '', run: '', requestedAt: 0, requestedBy: '', command: '', comment: '', coversUntil: 0 },
    ...{ finish: { preview: false, reviewers: [], labels: [] }, writtenAt: 0, eyes: 0 },
    ...{ state: 'running', ...withJob('j_1', '', '') },
  })
})

test('6.2 what the main step saves is read by the post step', () => {
  expect(parseRecord(JSON.stringify(record))).toEqual(record)
  for (const saved of ['', 'null', '{}', '[]', '"received"', '{"state":1}'])
    expect(parseRecord(saved)).toBeUndefined()
})

test('5.1 what this version has written in threads is read by every release to come', () => {
  const old = [
    '<!-- docs-agent:2:eyJzdGF0ZSI6InJlcG9ydGVkIiwia2V5IjoiayIsInJ1biI6IjEuMSIsInJlcXVlc3RlZEF0IjoxLCJyZX',
    'F1ZXN0ZWRCeSI6ImFsaWNlIiwiY29tbWFuZCI6Ii9kb2NzIiwiY29tbWVudCI6IiIsImZpbmlzaCI6eyJwcmV2aWV3IjpmYWxzZS',
    'wicmV2aWV3ZXJzIjpbXSwibGFiZWxzIjpbXX0sImNvdmVyc1VudGlsIjowLCJ3cml0dGVuQXQiOjEsImV5ZXMiOjAsIm1lc3NhZ2',
    'VkQXQiOjAsIndhaXRzVW50aWwiOjAsImpvYiI6eyJpZCI6ImpfODFmMiIsInN0YXR1cyI6ImNvbXBsZXRlZCIsInByTGluayI6Ii',
    'IsInVudXNhYmxlTGluayI6ZmFsc2UsIm1vZGVsIjoiIiwicmVwb3NpdG9yeSI6IiIsInJlZiI6IiIsImNyZWF0ZWRBdCI6IiIsIm',
    'FyY2hpdmVkQXQiOiIifX0:SkW33NYusY4CcJDg1t6FGK2EU77MLEQZe_Sdgwj-6Rg -->',
  ].join('')
  expect(verifyRecord(old, context)).toMatchObject({
    state: 'reported',
    job: { id: 'j_81f2' },
    requestedBy: 'alice',
  })
})
