import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CHECKS_STATUSES } from '../../src/record/check-results.ts'
import { OUTCOMES, REASONS } from '../../src/record/outcome.ts'
import {
  type ActionRecord,
  bounded,
  identityOf,
  isRequestRecord,
  parseRecord,
  stateOf,
} from '../../src/record/record.ts'
import {
  carriesRecord,
  lastRecord,
  RECORD_VERSION,
  type SigningScope,
  sign,
  signingKey,
  signRecord,
} from '../../src/record/signed-record.ts'
import { type Ended, noteEffects } from '../../src/record/states.ts'
import { commitVerdictOf } from '../../src/words/commit-verdict.ts'
import { anyText, runs, textOf } from '../helpers/property.ts'
import { verifyRecord } from '../helpers/verify-record.ts'
import { endedWith, IDENTITY, recordOf, withJob } from './helpers.ts'

const word = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.toWellFormed())
const whole = fc.nat({ max: Number.MAX_SAFE_INTEGER })
const jobs = fc.record({ id: fc.stringMatching(/^[!-~]{1,60}$/), status: word, model: word })
const ends = fc.record({
  outcome: fc.constantFrom(...OUTCOMES),
  reason: fc.constantFrom(...REASONS),
  message: word,
})
const checks = fc.record({
  status: fc.constantFrom(...CHECKS_STATUSES),
  sentFor: fc.array(word),
  messagedAt: whole,
})
const states = fc.oneof(
  fc.record({ state: fc.constantFrom('refusal', 'tracking', 'idle') }),
  fc.record({ state: fc.constant('closed'), ending: ends, effectsDone: fc.boolean() }),
  fc.record({ state: fc.constant('sending'), to: jobs }),
  fc.record({ state: fc.constant('running'), job: jobs, messagedAt: whole, wasBusy: fc.boolean() }),
  fc.record({ state: fc.constant('ended'), job: jobs, ending: ends, effectsDone: fc.boolean(), checks }),
  fc.record({ state: fc.constant('backlink'), job: jobs, thread: whole }),
)
const records = fc
  .record({
    ...{
      requestDigest: word,
      attemptsDigest: word,
      attempt: word,
      requestedAt: whole,
      requestedBy: word,
      writtenAt: whole,
    },
    ...{ command: word, comment: word, coversUntil: whole, leaseMs: whole, merged: fc.array(whole) },
    settings: fc.record({ reviewers: fc.array(word), labels: fc.array(word) }),
    commitStatus: fc.record({ name: word, sha: word }),
    reviewersSetOn: fc.array(word),
  })
  .chain((identity) => states.map((state) => bounded({ ...IDENTITY, ...identity, ...state } as ActionRecord)))
const contexts: fc.Arbitrary<SigningScope> = fc.record({
  key: fc.stringMatching(/^[!-~]{16,40}$/).map(signingKey),
  projectId: fc.stringMatching(/^[!-~]{1,40}$/),
  repositoryId: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  thread: fc.integer({ min: 1, max: 2 ** 31 }),
})

test('5.1 what is written is read, at the end of any text', () => {
  const blank = fc.stringMatching(/^\s{0,5}$/)
  fc.assert(
    fc.property(records, contexts, anyText(), blank, (record, context, text, end) => {
      const body = `${text}\n${signRecord(record, context)}${end}`
      expect(verifyRecord(body, context)).toEqual(record)
      expect(carriesRecord(body)).toBe(true)
    }),
    runs(200),
  )
})

