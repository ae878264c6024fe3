import { expect, test } from 'vitest'
import { parseCommentRef, reactionOfRecord } from '../../src/thread/reactions.ts'
import { type RecordFields, recordOf, withJob } from '../request/helpers.ts'

const PR = 'https://github.com/octo/docs/pull/77'

test.each<readonly [RecordFields, string | undefined]>([
  [{ state: 'received' }, undefined],
  [{ state: 'sending', jobId: '' }, undefined],
  [{ state: 'running', ...withJob('j_1', '', 'active') }, undefined],
  [{ state: 'reported', ...withJob('j_1', PR, 'completed') }, 'rocket'],
  [{ state: 'reported', ...withJob('j_1', '', 'completed') }, '+1'],
  [{ state: 'reported', ...withJob('j_1', PR, 'archived') }, '+1'],
  [{ state: 'reported', ...withJob('j_1', PR, 'failed') }, 'confused'],
  // The service no longer knew it.
  [{ state: 'reported', ...withJob('j_1', PR, 'active') }, 'confused'],
  [{ state: 'answered' }, '+1'],
  [{ state: 'detached', ...withJob('j_1', '', 'active') }, 'confused'],
  [{ state: 'unknown', jobId: '' }, 'confused'],
  [{ state: 'notSent' }, 'confused'],
  [{ state: 'refusal' }, 'confused'],
])('5.3 a record %o tells the reaction that its run left: %s', (fields, reaction) => {
  expect(reactionOfRecord(recordOf(fields))).toBe(reaction)
})

test.each([
  ['issue:123', { kind: 'issue', id: 123 }],
  ['review:9007199254740991', { kind: 'review', id: 9007199254740991 }],
  ['', undefined],
  ['issue:0', undefined],
  ['issue:', undefined],
  ['issue:12x', undefined],
  ['commit:1', undefined],
  ['issue:99999999999999999', undefined],
])('5.3 the comment %j in a record', (text, ref) => {
  expect(parseCommentRef(text)).toEqual(ref)
})
