import { describe, expect, test } from 'vitest'
import { ending } from '../../src/request/outcome.ts'
import { cameFurther, mayTell, type Teller } from '../../src/request/precedence.ts'
import type { StateName } from '../../src/request/record.ts'

const STATES = ['idle', 'sending', 'unknown', 'notSent', 'running', 'reported'] as const satisfies StateName[]

/** Of a process that would say an ending, by its state; of the thread, by its. `+` may say it, `-` may not. */
type Row = readonly [mine: StateName, ...theirs: readonly string[]]

const tableOf = (given: Omit<Teller, 'state' | 'round'>, isEnded: boolean): readonly Row[] =>
  STATES.map((state) => [
    state,
    ...STATES.map((theirs) =>
      mayTell(
        { ...given, state, round: 0 },
        { state: theirs, round: 0, ending: isEnded ? ending('timed-out') : undefined },
      )
        ? '+'
        : '-',
    ),
  ])

/** Over all but a result, and what came further. */
const FURTHER: readonly Row[] = [
  ['idle', '+', '-', '-', '-', '-', '-'],
  ['sending', '+', '+', '+', '+', '-', '-'],
  ['unknown', '+', '+', '+', '+', '-', '-'],
  ['notSent', '+', '+', '+', '+', '-', '-'],
  ['running', '+', '+', '+', '+', '+', '-'],
  ['reported', '+', '+', '+', '+', '+', '-'],
]

describe('5.2 6.2 whose words stand', () => {
  test('a run that asked the agent says how that ended over all but a result, and what came further', () => {
    const mine = { outcome: 'error', knowsMore: true, addsToResult: false } as const
    for (const isEnded of [false, true]) {
      expect(tableOf(mine, isEnded)).toEqual(FURTHER)
    }
  })

  test('who did not leaves an end that the thread shows, and says of a job at work only that it waits no more', () => {
    const served = { knowsMore: false, addsToResult: false }
    const over = [
      ['idle', '-', '-', '-', '-', '-', '-'],
      ['sending', '+', '-', '-', '-', '-', '-'],
      ['unknown', '+', '-', '-', '-', '-', '-'],
      ['notSent', '+', '-', '-', '-', '-', '-'],
      ['running', '+', '+', '+', '+', '-', '-'],
      ['reported', '+', '+', '+', '+', '+', '-'],
    ]
    expect(tableOf({ ...served, outcome: 'cancelled' }, true)).toEqual(over)
    expect(tableOf({ ...served, outcome: 'error' }, true)).toEqual(over)
    expect(tableOf({ ...served, outcome: 'cancelled' }, false)).toEqual(FURTHER)
    const ofError = FURTHER.map((row) => (row[0] === 'running' ? row.with(5, '-') : row))
    expect(tableOf({ ...served, outcome: 'error' }, false)).toEqual(ofError)
  })

  test('a result is written over only by who goes on with its checks or its preview', () => {
    for (const knowsMore of [false, true]) {
      const mine = { outcome: 'pull-request', state: 'reported', round: 0, knowsMore } as const
      const theirs = { state: 'reported', round: 0, ending: ending('pull-request') } as const
      expect(mayTell({ ...mine, addsToResult: true }, theirs)).toBe(true)
      expect(mayTell({ ...mine, addsToResult: false }, theirs)).toBe(false)
    }
  })

  test('a process goes on from a record that came further than its own', () => {
    const further = STATES.map((state) =>
      STATES.filter((theirs) => cameFurther({ state: theirs, round: 0 }, { state, round: 0 })),
    )
    const [asked, known] = [
      ['sending', 'unknown', 'notSent'],
      ['running', 'reported'],
    ]
    expect(further).toEqual([[...asked, ...known], known, known, known, ['reported'], []])
  })

  test('a request that went out again is further than any result of the job that failed', () => {
    const failed = { state: 'reported', round: 0, ending: ending('failed') } as const
    for (const state of STATES) {
      const mine = { state, round: 1, outcome: 'cancelled', knowsMore: true, addsToResult: false } as const
      expect([mayTell(mine, failed), cameFurther(failed, mine)]).toEqual([true, false])
    }
  })
})