/** Each text and list as long as it can be, in this character. */
function longest(one: string) {
  const text = one.repeat(3000)
  const texts = Array.from({ length: 600 }, (_, at) => `${at}${one.repeat(30)}`)
  const wholes = Array.from({ length: 600 }, (_, at) => Number.MAX_SAFE_INTEGER - at)
  const numbers = wholes.map((_, at) => 2 ** 31 - 1 - at)
  const asks = (kind: string) => wholes.map((_, at) => `${at}`.padStart(8, '0') + kind)
  const job = {
    ...{ id: 'j'.repeat(200), status: one.repeat(10), prLink: `https://e.org/${'l'.repeat(280)}` },
    ...{ isEarlierLink: false, unusableLink: false, model: one.repeat(30), repository: one.repeat(65) },
    ...{ ref: one.repeat(80), createdAt: one.repeat(10), archivedAt: one.repeat(10) },
  }
  const digest = 'd'.repeat(22)
  const sha = 'a'.repeat(64)
  const shas = texts.map((_, at) => `${at}`.padEnd(64, 'a'))
  const record = {
    ...{
      requestDigest: digest,
      attemptsDigest: digest,
      attempt: '9'.repeat(40),
      requestedAt: wholes[0],
      command: one.repeat(50),
    },
    ...{ requestedBy: 'a'.repeat(60), comment: 'c'.repeat(40), coversUntil: wholes[0], merged: numbers },
    settings: {
      ...{ watchesChecks: false },
      reviewers: texts.map((_, at) => `${at}`.padEnd(121, 'r')),
      labels: texts.map((_, at) => `${at}`.padEnd(50, one)),
    },
    commitStatus: { name: one.repeat(255), sha },
    head: { sha, digest, workflowStep: digest },
    authors: texts.map((_, at) => `${at}`.padEnd(45, 'a')),
    paths: 'p'.repeat(400),
    asks: asks('a'),
    ...{
      tracking: false,
      writtenAt: wholes[0],
      leaseMs: wholes[0],
      state: 'ended',
      job,
      effectsDone: false,
    },
    ...{ note: { job: one.repeat(13), pullRequest: 'unreadable', isEarlierInDoubt: true } },
    ...{ messagedAt: wholes[0], wasBusy: false, headBefore: sha },
    ending: { outcome: 'no-pull-request', reason: 'pull-request-closed', message: text },
    checks: { status: 'unavailable', sentFor: shas, messagedAt: wholes[0], isWatched: false, hadAny: false },
    reviewersSetOn: texts.map(() => 'l'.repeat(200)),
    rest: { more: one.repeat(3000) },
  }
  return record as unknown as ActionRecord
}

test.each(['頁', 'a', '"', '👍', '\u0001'])(
  '5.1 no record exceeds 20,000 characters, with every longest value in %j',
  (one) => {
    const written = signRecord(longest(one), context)
    expect(written.length).toBeLessThanOrEqual(20_000)
    expect(verifyRecord(written, context)).toEqual(bounded(longest(one)))
  },
)

test('5.1 parts that this version does not know are carried on unread', () => {
  const newer = { conversation2: { until: 5 }, other: ['x'] }
  const body = sign(JSON.stringify({ ...recordOf(endedWith('j')), ...newer }), context)
  const read = verifyRecord(body, context)
  if (read === undefined || !isRequestRecord(read)) throw new Error('no record')
  const state = noteEffects(stateOf(read) as Ended, false)
  const written = signRecord({ ...identityOf(read), ...state, writtenAt: 9, leaseMs: 0 }, context)
  const payload = Buffer.from(/:2:([\w-]+):/.exec(written)?.[1] ?? '', 'base64url').toString()
  expect(JSON.parse(payload)).toMatchObject({ ...newer, effectsDone: false })
  expect(JSON.parse(payload)).not.toHaveProperty('rest')
})

test.each([
  ['more than fits', { rest: { long: 'x'.repeat(3000) } }],
  ['a text', { rest: 'x' }],
  ['a list', { rest: [1] }],
])('5.1 but not %s', (_, { rest }) => {
  expect(bounded({ ...recordOf(endedWith('j')), rest } as unknown as ActionRecord)).toMatchObject({
    rest: {},
  })
})

