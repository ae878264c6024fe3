import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutCredentials } from '../../src/link.ts'
import { commitVerdictOf } from '../../src/messages/commit-verdict.ts'
import { CHECKS_STATUSES } from '../../src/request/check-state.ts'
import type { Job } from '../../src/request/job.ts'
import { ending, OUTCOMES, REASONS } from '../../src/request/outcome.ts'
import { type ActionRecord, PARTS, parseRecord } from '../../src/request/record.ts'
import {
  carriesRecord,
  RECORD_VERSION,
  type SigningContext,
  signRecord,
  verifyRecord,
} from '../../src/request/signed-record.ts'
import { anyText, runs, textOf } from '../helpers/property.ts'
import { recordOf, reportedWith, withJob } from './helpers.ts'

const word = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.toWellFormed())
const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).map((text) => text.toWellFormed())
const whole = fc.nat({ max: Number.MAX_SAFE_INTEGER })

const links = fc.oneof(
  fc.constant(''),
  fc.webUrl({ validSchemes: ['https'] }).map((url) => new URL(url).href),
)

const jobs: fc.Arbitrary<Job> = fc.record({
  ...{
    id: name,
    status: word,
    prLink: links,
    isEarlierLink: fc.boolean(),
    unusableLink: fc.boolean(),
    model: word,
  },
  ...{ repository: word.map(withoutCredentials), ref: word, createdAt: word, archivedAt: word },
})
const checks = fc.record({
  status: fc.constantFrom(...CHECKS_STATUSES),
  sentFor: fc.array(name),
  messagedAt: whole,
})
const end = {
  ending: fc.record({
    outcome: fc.constantFrom(...OUTCOMES),
    reason: fc.constantFrom(...REASONS),
    message: word,
  }),
  openParts: fc.subarray([...PARTS]),
}
const note = fc.record(
  { job: word, pullRequest: fc.constantFrom('merged', 'unreadable') },
  { requiredKeys: [] },
)
const withTurn = { job: jobs, note, messagedAt: whole, wasBusy: fc.boolean() }
const states = fc.oneof(
  fc.record({ state: fc.constantFrom('refusal', 'tracking') }),
  fc.record({ state: fc.constantFrom('idle', 'notSent'), ...end }, { requiredKeys: ['state', 'openParts'] }),
  fc.record(
    { state: fc.constantFrom('sending', 'unknown'), jobId: word, ...end },
    { requiredKeys: ['state', 'jobId', 'openParts'] },
  ),
  fc.record(
    { state: fc.constant('running'), ...withTurn, ...end },
    { requiredKeys: ['state', 'job', 'note', 'messagedAt', 'wasBusy', 'openParts'] },
  ),
  fc.record(
    {
      ...{ state: fc.constant('reported'), ...withTurn, checks },
      ...{ isLinked: fc.boolean(), ...end },
    },
    { requiredKeys: ['state', 'job', 'note', 'messagedAt', 'wasBusy', 'openParts', 'isLinked'] },
  ),
  fc.record({ state: fc.constant('link'), job: jobs }),
  fc.record({ state: fc.constant('docs-skipped'), why: word }),
)
const records = fc
  .record({
    ...{ key: word, textDigest: word, origin: word, run: word, round: whole },
    ...{ requestedAt: whole, requestedBy: word },
    ...{ command: word, comment: word, coversUntil: whole, writtenAt: whole, waitsMs: whole },
    ...{ merged: fc.array(whole.map((at) => at || 1)), tracking: fc.boolean(), authors: fc.array(name) },
    settings: fc.record({ preview: fc.boolean(), reviewers: fc.array(name), labels: fc.array(name) }),
    commitStatus: fc.record({ name: word, sha: word }),
    head: fc.record({ sha: word, digest: word, step: word }),
    saysCodeEnd: fc.boolean(),
  })
  .chain((identity) => states.map((state) => ({ ...identity, ...state }) as ActionRecord))
const contexts: fc.Arbitrary<SigningContext> = fc.record({
  keys: fc.array(fc.stringMatching(/^[!-~]{1,40}$/), { minLength: 1, maxLength: 2 }),
  projectId: fc.stringMatching(/^[!-~]{1,40}$/),
  repositoryId: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  thread: fc.integer({ min: 1, max: 2 ** 31 }),
})

test('5.1 what is written is read, at the end of any text', () => {
  const blank = fc.stringMatching(/^\s{0,5}$/)
  fc.assert(
    fc.property(records, contexts, anyText(), blank, (record, context, text, end) => {
      const body = `${text}\n${signRecord(record, context)}${end}`
      for (const keys of [context.keys, ['another', ...context.keys]]) {
        expect(verifyRecord(body, { ...context, keys })).toEqual(record)
      }
      expect(carriesRecord(body)).toBe(true)
    }),
    runs(200),
  )
})

