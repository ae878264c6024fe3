import { expect, test } from 'vitest'
import { SENDING_MS } from '../../src/record/log.ts'
import { ending } from '../../src/record/outcome.ts'
import { isRequestRecord } from '../../src/record/record.ts'
import { nextInQueue, type Queue, type QueueMove } from '../../src/story/queue.ts'
import { type RecordFields, recorded, withJob } from '../record/helpers.ts'

const SENDING = { state: 'sending', to: undefined, leaseMs: 60_000 } as const
const RUNNING = { state: 'running', ...withJob('j_1') } as const
const LOST = { state: 'closed', ending: ending('error', 'creation-uncertain') } as const
const GO = { kind: 'go', isEarlierInDoubt: false } as const
const EARLIER_IN_DOUBT = { kind: 'go', isEarlierInDoubt: true } as const

const NOW = 10 * SENDING_MS
const OWN = 5

/** A record of another request, in the comment with this id, written so many ms ago. */
const other = (id: number, fields: RecordFields, age = 0) => {
  const comment = recorded({ requestDigest: 'other', ...fields })
  if (!isRequestRecord(comment.record)) throw new Error('a record of a request')
  return { ...comment, record: comment.record, id, updatedAt: NOW - age }
}

interface Row extends Partial<Queue> {
  readonly when: string
  /** How long ago the own record was written, in ms. */
  readonly age?: number
  readonly gives: QueueMove
}

const ROWS: readonly Row[] = [
  { when: 'it is alone', gives: GO },
  {
    when: 'one with an older comment goes out',
    others: [other(4, SENDING)],
    gives: { kind: 'wait', renews: false, behind: ['other'] },
  },
  { when: 'one with a younger comment goes out', others: [other(6, SENDING)], gives: GO },
  { when: 'the older one has its job', others: [other(4, RUNNING)], awaited: new Set(['other']), gives: GO },
  {
    when: 'the older one has no answer after three minutes',
    others: [other(4, SENDING, SENDING_MS)],
    gives: EARLIER_IN_DOUBT,
  },
  {
    when: 'no run holds the older one any more',
    others: [other(4, { ...SENDING, leaseMs: 0 })],
    gives: EARLIER_IN_DOUBT,
  },
  {
    when: 'the older one says that its fate is not known',
    others: [other(4, LOST)],
    awaited: new Set(['other']),
    gives: EARLIER_IN_DOUBT,
  },
  { when: 'one said so before this one came', others: [other(4, LOST)], gives: GO },
  { when: 'the own record is a minute old', age: 60_000, gives: { kind: 'wait', renews: true, behind: [] } },
  {
    when: 'it has waited for a minute',
    others: [other(4, SENDING)],
    age: 60_000,
    gives: { kind: 'wait', renews: true, behind: ['other'] },
  },
  {
    when: 'the time is up while it waits',
    others: [other(4, SENDING)],
    isLate: true,
    gives: EARLIER_IN_DOUBT,
  },
  { when: 'the own record is three minutes old', age: SENDING_MS, gives: { kind: 'lost' } },
]

test.each(ROWS)(
  'H1 3.2 a request in the queue of its thread, where $when',
  ({ when: _, age = 0, gives, ...given }) => {
    const current = { id: OWN, updatedAt: NOW - age }
    const queue = { current, others: [], awaited: new Set<string>(), now: NOW, isLate: false, ...given }
    expect(nextInQueue(queue)).toEqual(gives)
  },
)
