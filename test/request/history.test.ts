import { describe, expect, test } from 'vitest'
import { historyOf } from '../../src/request/history.ts'
import type { RecordedComment } from '../../src/request/precedence.ts'
import type { StateName } from '../../src/request/record.ts'
import { type RecordFields, recorded, reportedWith, withJob } from './helpers.ts'

const recall = (...comments: RecordedComment[]) =>
  historyOf(comments, { key: 'mine', origin: 'here', run: '1.2' })
const idOf = (comment: RecordedComment | undefined) => {
  const record = comment?.record
  return record !== undefined && 'job' in record ? record.job.id : undefined
}

test('5.1 an old record that is posted once more never wins', () => {
  const old = recorded({ ...reportedWith('j_old'), writtenAt: 1000 })
  const current = recorded({ ...reportedWith('j_new'), writtenAt: 1001 })
  const copies = [old, current].map(({ record }) => ({ ...recorded({ state: 'refusal' }), record }))
  const history = recall(...copies, old, current)
  expect(history.own?.id).toBe(current.id)
  expect(idOf(history.jobComment)).toBe('j_new')
})

describe('4.9 the job to continue', () => {
  test('is of the latest request, however late an older one was reported', () => {
    const older = recorded({
      key: 'a',
      ...reportedWith('A'),
      requestedAt: 1000,
      writtenAt: 9000,
    })
    const later = recorded({
      key: 'b',
      ...reportedWith('B'),
      requestedAt: 2000,
      writtenAt: 5000,
    })
    expect(idOf(recall(older, later).jobComment)).toBe('B')
  })

  test('5.5 is known on its own pull request by the link comment', () => {
    expect(idOf(recall(recorded({ state: 'link', key: 'other', ...withJob('j_1') })).jobComment)).toBe('j_1')
  })
})

describe('5.2 what earlier attempts left', () => {
  test.each<readonly [string, RecordFields]>([
    ['a result', { ...reportedWith('j_1'), writtenAt: 10 }],
    ['a job that goes on', { state: 'running', ...withJob('j_1'), writtenAt: 10 }],
  ])('%s is not forgotten for a later attempt that could not read the thread', (_, fields) => {
    const known = recorded(fields)
    const history = recall(known, recorded({ state: 'unknown', jobId: '', writtenAt: 20, run: '1.2' }))
    expect(history.own).toEqual(known)
    expect(history.ownComments).toHaveLength(2)
  })

  test.each<readonly [Extract<StateName, 'idle' | 'notSent' | 'unknown'>, string, StateName]>([
    ['idle', '1.2', 'sending'],
    ['notSent', '1.1', 'notSent'],
    ['unknown', '1.1', 'unknown'],
    ['unknown', '1.2', 'unknown'],
  ])('a request under way in 1.1, then %s in %s: %s', (state, run, left) => {
    const sending = recorded({ state: 'sending', jobId: '', writtenAt: 10, run: '1.1' })
    const later = recorded({
      ...(state === 'unknown' ? { state, jobId: '' } : { state }),
      run,
      writtenAt: 20,
    })
    expect(recall(sending, later).own?.record.state).toBe(left)
  })
})

describe('3.10 the newest merge that is covered', () => {
  const covered = (status: string, prLink = '') => ({ ...reportedWith('j_1', prLink, status) }) as const

  test('counts only where the job ended with or without a pull request', () => {
    const history = recall(
      recorded({ ...covered('completed', 'https://x/1'), key: 'a', coversUntil: 100 }),
      recorded({ ...covered('completed'), key: 'b', coversUntil: 200 }),
      recorded({ ...covered('failed'), key: 'c', coversUntil: 300 }),
      recorded({ ...covered('archived'), key: 'd', coversUntil: 400 }),
      recorded({ ...covered('active'), key: 'e', coversUntil: 500 }),
      recorded({ state: 'running', ...withJob('j_1'), key: 'f', coversUntil: 600 }),
      recorded({ state: 'idle', key: 'h', coversUntil: 800 }),
    )
    expect(history.coveredUntil).toBe(200)
  })

  test('never moves back', () => {
    const later = recorded({ ...covered('completed'), key: 'a', coversUntil: 100, writtenAt: 9000 })
    const earlier = recorded({ ...covered('completed'), key: 'b', coversUntil: 200, writtenAt: 10 })
    expect(recall(later, earlier).coveredUntil).toBe(200)
  })
})

describe('5.2 a re-run whose prompt was computed anew', () => {
  const earlier = recorded({ state: 'sending', jobId: '', key: 'earlier' })
  const another = recorded({ state: 'sending', jobId: '', key: 'another' })
  const own = (...comments: readonly RecordedComment[]) => recall(...comments).own?.record.key

  test.each<readonly [string, readonly RecordedComment[], string | undefined]>([
    ['finds the one record of its run and step', [earlier], 'earlier'],
    ['finds its own key first', [earlier, recorded({ state: 'idle' })], 'mine'],
    ['takes none of several', [earlier, another], undefined],
    ['takes none of another step', [recorded({ state: 'idle', key: 'x', origin: 'there' })], undefined],
    ['takes none that tells no step', [recorded({ state: 'idle', key: 'x', origin: '' })], undefined],
  ])('%s', (_, comments, key) => {
    expect(own(...comments)).toBe(key)
  })
})
