import { describe, expect, test } from 'vitest'
import { countedIn, fold } from '../../src/record/fold.ts'
import { jobWithId } from '../../src/record/job.ts'
import { recordsOf } from '../../src/record/log.ts'
import { NO_CHECKS } from '../../src/record/record.ts'
import { endedWith, type RecordFields, recorded, withJob } from './helpers.ts'

const NOT_SENT = { state: 'closed', ending: { outcome: 'error', reason: 'network', message: '' } } as const
const MINE = { requestDigest: 'mine', attemptsDigest: 'here', attempt: '1.1' }
const LINK = 'https://github.com/octo/docs/pull/7'
const OTHER = { requestDigest: 'other', attemptsDigest: 'there' } as const

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
  expect(read(first, isNew).facts.job).toMatchObject({ id: 'B', prLink: '' })
  const same = { ...OTHER, ...done('A', 2), requestedAt: 2 }
  expect(read(first, same).facts.job).toMatchObject({ prLink: LINK })
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
      'of two that messages may have reached, that of the later record',
      'C',
      [
        { state: 'sending', to: withJob('B').job, writtenAt: 2000 },
        { ...OTHER, state: 'sending', to: withJob('C').job, writtenAt: 3000 },
      ],
    ],
    [
      'and so in whichever order they stand',
      'C',
      [
        { ...OTHER, state: 'sending', to: withJob('C').job, writtenAt: 3000 },
        { state: 'sending', to: withJob('B').job, writtenAt: 2000 },
      ],
    ],
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
    expect(read(...all).facts.job?.id).toBe(id)
    // The order in which GitHub lists them changes nothing.
    expect(read(...all.toReversed()).facts.job?.id).toBe(id)
  })
})

const CHECKS = { ...NO_CHECKS, status: 'failure', hadAny: true } as const

test('5.1 what all records tell is their union, without a limit', () => {
  const many = Array.from({ length: 50 }, (_, at) => at + 1)
  const { facts } = read(
    ...many.map((at) => ({
      ...done('A', at, LINK),
      ...{ requestDigest: `k${at}`, requestedAt: at, coversUntil: at, merged: [at], reviewersSetOn: [LINK] },
      head: { sha: `s${at}`, digest: `d${at}`, workflowStep: 'step' },
      checks: { ...CHECKS, sentFor: [`f${at}`] },
    })),
  )
  expect(facts.covered).toEqual({ until: 50, merged: many.toReversed() })
  expect(facts.sentFor).toEqual(many.toReversed().map((at) => `f${at}`))
  expect(facts.acceptedChanges).toEqual([{ sha: 's50', digest: 'd50', workflowStep: 'step', jobId: 'A' }])
  expect([new Set(facts.reviewersSetOn), new Set(facts.hadChecks)]).toEqual([
    new Set([LINK]),
    new Set([LINK]),
  ])
})

describe('3.2 which skip is in force', () => {
  const SKIP = {
    ...({
      state: 'closed',
      requestDigest: 'skip',
      requestedAt: 5,
      requestedBy: 'bob',
      why: 'a typo',
    } as const),
    ending: { outcome: 'skipped', reason: 'docs-skipped', message: '' },
  } as const satisfies RecordFields
  const STATUS = { commitStatus: { name: 'docs', sha: 'a' }, requestedAt: 6 }
  const CUT_OFF = { ending: { outcome: 'cancelled', reason: '', message: '' } } as const
  const ROWS: readonly (readonly [string, boolean, RecordFields])[] = [
    ['after an earlier request, whatever its job does', true, { ...done('A', 9), requestedAt: 4 }],
    ['not after a later one that the agent has', false, { ...done('A', 6), requestedAt: 6 }],
    ['not after a later one that it may have', false, { state: 'sending', requestedAt: 6 }],
    ['after a later one that was not sent', true, { ...NOT_SENT, requestedAt: 6 }],
    ['not where a person’s later one decided the status', false, { ...NOT_SENT, ...STATUS }],
    ['not where a person’s later one was cut off', false, { ...NOT_SENT, ...STATUS, ...CUT_OFF }],
  ]
  test.each(ROWS)('%s', (_, holds, other) => {
    const skip = { requestedAt: 5, requestedBy: 'bob', why: 'a typo', url: expect.any(String) }
    expect(read(SKIP, other).facts.skip).toEqual(holds ? skip : undefined)
  })
})

test('4.1 what failed goes to the agent once more, and whole', () => {
  const head = { sha: 's', digest: 'd', workflowStep: 'step' }
  const failed = { ...OTHER, ...endedWith('A', '', 'failed'), acceptedAt: 2, head }
  expect(read({ ...done('A', 1), head }, failed).facts.acceptedChanges).toEqual([])
})

test('5.2 of two records of one request the newest counts, and what it replaced can go', () => {
  const { current, others, replaced } = read(
    { state: 'sending', to: undefined, writtenAt: 1 },
    endedWith('A'),
  )
  expect([current?.record.state, others, replaced.map(({ record }) => record.state)]).toEqual([
    'ended',
    [],
    ['sending'],
  ])
})