test('5.1 what the inputs allow is kept in full', () => {
  const { settings, commitStatus, command } = longest('頁')
  expect(bounded(longest('頁'))).toMatchObject({
    ...{ command, commitStatus },
    settings: { reviewers: settings.reviewers.slice(0, 10), labels: settings.labels.slice(0, 10) },
  })
})

test('5.1 5.6 a text that is too long is left out, and a message is cut', () => {
  const record = { ...endedWith('j'), requestedBy: 'x'.repeat(5000) }
  expect(bounded(recordOf(record))).toMatchObject({ requestedBy: '' })
  const end = { ...endedWith('j').ending, message: 'x'.repeat(5000) }
  const read = bounded(recordOf({ ...endedWith('j'), ending: end }))
  expect(read).toMatchObject({ ending: { message: 'x'.repeat(300) } })
})

test('5.1 a record of another key, project, repository or thread does not count', () => {
  const fields = fc.constantFrom('key', 'projectId', 'repositoryId', 'thread')
  fc.assert(
    fc.property(records, contexts, contexts, fields, (record, context, other, field) => {
      fc.pre(!isDeepStrictEqual(context[field], other[field]))
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

const context: SigningScope = {
  key: signingKey('test-key'),
  projectId: 'docs',
  repositoryId: 4242,
  thread: 12,
}
const record = recordOf({ ...endedWith('j_81f2', 'https://github.com/octo/app/pull/77') })
const written = signRecord(record, context)

test.each([
  ['the job', 'j_81f2', 'j_81f3'],
  ['the pull request', 'app/pull/77', 'app/pull/78'],
  ['the end', '"effectsDone":true', '"effectsDone":null'],
  ['the person', '"alice"', '"carol"'],
  ['the time', '"writtenAt":1000', '"writtenAt":9000'],
])(
  '5.1 a record in which somebody writes %s anew, and leaves the signature, does not count',
  (_, from, to) => {
    const [, payload = ''] = /:([\w-]+):[\w-]+ -->$/.exec(written) ?? []
    const json = Buffer.from(payload, 'base64url').toString()
    expect(json).toContain(from)
    const forged = Buffer.from(json.replace(from, to)).toString('base64url')
    expect(verifyRecord(written, context)).toBeDefined()
    expect(verifyRecord(written.replace(payload, forged), context)).toBeUndefined()
  },
)

test.each([
  ['in a row', '\n'],
  ['with words of people between them', '\n\nRead this first.\n'],
  [
    'with one of another project between them',
    `\n${signRecord(record, { ...context, projectId: 'blog' })}\n`,
  ],
])('3.9 of two records in the body of an issue, %s, the last one counts', (_, between) => {
  const last = { ...record, writtenAt: 500 }
  expect(lastRecord(`${written}${between}${signRecord(last, context)}\nAnd this.`, context)).toEqual({
    record: last,
    isAtEnd: false,
  })
})

test.each([
  ['thread', { thread: 13 }],
  ['repository', { repositoryId: 4243 }],
  ['project', { projectId: 'blog' }],
  ['key', { key: signingKey('test-key-2') }],
])('5.1 a record that somebody copies to another %s does not count there', (_, elsewhere) => {
  expect(verifyRecord(written, { ...context, ...elsewhere })).toBeUndefined()
})

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
  expect(verifyRecord(sign(JSON.stringify(payload), context), context)).toBeUndefined()
})

const REPORTED = recordOf(endedWith('j'))
const END = { outcome: 'no-pull-request', reason: '', message: '' } as const
const AHEAD = Date.UTC(2100, 0, 1)

test.each<[string, object, object]>([
  ['a field', { later: { deep: [1] } }, {}],
  ['an outcome', { ending: { ...END, outcome: 'later' } }, { ending: { outcome: 'error' } }],
  ['a reason', { ending: { ...END, reason: 'later' } }, { ending: END }],
  ['a status of checks', { checks: { status: 'later', sentFor: [], messagedAt: 0 } }, { checks: undefined }],
  ['a setting', { settings: { ...IDENTITY.settings, later: true } }, {}],
  ['a time far ahead', { writtenAt: AHEAD }, { writtenAt: AHEAD }],
])('5.1 a record of a later version, with %s, is read as far as it goes', (_, later, read) => {
  const json = JSON.stringify({ ...REPORTED, ...later })
  expect(verifyRecord(sign(json, context), context)).toMatchObject({
    state: 'ended',
    requestDigest: 'mine',
    ...read,
  })
})

/** Each field of the record, and of what is in it, in turn. */
function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inside = Object.entries(value).flatMap(([name, one]) => pathsIn(one, [...path, name]))
  return path.length === 0 ? inside : [path, ...inside]
}

function withValue(record: object, [name = '', ...rest]: readonly string[], value: unknown): object {
  const inside: unknown = Reflect.get(record, name)
  const next = rest.length === 0 ? value : withValue(Object(inside), rest, value)
  return Array.isArray(record)
    ? record.map((one, at) => (String(at) === name ? next : one))
    : { ...record, [name]: next }
}

test('5.1 a wrong type in any field throws nothing, and what is read can be written again', () => {
  // One entry of each list stands for the others.
  const whole = JSON.parse(
    JSON.stringify(bounded(longest('a')), (_, value: unknown) =>
      Array.isArray(value) ? value.slice(0, 1) : value,
    ),
  )
  for (const path of pathsIn(whole)) {
    for (const wrong of [null, 7.5, -1, 'x', true, [], {}, [[]], [null], { a: 1 }]) {
      const read = parseRecord(JSON.stringify(withValue(whole, path, wrong)))
      if (read === undefined) expect(path.join('.')).toMatch(/^(state|job|job\.id)$/)
      else expect(bounded(read), path.join('.')).toEqual(read)
    }
  }
})

test('5.1 a record that is cut off is none, wherever the cut is', () => {
  const signed = signRecord(REPORTED, context)
  for (let length = 0; length < signed.length; length++)
    expect(verifyRecord(signed.slice(0, length), context)).toBeUndefined()
  const json = JSON.stringify(REPORTED)
  for (let length = 0; length < json.length; length++)
    expect(parseRecord(json.slice(0, length))).toBeUndefined()
})

test('5.1 fields that are missing or of another type count as empty', () => {
  const odd = { state: 'running', job: { id: 'j_1' }, writtenAt: '7', settings: null, coversUntil: 1.5 }
  expect(parseRecord(JSON.stringify(odd))).toEqual({
    ...IDENTITY,
    ...{
      requestDigest: '',
      attemptsDigest: '',
      attempt: '',
      requestedAt: 0,
      requestedBy: '',
      command: '',
      comment: '',
    },
    ...{ state: 'running', ...withJob('j_1', '', ''), writtenAt: 0, leaseMs: 0 },
  })
  for (const saved of ['', 'null', '{}', '[]', '"idle"', '{"state":1}'])
    expect(parseRecord(saved)).toBeUndefined()
})

test.each(['nonsense', 'http://github.com/octo/docs/pull/7', 'https://a:b@github.com/octo/docs/pull/7'])(
  '2.2 a link that cannot be used is none, and its status has words: %s',
  (prLink) => {
    const job = { ...endedWith('j').job, prLink }
    const read = parseRecord(JSON.stringify(recordOf({ ...endedWith('j'), job })))
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

test('2.2 the repository of a record has no credentials', () => {
  const reported = endedWith('j')
  const kept = { ...reported.job, repository: 'https://x:ghs_secret@github.com/octo/docs' }
  const record = recordOf({ ...reported, job: kept })
  expect(parseRecord(JSON.stringify(record))).toMatchObject({
    job: { repository: 'https://github.com/octo/docs' },
  })
})
