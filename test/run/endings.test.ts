import { expect, test } from 'vitest'
import { ending } from '../../src/request/outcome.ts'
import { endAsRecorded } from '../../src/run/endings.ts'
import { type RecordFields, reportedWith, stateIn, withJob } from '../request/helpers.ts'

const SAID = { ending: ending('timed-out') }
const STATES = {
  idle: { state: 'idle' },
  'idle, said': { state: 'idle', ...SAID },
  sending: { state: 'sending', jobId: '' },
  unknown: { state: 'unknown', jobId: '' },
  notSent: { state: 'notSent' },
  running: { state: 'running', ...withJob('j') },
  'running, said': { state: 'running', ...withJob('j'), ...SAID },
  reported: reportedWith('j'),
} satisfies Record<string, RecordFields>

/** How each process ends: one that sent nothing, one that sent, and one that goes on from the record of another. */
const rowOf = (fields: RecordFields, own: 'error' | 'cancelled' | 'skipped') => {
  const state = stateIn(fields)
  const end = ending(own, own === 'error' ? 'network' : '')
  return [
    { hasAnnounced: false, isAdopted: false },
    { hasAnnounced: true, isAdopted: false },
    { hasAnnounced: false, isAdopted: true },
  ].map(({ hasAnnounced, isAdopted }) => {
    const { outcome, reason } = endAsRecorded(end, { state, hasAnnounced }, isAdopted)
    return reason || outcome
  })
}

const tableOf = (own: 'error' | 'cancelled' | 'skipped') =>
  Object.entries<RecordFields>(STATES).map(([name, fields]) => [name, ...rowOf(fields, own)])

test('5.2 6.2 an end is that of the record where another process came further, or sent what this one did not', () => {
  expect(tableOf('error')).toEqual([
    ['idle', 'network', 'network', 'network'],
    ['idle, said', 'network', 'network', 'timed-out'],
    ['sending', 'creation-uncertain', 'network', 'creation-uncertain'],
    ['unknown', 'network', 'network', 'creation-uncertain'],
    ['notSent', 'network', 'network', 'network'],
    ['running', 'network', 'network', 'network'],
    ['running, said', 'network', 'network', 'network'],
    ['reported', 'no-pull-request', 'network', 'no-pull-request'],
  ])
})

test('6.1 a run that was cancelled says so over what another one said, and a skip stays one', () => {
  expect(tableOf('cancelled')).toEqual([
    ['idle', 'cancelled', 'cancelled', 'cancelled'],
    ['idle, said', 'cancelled', 'cancelled', 'cancelled'],
    ['sending', 'creation-uncertain', 'cancelled', 'creation-uncertain'],
    ['unknown', 'cancelled', 'cancelled', 'creation-uncertain'],
    ['notSent', 'cancelled', 'cancelled', 'cancelled'],
    ['running', 'cancelled', 'cancelled', 'cancelled'],
    ['running, said', 'cancelled', 'cancelled', 'cancelled'],
    ['reported', 'cancelled', 'cancelled', 'cancelled'],
  ])
  expect(tableOf('skipped').flatMap(([, ...cells]) => cells)).toEqual(Array(24).fill('skipped'))
})
