import { describe, expect, test } from 'vitest'
import { EMPTY_MEMORY, type Memory, union } from '../../src/request/memory.ts'
import { recordsOf } from '../../src/request/thread-records.ts'
import { type RecordFields, recorded, reportedWith, withJob } from './helpers.ts'

const NOT_SENT = { state: 'notSent', ending: { outcome: 'error', reason: 'network', message: '' } } as const
const MINE = { key: 'mine', origin: 'here', run: '1.1' }
const LINK = 'https://github.com/octo/docs/pull/7'
const OTHER = { key: 'other', origin: 'there' } as const
const ENDED = { ended: [{ key: 'mine', writtenAt: 50 }] }

const grown = (more: Partial<Memory['grows']>): Memory => ({
  ...EMPTY_MEMORY,
  grows: { ...EMPTY_MEMORY.grows, ...more },
})
const knowing = (id: string, prLink = ''): Memory => ({
  ...EMPTY_MEMORY,
  latest: { ...EMPTY_MEMORY.latest, job: withJob(id, prLink).job },
})
const read = (...all: RecordFields[]) =>
  recordsOf(
    all.map((fields) => recorded(fields)),
    MINE,
  )

test('5.1 the pull request of the job before is not that of a new job which has none yet', () => {
  const isNew = { ...OTHER, ...reportedWith('B'), requestedAt: 2, memory: knowing('A', LINK) }
  expect(read({ ...reportedWith('A', LINK) }, isNew).memory.latest.job).toMatchObject({ id: 'B', prLink: '' })
  const same = { ...OTHER, ...reportedWith('A'), requestedAt: 2, memory: knowing('A', LINK) }
  expect(read({ ...reportedWith('A', LINK) }, same).memory.latest.job).toMatchObject({ prLink: LINK })
})

describe('5.1 which job a thread continues', () => {
  const ROWS: readonly (readonly [string, string | undefined, readonly RecordFields[]])[] = [
    ['none in an empty thread', undefined, []],
    [
      'that of the newest request',
      'B',
      [reportedWith('A'), { ...OTHER, ...reportedWith('B'), requestedAt: 2 }],
    ],
    [
      'not that of an older one that ended later',
      'B',
      [
        { ...reportedWith('A'), writtenAt: 9000 },
        { ...OTHER, ...reportedWith('B'), requestedAt: 2 },
      ],
    ],
    ['that which a message may have reached', 'B', [{ state: 'sending', jobId: 'B', memory: knowing('A') }]],
    ['what was known before a request that was not sent', 'A', [{ ...NOT_SENT, memory: knowing('A') }]],
    [
      'what was known before a request whose run could not read the thread',
      'A',
      [
        { ...OTHER, ...reportedWith('A') },
        { ...NOT_SENT, requestedAt: 2 },
      ],
    ],
    ['that of a link from the agent’s pull request', 'A', [{ state: 'backlink', job: withJob('A').job }]],
    [
      'that of the newest record of one request',
      'B',
      [{ state: 'sending', jobId: '', writtenAt: 10 }, reportedWith('B')],
    ],
    [
      'not that of an ended request that a bot posts again',
      'A',
      [
        { ...reportedWith('Z'), requestedAt: 9, writtenAt: 40 },
        { ...OTHER, ...reportedWith('A'), memory: grown(ENDED), writtenAt: 2000 },
      ],
    ],
    [
      'that of the newest request, also where a clock was an hour ahead',
      'B',
      [
        { ...reportedWith('A'), writtenAt: 3_600_000 },
        { ...OTHER, ...reportedWith('B'), requestedAt: 2, writtenAt: 3_600_001 },
      ],
    ],
  ]
  test.each(ROWS)('%s', (_, id, all) => {
    expect(read(...all).memory.latest.job?.id).toBe(id)
    // The order in which GitHub lists them changes nothing.
    expect(read(...all.toReversed()).memory.latest.job?.id).toBe(id)
  })
})

