import { expect, test } from 'vitest'
import type { RequestRecord, RequestState } from '../../src/request/record.ts'
import { type Difference, differs } from '../../src/thread/say.ts'
import { filesLike, fileText } from '../house/files.ts'
import { reportedWith, requestRecordOf } from '../request/helpers.ts'

const ending = { outcome: 'pull-request', reason: '', message: '' } as const
const shown = requestRecordOf({ ...reportedWith('job-1'), ending, openParts: ['link', 'preview'] })
const now: RequestState = shown
const owns = (record: Partial<Pick<RequestRecord, 'waitsMs'>> = {}) => ({ record: { ...shown, ...record } })
const SAME: Difference = { own: owns(), state: now, words: 'Words', wrote: 'Words', keepsLease: false }

test.each<[string, Partial<Difference>, boolean]>([
  ['the thread has all', {}, false],
  ['no process wrote these words', { wrote: '' }, true],
  ['it says something else', { words: 'Other words' }, true],
  ['the words that stand are to stay', { words: '', wrote: '' }, false],
  ['there is no comment, and nothing is to be said', { own: undefined, words: '', wrote: '' }, false],
  ['there is no comment', { own: undefined, wrote: '' }, true],
  ['a part is done', { state: { ...now, openParts: ['preview'] } }, true],
  ['a part is open again', { state: { ...now, openParts: ['link', 'preview', 'status'] } }, true],
  ['the words show a part that is open', { shows: ['preview'] }, true],
  [
    'the words showed it before',
    { own: { record: { ...shown, openParts: ['link'] } }, shows: ['preview'] },
    false,
  ],
  ['its run holds the request', { own: owns({ waitsMs: 60_000 }), keepsLease: true }, false],
  ['its run is gone', { own: owns({ waitsMs: 60_000 }) }, true],
  ['its run is gone, and no words are to change', { own: owns({ waitsMs: 60_000 }), words: '' }, true],
])('5.6 a comment is written where it differs: %s', (_, change, isWritten) => {
  expect(differs({ ...SAME, ...change })).toBe(isWritten)
})

test('5.6 the comment of a request is written in one place', () => {
  const writers = filesLike('src/**/*.ts').filter((file) => /\.write\(session\b/.test(fileText(file)))
  expect(writers).toEqual(['src/thread/say.ts', 'src/thread/thread.ts'])
})
