import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Job } from '../../src/request/job.ts'
import {
  type ActionRecord,
  carriesRecord,
  RECORD_VERSION,
  type SigningContext,
  signRecord,
  verifyRecord,
} from '../../src/request/record.ts'
import { anyText, runs, textOf } from '../helpers/property.ts'

const word = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.toWellFormed())
const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).map((text) => text.toWellFormed())
const whole = fc.nat({ max: Number.MAX_SAFE_INTEGER })

const jobs: fc.Arbitrary<Job> = fc.record({
  id: name,
  status: word,
  prLink: word,
  unusableLink: fc.boolean(),
  model: word,
  repository: word,
  ref: word,
  createdAt: word,
  archivedAt: word,
})
const states = fc.oneof(
  fc.record({ state: fc.constantFrom('received', 'notSent', 'answered', 'refusal', 'tracking') }),
  fc.record({ state: fc.constantFrom('sending', 'unknown'), jobId: word }),
  fc.record({
    state: fc.constantFrom('running', 'detached', 'reported', 'link'),
    job: jobs,
    messagedAt: whole,
    waitsUntil: whole,
  }),
)
const records = fc
  .record({
    key: word,
    run: word,
    requestedAt: whole,
    requestedBy: word,
    command: word,
    comment: word,
    finish: fc.record({ preview: fc.boolean(), reviewers: fc.array(name), labels: fc.array(name) }),
    coversUntil: whole,
    writtenAt: whole,
    eyes: whole,
  })
  .chain((identity) => states.map((state) => ({ ...identity, ...state }) as ActionRecord))
const contexts: fc.Arbitrary<SigningContext> = fc.record({
  apiKey: fc.stringMatching(/^[!-~]{1,40}$/),
  projectId: fc.stringMatching(/^[!-~]{1,40}$/),
  repositoryId: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
  thread: fc.integer({ min: 1, max: 2 ** 31 }),
})

test('5.1 what is written is read, behind any text', () => {
  fc.assert(
    fc.property(
      records,
      contexts,
      anyText(),
      fc.stringMatching(/^\s{0,5}$/),
      (record, context, text, blank) => {
        const body = `${text}\n${signRecord(record, context)}${blank}`
        expect(verifyRecord(body, context)).toEqual(record)
        expect(carriesRecord(body)).toBe(true)
      },
    ),
    runs(200),
  )
})

test('5.1 a record of another key, project, repository or thread does not count', () => {
  const fields = fc.constantFrom('apiKey', 'projectId', 'repositoryId', 'thread')
  fc.assert(
    fc.property(records, contexts, contexts, fields, (record, context, other, field) => {
      fc.pre(context[field] !== other[field])
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
  const pieces = [
    '<!-- ',
    `docs-agent:${RECORD_VERSION}:`,
    'e30',
    ':',
    'A'.repeat(43),
    ' -->',
    '\n',
    ' ',
    '-->',
    '<!--',
  ]
  fc.assert(
    fc.property(records, contexts, textOf(pieces), textOf(pieces), (record, context, before, behind) => {
      const body = `${before}${signRecord(record, context)}${behind}`
      expect(verifyRecord(body, context)).toEqual(behind.trim() === '' ? record : undefined)
    }),
    runs(300),
  )
})

test('5.1 no text is a record unless the key signed it, and none is too much', () => {
  const context = { apiKey: 'test-key', projectId: 'docs', repositoryId: 1, thread: 12 }
  const pieces = [
    `<!-- docs-agent:${RECORD_VERSION}:`,
    '<!-- docs-agent:',
    ':',
    'a',
    '_'.repeat(43),
    ' -->',
    '\n',
    '0',
  ]
  fc.assert(
    fc.property(textOf(pieces), fc.constantFrom(1, 5000), (text, times) => {
      expect(verifyRecord(text.repeat(times), context)).toBeUndefined()
    }),
    runs(100),
  )
})