describe('5.1 H1 records of one request by two runs', () => {
  const ofRun = (attempt: string, fields: RecordFields, writtenAt: number) =>
    recorded({ ...fields, attempt, writtenAt })
  const SENDING = { state: 'sending', to: undefined } as const
  const UNCERTAIN = { ...NOT_SENT, ending: { ...NOT_SENT.ending, reason: 'creation-uncertain' } } as const
  const RUNNING = { state: 'running', ...withJob('A', '', 'active') } as const
  const states = (...log: ReturnType<typeof recorded>[]) =>
    countedIn(log).map(({ record }) => `${record.attempt} ${record.state}`)

  test.each<readonly [string, RecordFields, RecordFields, readonly string[]]>([
    ['one that goes out hides none that goes out', SENDING, SENDING, ['2.1 sending', '1.1 sending']],
    ['nor one that has its job', RUNNING, SENDING, ['2.1 sending', '1.1 running']],
    ['nor one whose job has ended', endedWith('A'), SENDING, ['2.1 sending', '1.1 ended']],
    ['what is not known hides none that has its job', RUNNING, UNCERTAIN, ['2.1 closed', '1.1 running']],
    ['nor is what is not known hidden', UNCERTAIN, SENDING, ['2.1 sending', '1.1 closed']],
    ['a job that failed is asked anew', endedWith('A', '', 'failed'), SENDING, ['2.1 sending']],
    ['what was not sent is asked anew', NOT_SENT, SENDING, ['2.1 sending']],
    ['one with a job hides all', SENDING, RUNNING, ['2.1 running']],
  ])('%s', (_, older, newer, expected) => {
    const log = [ofRun('1.1', older, 1), ofRun('2.1', newer, 2)]
    expect(states(...log)).toEqual(expected)
    expect(states(...log.toReversed())).toEqual(expected)
  })

  test('each run finds what it sends itself, before all else', () => {
    const log = [ofRun('1.1', RUNNING, 9), ofRun('2.1', SENDING, 2)]
    const own = (attempt: string) => recordsOf(log, { ...MINE, attempt }).current?.record.attempt
    expect([own('1.1'), own('2.1'), own('3.1')]).toEqual(['1.1', '2.1', '1.1'])
  })
})

describe('3.2 what is in doubt', () => {
  const LOST = { ...OTHER, state: 'sending', to: undefined, requestedAt: 5 } as const
  const UNCERTAIN = {
    ...OTHER,
    ...NOT_SENT,
    requestedAt: 5,
    ending: { outcome: 'error', reason: 'creation-uncertain', message: '' },
  } as const
  const to = (id: string) => ({ to: jobWithId(id) })
  test.each<readonly [string, boolean, readonly RecordFields[]]>([
    ['what goes out, or went out without an answer', true, [LOST]],
    ['what a run said so of', true, [UNCERTAIN]],
    ['also after an end of an earlier request', true, [LOST, { ...done('A', 9), requestedAt: 4 }]],
    ['also after an end of a later one in another job', true, [LOST, { ...done('A', 9), requestedAt: 6 }]],
    [
      'or where it went to another job',
      true,
      [
        { ...LOST, ...to('B') },
        { ...done('A', 9), requestedAt: 6 },
      ],
    ],
    [
      'not after an end of a later one in its job',
      false,
      [
        { ...LOST, ...to('A') },
        { ...done('A', 9), requestedAt: 6 },
      ],
    ],
    [
      'nor where a run said so',
      false,
      [
        { ...UNCERTAIN, ...to('A') },
        { ...done('A', 9), requestedAt: 6 },
      ],
    ],
    ['also while a later one works', true, [LOST, { state: 'running', ...withJob('A'), requestedAt: 6 }]],
    ['not what was not sent', false, [{ ...OTHER, ...NOT_SENT, requestedAt: 5 }]],
  ])('%s', (_, isDoubt, log) => {
    expect(read(...log).facts.inDoubt.map(({ record }) => record.requestDigest)).toEqual(
      isDoubt ? ['other'] : [],
    )
  })
})

test('5.1 a log from which a person deleted any one comment knows all the rest', () => {
  const log = [1, 2, 3, 4].map((at) =>
    recorded({ ...done(`J${at}`, at), requestDigest: `k${at}`, requestedAt: at, writtenAt: at }),
  )
  for (const gone of log) {
    const rest = log.filter((one) => one !== gone)
    expect(countedIn(rest).map(({ record }) => record.requestDigest)).toEqual(
      rest.map(({ record }) => record.requestDigest).toReversed(),
    )
    expect(fold(rest).job?.id).toBe(gone === log.at(-1) ? 'J3' : 'J4')
  }
})

test('5.1 a thread of 2,500 records is folded in less than a second', () => {
  const log = Array.from({ length: 2500 }, (_, at) =>
    recorded({ ...done('A', at), requestDigest: `k${at}`, requestedAt: at }),
  )
  const from = process.cpuUsage().user
  expect(fold(log).job?.id).toBe('A')
  expect(process.cpuUsage().user - from).toBeLessThan(1_000_000)
})

test('5.1 a copy that another bot posts is nothing that the action deletes', () => {
  const copy = { ...recorded(endedWith('A')), author: { login: 'echo[bot]' } }
  const own = recorded({ ...endedWith('A'), writtenAt: 2000 })
  expect(recordsOf([copy, own], MINE)).toMatchObject({ current: { id: own.id }, replaced: [] })
  // Of two equally new ones, the older comment is the action's.
  const [first, second] = [recorded(endedWith('A')), recorded(endedWith('A'))]
  expect(recordsOf([second, first], MINE).current?.id).toBe(first.id)
})

test('5.2 a re-run whose key is another one finds the only record of its earlier attempt', () => {
  const attempt = { ...endedWith('A'), requestDigest: 'computed', attempt: '1.1' }
  const reRun = { ...MINE, attempt: '1.2' }
  expect(recordsOf([recorded(attempt)], reRun).current?.record.requestDigest).toBe('computed')
  expect(recordsOf([recorded(attempt)], MINE).current).toBeUndefined()
  expect(
    recordsOf([recorded(attempt), recorded({ ...attempt, requestDigest: 'second' })], reRun).current,
  ).toBeUndefined()
})
