import { expect, test } from 'vitest'
import { type FoundComment, workIn } from '../../src/collect/work.ts'
import { ending } from '../../src/request/outcome.ts'
import { Thread } from '../../src/thread/thread.ts'
import { type RecordFields, reportedWith, requestRecordOf, withJob } from '../request/helpers.ts'

const THREAD = new Thread(12)
const NOW = 1_000_000
const MINUTE = 60_000

const comment = (id: number, fields: RecordFields, updatedAt: number): FoundComment => {
  const record = requestRecordOf(fields)
  return { id, author: { login: 'bot' }, thread: THREAD, askedAt: 0, record, updatedAt }
}

const running: RecordFields = { state: 'running', ...withJob('j') }
const sending: RecordFields = { state: 'sending', jobId: '' }
const reported: RecordFields = reportedWith('j')
const open: RecordFields = { ...reported, openParts: ['labels'] }

test.each<[string, RecordFields, number, 'open' | 'left' | 'none']>([
  ['a job at work', running, 0, 'open'],
  ['one whose run waits', { ...running, waitsMs: MINUTE }, 119_000, 'none'],
  ['one whose run waited', { ...running, waitsMs: MINUTE }, 120_000, 'open'],
  ['a result', reported, MINUTE, 'none'],
  ['a result that something follows', open, MINUTE, 'left'],
  ['the same while its run may do it', open, MINUTE - 1, 'none'],
  ['a request without an answer', sending, 0, 'left'],
  ['the same once somebody said so', { ...sending, ending: ending('error') }, 0, 'none'],
  ['what was not sent', { state: 'notSent' }, 0, 'none'],
])('8.1 8.2 what a sweep makes of %s', (_, fields, ago, takes) => {
  const { open, left } = workIn([[comment(1, fields, NOW - ago)]], NOW)
  expect([open.length, left.length]).toEqual([Number(takes === 'open'), Number(takes === 'left')])
})

test('8.2 of several comments of a request, one counts, and the others are left over', () => {
  const comments = [comment(1, running, 0), comment(2, reported, 0)]
  expect(workIn([comments], NOW)).toMatchObject({ open: [], left: [{ record: { state: 'reported' } }] })
})

test('8.1 the earliest request goes first', () => {
  const asked = [3, 1, 2].map((requestedAt) => [comment(requestedAt, { ...running, requestedAt }, 0)])
  expect(workIn(asked, NOW).open.map(({ record }) => record.requestedAt)).toEqual([1, 2, 3])
})