test('5.1 the longest record that the inputs and the service allow is read, too', () => {
  const field = '頁'.repeat(300)
  const job = {
    ...{
      id: 'j'.repeat(200),
      status: field,
      prLink: 'https://docs.example.com/'.padEnd(2000, 'l'),
      isEarlierLink: false,
      unusableLink: false,
      model: field,
    },
    ...{ repository: field, ref: field, createdAt: field, archivedAt: field },
  }
  const longest = recordOf({
    textDigest: 't'.repeat(22),
    settings: {
      preview: true,
      reviewers: Array.from({ length: 20 }, (_, at) => `${'o'.repeat(50)}/${at}`.padEnd(151, 't')),
      labels: Array.from({ length: 20 }, (_, at) => `${at}`.padEnd(50, '頁')),
    },
    round: 1000,
    command: '頁'.repeat(50),
    commitStatus: { name: '頁'.repeat(255), sha: 'a'.repeat(40) },
    authors: Array.from({ length: 6 }, (_, at) => `${at}`.padEnd(100, 'a')),
    head: { sha: 'a'.repeat(40), digest: 'd'.repeat(22), step: 's'.repeat(22) },
    saysCodeEnd: true,
    merged: Array.from({ length: 500 }, (_, at) => 2_000_000_000 + at),
    note: { job: field, pullRequest: 'unreadable' },
    ...{ state: 'reported', job, messagedAt: 1, wasBusy: true, openParts: [...PARTS], isLinked: true },
    ending: { outcome: 'no-pull-request', reason: 'creation-uncertain', message: '頁'.repeat(1000) },
    checks: {
      status: 'failure',
      sentFor: Array.from({ length: 5 }, () => 'a'.repeat(40)),
      messagedAt: 1,
      hadAny: true,
    },
  })
  expect(verifyRecord(signRecord(longest, context), context)).toEqual(longest)
})

test('5.6 a message is kept as far as a comment has it in full', () => {
  const message = `${'x'.repeat(999)}👍`
  const json = JSON.stringify(recordOf({ state: 'idle', ending: ending('error', 'network', message) }))
  expect(parseRecord(json)).toMatchObject({ ending: { message: `${'x'.repeat(999)}\ufffd` } })
})

test('5.1 a record of another key, project, repository or thread does not count', () => {
  const fields = fc.constantFrom('keys', 'projectId', 'repositoryId', 'thread')
  fc.assert(
    fc.property(records, contexts, contexts, fields, (record, context, other, field) => {
      fc.pre(context[field] !== other[field] && !context.keys.some((key) => other.keys.includes(key)))
      expect(verifyRecord(signRecord(record, { ...context, [field]: other[field] }), context)).toBeUndefined()
    }),
    runs(200),
  )
})

test('5.1 a record with one character changed, added or taken out does not count', () => {
  const edits = fc.record({
    at: fc.nat({ max: 2000 }),
    taken: fc.nat({ max: 2 }),
    added: fc.oneof(fc.stringMatching(/^[\w=:.+/-]{0,2}$/), fc.string({ unit: 'binary', maxLength: 2 })),
  })
  fc.assert(
    fc.property(records, contexts, edits, (record, context, { at, taken, added }) => {
      const original = signRecord(record, context)
      const place = at % original.length
      const edited = original.slice(0, place) + added + original.slice(place + taken)
      // What is added before or behind it is text of the comment, no change of the record.
      fc.pre(!edited.trimEnd().endsWith(original))
      expect(verifyRecord(edited, context)).toBeUndefined()
    }),
    runs(500),
  )
})

test('5.1 text around or behind a record never makes two of one, nor something else of it', () => {
  const pieces = ['<!-- ', `docs-agent:${RECORD_VERSION}:`, 'e30', ':', 'A'.repeat(43), ' -->', '\n', ' ']
  fc.assert(
    fc.property(records, contexts, textOf(pieces), textOf(pieces), (record, context, before, behind) => {
      const body = `${before}${signRecord(record, context)}${behind}`
      expect(verifyRecord(body, context)).toEqual(behind.trim() === '' ? record : undefined)
    }),
    runs(300),
  )
})

const context: SigningContext = { keys: ['test-key'], projectId: 'docs', repositoryId: 4242, thread: 12 }
const record = recordOf({ ...reportedWith('j_81f2', 'https://github.com/octo/app/pull/77') })
const written = signRecord(record, context)

test('5.1 not even the bits that base64 does not use can vary', () => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const ends = [...letters].map((letter) => written.replace(/. -->$/, `${letter} -->`))
  expect(ends.filter((other) => verifyRecord(other, context) !== undefined)).toEqual([written])
})

test('5.1 the parts of what it is bound to cannot be shifted into one another', () => {
  const shifted = signRecord(record, { ...context, repositoryId: 42421, thread: 2 })
  expect(verifyRecord(shifted, { ...context, repositoryId: 4242, thread: 12 })).toBeUndefined()
  const quoted = signRecord(record, { ...context, thread: 1, projectId: '2,"docs' })
  expect(verifyRecord(quoted, { ...context, thread: 12 })).toBeUndefined()
})

