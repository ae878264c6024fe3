import { describe, expect, test } from 'vitest'
import { recordsOf } from '../../src/request/thread-records.ts'
import { endedWith, type RecordFields, recorded, withJob } from './helpers.ts'

const NOT_SENT = { state: 'closed', ending: { outcome: 'error', reason: 'network', message: '' } } as const
const MINE = { key: 'mine', origin: 'here', run: '1.1' }
const LINK = 'https://github.com/octo/docs/pull/7'
const OTHER = { key: 'other', origin: 'there' } as const

const read = (...all: RecordFields[]) =>
  recordsOf(
    all.map((fields) => recorded(fields)),
    MINE,
  )

/** A result of a job that accepted then. */
const done = (id: string, acceptedAt: number, prLink = '') => ({ ...endedWith(id, prLink), acceptedAt })

test('5.1 the pull request of the job before is not that of a new job which has none yet', () => {
  const first = done('A', 1, LINK)
  const isNew = { ...OTHER, ...done('B', 2), requestedAt: 2 }
  expect(read(first, isNew).known.job).toMatchObject({ id: 'B', prLink: '' })
  const same = { ...OTHER, ...done('A', 2), requestedAt: 2 }
  expect(read(first, same).known.job).toMatchObject({ prLink: LINK })
})

describe('5.1 which job a thread continues', () => {
  const ROWS: readonly (readonly [string, string | undefined, readonly RecordFields[]])[] = [
    ['none in an empty thread', undefined, []],
    ['the one that accepted last', 'B', [done('A', 1), { ...OTHER, ...done('B', 2), requestedAt: 2 }]],
    [
      'not that of an older request that ended later',
      'B',
      [
        { ...done('A', 1), writtenAt: 9000 },
        { ...OTHER, ...done('B', 2), requestedAt: 2 },
      ],
    ],
    [
      'that of a re-run of an older request',
      'C',
      [
        { ...done('C', 3), requestedAt: 1 },
        { ...OTHER, ...done('A', 2), requestedAt: 2 },
      ],
    ],
    ['that which a message may have reached', 'B', [{ state: 'sending', to: withJob('B').job }]],
    [
      'the one that has accepted, before that which a message may have reached',
      'A',
      [
        { ...OTHER, ...done('A', 1) },
        { state: 'sending', to: withJob('B').job, requestedAt: 2 },
      ],
    ],
    [
      'that of the earlier attempt, while a re-run asks for a new one',
      'A',
      [
        { ...endedWith('A', '', 'failed'), acceptedAt: 1 },
        { state: 'sending', to: undefined, writtenAt: 2000 },
      ],
    ],
    [
      'what was known before a request that was not sent',
      'A',
      [
        { ...OTHER, ...done('A', 1) },
        { ...NOT_SENT, requestedAt: 2 },
      ],
    ],
    [
      'that of a link from the agent’s pull request',
      'A',
      [{ state: 'backlink', job: withJob('A').job, acceptedAt: 1 }],
    ],
    [
      'that of the newest record of one request, though a bot posts an older one again',
      'B',
      [
        { ...done('A', 2), writtenAt: 10 },
        { ...done('B', 9), writtenAt: 11 },
      ],
    ],
  ]
  test.each(ROWS)('%s', (_, id, all) => {
    expect(read(...all).known.job?.id).toBe(id)
    // The order in which GitHub lists them changes nothing.
    expect(read(...all.toReversed()).known.job?.id).toBe(id)
  })
})

const CHECKS = { status: 'failure', isFollowed: false, hadAny: true } as const

test('5.1 what all records tell is their union, without a limit', () => {
  const many = Array.from({ length: 50 }, (_, at) => at + 1)
  const { known } = read(
    ...many.map((at) => ({
      ...done('A', at, LINK),
      ...{ key: `k${at}`, requestedAt: at, coversUntil: at, merged: [at], setUp: [LINK] },
      head: { sha: `s${at}`, digest: `d${at}`, step: 'step' },
      checks: { ...CHECKS, sentFor: [`f${at}`] },
    })),
  )
  expect(known.verdicts.map(({ digest }) => digest)).toEqual(many.toReversed().map((at) => `d${at}`))
  expect(known.covered).toEqual({ until: 50, merged: many.toReversed() })
  expect(known.sentFor).toEqual(many.toReversed().map((at) => `f${at}`))
  expect(known.code).toEqual([{ sha: 's50', digest: 'd50', step: 'step' }])
  expect([new Set(known.setUp), new Set(known.hadChecks)]).toEqual([new Set([LINK]), new Set([LINK])])
})

describe('3.2 which skip is in force', () => {
  const SKIP = {
    ...({ state: 'closed', key: 'skip', requestedAt: 5, requestedBy: 'bob', why: 'a typo' } as const),
    ending: { outcome: 'skipped', reason: 'docs-skipped', message: '' },
  } as const satisfies RecordFields
  const STATUS = { commitStatus: { name: 'docs', sha: 'a' }, requestedAt: 6 }
  const ROWS: readonly (readonly [string, boolean, RecordFields])[] = [
    ['after an earlier request, whatever its job does', true, { ...done('A', 9), requestedAt: 4 }],
    ['not after a later one that the agent has', false, { ...done('A', 6), requestedAt: 6 }],
    ['after a later one that was not sent', true, { ...NOT_SENT, requestedAt: 6 }],
    ['not where a person’s later one decided the status', false, { ...NOT_SENT, ...STATUS }],
  ]
  test.each(ROWS)('%s', (_, holds, other) => {
    const skip = { requestedBy: 'bob', why: 'a typo', url: expect.any(String) }
    expect(read(SKIP, other).known.skip).toEqual(holds ? skip : undefined)
  })
})

test('4.1 what failed goes to the agent once more, and whole', () => {
  const head = { sha: 's', digest: 'd', step: 'step' }
  const failed = { ...OTHER, ...endedWith('A', '', 'failed'), acceptedAt: 2, head }
  expect(read({ ...done('A', 1), head }, failed).known.code).toEqual([])
})

test('5.2 of two records of one request the newest counts, and what it replaced can go', () => {
  const { own, others, replaced } = read({ state: 'sending', to: undefined, writtenAt: 1 }, endedWith('A'))
  expect([own?.record.state, others, replaced.map(({ record }) => record.state)]).toEqual([
    'ended',
    [],
    ['sending'],
  ])
})

test('5.1 a copy that another bot posts is nothing that the action deletes', () => {
  const copy = { ...recorded(endedWith('A')), author: { login: 'echo[bot]' } }
  const own = recorded({ ...endedWith('A'), writtenAt: 2000 })
  expect(recordsOf([copy, own], MINE)).toMatchObject({ own: { id: own.id }, replaced: [] })
  // Of two equally new ones, the older comment is the action's.
  const [first, second] = [recorded(endedWith('A')), recorded(endedWith('A'))]
  expect(recordsOf([second, first], MINE).own?.id).toBe(first.id)
})

test('5.2 a re-run whose key is another one finds the only record of its earlier attempt', () => {
  const attempt = { ...endedWith('A'), key: 'computed', run: '1.1' }
  const reRun = { ...MINE, run: '1.2' }
  expect(recordsOf([recorded(attempt)], reRun).own?.record.key).toBe('computed')
  expect(recordsOf([recorded(attempt)], MINE).own).toBeUndefined()
  expect(recordsOf([recorded(attempt), recorded({ ...attempt, key: 'second' })], reRun).own).toBeUndefined()
})