test('5.1 a stale newest record takes no memory from the thread: what grows is the union', () => {
  const { memory } = read(
    {
      ...OTHER,
      ...reportedWith('A', LINK),
      memory: grown({ sentFor: ['a'], setUp: [LINK] }),
      requestedAt: 5,
    },
    { ...reportedWith('B'), requestedAt: 6, memory: grown({ sentFor: ['b'] }) },
    { ...NOT_SENT, key: 'third', requestedAt: 7 },
  )
  expect(memory.grows.sentFor).toEqual(['b', 'a'])
  expect(memory.grows.setUp).toEqual([LINK])
  expect(memory.latest.job?.id).toBe('B')
})

test('5.1 what a thread knew before the request does not hold what the request adds', () => {
  const { memory, othersMemory } = read(
    { ...OTHER, ...reportedWith('A') },
    { ...reportedWith('B'), requestedAt: 2 },
  )
  expect([memory.latest.job?.id, othersMemory.latest.job?.id]).toEqual(['B', 'A'])
})

test('5.2 of two records of one request the newest counts, and what it replaced can go', () => {
  const { own, others, leftOver } = read({ state: 'sending', jobId: '', writtenAt: 1 }, reportedWith('A'))
  expect([own?.record.state, others, leftOver.map(({ record }) => record.state)]).toEqual([
    'reported',
    [],
    ['sending'],
  ])
})

test('8.2 also once a later request remembers that it ended', () => {
  const { own, leftOver } = read(
    { state: 'sending', jobId: '', writtenAt: 1 },
    { ...reportedWith('A'), writtenAt: 50 },
    { ...OTHER, ...reportedWith('B'), requestedAt: 2, memory: grown(ENDED), writtenAt: 2000 },
  )
  expect([own?.record.state, leftOver.length]).toEqual(['reported', 1])
})

test('5.1 a copy that another bot posts is nothing that the action deletes', () => {
  const copy = { ...recorded(reportedWith('A')), author: { login: 'echo[bot]' } }
  const own = recorded({ ...reportedWith('A'), writtenAt: 2000 })
  expect(recordsOf([copy, own], MINE)).toMatchObject({ own: { id: own.id }, leftOver: [] })
  // Of two equally new ones, the older comment is the action's.
  const [first, second] = [recorded(reportedWith('A')), recorded(reportedWith('A'))]
  expect(recordsOf([second, first], MINE).own?.id).toBe(first.id)
})

test('5.2 a re-run whose key is another one finds the only record of its earlier attempt', () => {
  const attempt = { ...reportedWith('A'), key: 'computed', run: '1.1' }
  const reRun = { ...MINE, run: '1.2' }
  expect(recordsOf([recorded(attempt)], reRun).own?.record.key).toBe('computed')
  expect(recordsOf([recorded(attempt)], MINE).own).toBeUndefined()
  expect(recordsOf([recorded(attempt), recorded({ ...attempt, key: 'second' })], reRun).own).toBeUndefined()
})

test('5.1 what grows keeps the newest, and no more than a record holds', () => {
  const verdict = (at: number) => ({
    ...{ key: `k${at}`, digest: `d${at}`, requestedAt: at, status: '', checks: undefined },
    ...{ outcome: 'failed' as const, reason: '' as const },
  })
  const many = Array.from({ length: 50 }, (_, at) => at)
  const all = union([
    { ...EMPTY_MEMORY.grows, verdicts: many.map(verdict), covered: { until: 5, merged: many } },
    { ...EMPTY_MEMORY.grows, ended: many.map((at) => ({ key: `k${at}`, writtenAt: at })) },
  ])
  expect(all.verdicts.map(({ requestedAt }) => requestedAt)).toEqual(many.toReversed().slice(0, 10))
  expect(all.covered).toEqual({ until: 5, merged: many.toReversed().slice(0, 20) })
  expect(all.ended.map(({ writtenAt }) => writtenAt)).toEqual(many.toReversed().slice(0, 20))
})