test.each(['1', '3', '20', '02', '0', '9999'])(
  '5.1 version %s is ignored, and still tells a bot',
  (version) => {
    const other = written.replace(':2:', `:${version}:`)
    expect(verifyRecord(other, context)).toBeUndefined()
    expect(carriesRecord(other)).toBe(true)
  },
)

/** Work that grew with the square of the length would outlast the time limit of a test by far. */
test.each([
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

const END = { outcome: 'no-pull-request', reason: '', message: '' } as const
const REPORTED = recordOf({ ...reportedWith('j'), ending: END, openParts: ['labels', 'status'] })
const SETTINGS = { preview: false, reviewers: [], labels: [] }
const FAR_AHEAD = Date.UTC(2100, 0, 1)

test.each<[string, object, object]>([
  ['a field', { later: { deep: [1] } }, {}],
  ['a part', { openParts: ['labels', 'later', 'status'] }, {}],
  ['an outcome', { ending: { ...END, outcome: 'later' } }, { ending: undefined }],
  ['a reason', { ending: { ...END, reason: 'later' } }, {}],
  ['a status of checks', { checks: { status: 'later', sentFor: [], messagedAt: 0 } }, { checks: undefined }],
  ['a setting', { settings: { ...SETTINGS, later: true } }, {}],
  ['a time far ahead', { writtenAt: FAR_AHEAD }, { writtenAt: FAR_AHEAD }],
])('5.1 a record of a later version, with %s, is read as far as it goes', (_, later, read) => {
  const known = parseRecord(JSON.stringify(REPORTED))
  expect(known).toMatchObject({ state: 'reported', openParts: ['labels', 'status'] })
  const signed = signRecord({ ...REPORTED, ...later } as ActionRecord, context)
  expect(verifyRecord(signed, context)).toEqual({ ...known, ...read })
})

test('5.1 a record that is cut off is none, wherever the cut is', () => {
  const signed = signRecord(REPORTED, context)
  for (let length = 0; length < signed.length; length++)
    expect(verifyRecord(signed.slice(0, length), context)).toBeUndefined()
  const json = JSON.stringify(REPORTED)
  for (let length = 0; length < json.length; length++)
    expect(parseRecord(json.slice(0, length))).toBeUndefined()
})

test('5.1 fields of another release that are missing or of another type count as empty', () => {
  const odd = { state: 'running', job: { id: 'j_1' }, writtenAt: '7', settings: null, coversUntil: 1.5 }
  expect(parseRecord(JSON.stringify(odd))).toEqual({
    ...{ key: '', textDigest: '', origin: '', run: '', round: 0 },
    ...{ requestedAt: 0, requestedBy: '', command: '', comment: '' },
    ...{ settings: { preview: false, reviewers: [], labels: [] }, coversUntil: 0, writtenAt: 0 },
    commitStatus: { name: '', sha: '' },
    head: { sha: '', digest: '', step: '' },
    saysCodeEnd: false,
    ...{ merged: [], authors: [], tracking: false, waitsMs: 0 },
    ...{ state: 'running', openParts: [], ...withJob('j_1', '', '') },
  })
  for (const saved of ['', 'null', '{}', '[]', '"idle"', '{"state":1}'])
    expect(parseRecord(saved)).toBeUndefined()
})

test.each(['nonsense', 'http://github.com/octo/docs/pull/7', 'https://a:b@github.com/octo/docs/pull/7'])(
  '2.2 a link that cannot be used is none, and its status has words: %s',
  (prLink) => {
    const job = { ...reportedWith('j').job, prLink }
    const read = parseRecord(JSON.stringify(recordOf({ ...reportedWith('j'), job })))
    expect(read).toMatchObject({ job: { prLink: '' } })
    for (const outcome of ['pull-request', 'no-pull-request', 'failed', 'archived', 'error'] as const) {
      const verdict = commitVerdictOf({ outcome, reason: '', command: '/docs', job: { ...job, prLink: '' } })
      expect(verdict?.description).toMatch(/\w/)
    }
    const open = {
      outcome: 'skipped',
      reason: 'pull-request-open',
      command: '/docs',
      job: { ...job, prLink: '' },
    } as const
    expect(commitVerdictOf(open)).toMatchObject({ state: 'success', link: '' })
  },
)

test('2.2 the repository of an earlier release loses its credentials', () => {
  const reported = reportedWith('j')
  const kept = { ...reported.job, repository: 'https://x:ghs_secret@github.com/octo/docs' }
  const record = recordOf({ ...reported, job: kept })
  expect(parseRecord(JSON.stringify(record))).toMatchObject({
    job: { repository: 'https://github.com/octo/docs' },
  })
})
