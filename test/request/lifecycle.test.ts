import { describe, expect, test } from 'vitest'
import type { Job } from '../../src/request/job.ts'
import {
  type EventType,
  existingRecordStands,
  jobOf,
  type RequestEvent,
  type RequestState,
  type StateName,
  transition,
} from '../../src/request/lifecycle.ts'

const jobThatIs = (status: string, prLink = ''): Job => ({
  id: 'j_1',
  status,
  prLink,
  unusableLink: false,
  model: 'sonnet',
  repository: '',
  ref: '',
  createdAt: '',
  archivedAt: '',
})
const PR = 'https://github.com/octo/app/pull/77'
const active = jobThatIs('active')
const completed = jobThatIs('completed', PR)
const waitedFor = { job: active, messagedAt: 5, waitsUntil: 9000 }

/** One of each state. */
const STATES: { readonly [S in StateName]: Extract<RequestState, { state: S }> } = {
  received: { state: 'received' },
  sending: { state: 'sending', jobId: 'j_1' },
  unknown: { state: 'unknown', jobId: 'j_1' },
  notSent: { state: 'notSent' },
  answered: { state: 'answered' },
  running: { state: 'running', ...waitedFor },
  detached: { state: 'detached', ...waitedFor, waitsUntil: 0 },
  reported: { state: 'reported', ...waitedFor, job: completed, waitsUntil: 0 },
}

/** One of each event, and each variant that makes a difference. */
const EVENTS = {
  send: { type: 'send', jobId: 'j_2' },
  jobGone: { type: 'jobGone' },
  accepted: { type: 'accepted', job: active, messagedAt: 7 },
  noAnswer: { type: 'noAnswer', message: 'Why.' },
  resume: { type: 'resume' },
  wait: { type: 'wait', until: 10_000 },
  leave: { type: 'leave' },
  read: { type: 'read', job: jobThatIs('active', PR) },
  'ended completed': { type: 'ended', job: completed },
  'ended without a link': { type: 'ended', job: jobThatIs('completed') },
  'ended archived': { type: 'ended', job: jobThatIs('archived') },
  'ended failed': { type: 'ended', job: jobThatIs('failed', PR) },
  'ended active': { type: 'ended', job: active },
  'failed network': { type: 'failed', reason: 'network', message: 'Why.' },
  'failed job-not-found': { type: 'failed', reason: 'job-not-found', message: 'Why.' },
  answered: { type: 'answered', reason: 'help', message: 'Why.' },
  deadline: { type: 'deadline', message: 'Why.' },
  cancelled: { type: 'cancelled' },
  killed: { type: 'killed' },
} as const satisfies Record<string, RequestEvent>

type Row = Readonly<Record<StateName, string>>

const row = (...cells: readonly string[]): Row => {
  const names: readonly StateName[] = [
    ...(['received', 'sending', 'unknown', 'notSent', 'answered'] as const),
    ...(['running', 'detached', 'reported'] as const),
  ]
  return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])) as Row
}

/**
 * Next state | effects | ending: S saves the state, W writes the status comment, O sets the outputs. `—` cannot happen.
 * The columns are: received, sending, unknown, notSent, answered; running, detached, reported.
 */
const EXPECTED: Readonly<Record<keyof typeof EVENTS, Row>> = {
  send: row(...['sending|SW', '—', 'sending|SW', 'sending|SW', 'sending|SW'], ...['—', '—', '—']),
  jobGone: row('—', 'received', '—', '—', '—', '—', '—', '—'),
  accepted: row('—', 'running|OS', '—', '—', '—', '—', '—', '—'),
  noAnswer: row('—', 'unknown||error creation-uncertain', '—', '—', '—', '—', '—', '—'),
  resume: row(
    ...['received', 'unknown||error creation-uncertain', 'unknown', 'notSent', 'answered'],
    ...['running|OS', 'running|OS', 'reported|O'],
  ),
  wait: row('—', '—', '—', '—', '—', 'running|SW', '—', '—'),
  leave: row('—', '—', '—', '—', '—', 'running|S|started', '—', '—'),
  read: row('—', '—', '—', '—', '—', 'running|O', 'detached|O', 'reported|O'),
  'ended completed': row(
    ...['—', '—', '—', '—', '—'],
    ...['reported|O|pull-request', 'reported|O|pull-request', 'reported|O|pull-request'],
  ),
  'ended without a link': row(
    ...['—', '—', '—', '—', '—'],
    ...['reported|O|no-pull-request', 'reported|O|no-pull-request', 'reported|O|no-pull-request'],
  ),
  'ended archived': row(
    ...['—', '—', '—', '—', '—'],
    ...['reported|O|archived', 'reported|O|archived', 'reported|O|archived'],
  ),
  'ended failed': row(
    ...['—', '—', '—', '—', '—'],
    ...['reported|O|failed', 'reported|O|failed', 'reported|O|failed'],
  ),
  'ended active': row('—', '—', '—', '—', '—', '—', '—', '—'),
  'failed network': row(
    ...['notSent||error network', 'notSent||error network', 'unknown||error network'],
    ...['notSent||error network', 'notSent||error network'],
    ...['detached||error network', 'detached||error network', 'reported||error network'],
  ),
  'failed job-not-found': row(
    ...['notSent||error job-not-found', 'notSent||error job-not-found', 'unknown||error job-not-found'],
    ...['notSent||error job-not-found', 'notSent||error job-not-found'],
    ...['reported||error job-not-found', 'reported||error job-not-found', 'reported||error job-not-found'],
  ),
  answered: row(
    ...['answered||skipped help', 'sending||skipped help', 'answered||skipped help'],
    ...['answered||skipped help', 'answered||skipped help'],
    ...['running||skipped help', 'detached||skipped help', 'reported||skipped help'],
  ),
  deadline: row(
    ...['notSent||timed-out', 'notSent||timed-out', 'unknown||timed-out', 'notSent||timed-out'],
    ...['notSent||timed-out', 'detached||timed-out', 'detached||timed-out', 'reported||timed-out'],
  ),
  cancelled: row(
    ...['notSent||cancelled', 'notSent||cancelled', 'unknown||cancelled', 'notSent||cancelled'],
    ...['notSent||cancelled', 'detached||cancelled', 'detached||cancelled', 'reported||cancelled'],
  ),
  killed: row(
    ...['notSent||cancelled', 'unknown||error creation-uncertain', 'unknown', 'notSent', 'answered'],
    ...['detached||cancelled', 'detached', 'reported'],
  ),
}

const EFFECTS = { S: 'saveState', W: 'writeStatus', O: 'setOutputs' } as const

const cases = Object.entries(EXPECTED).flatMap(([event, cells]) =>
  Object.entries(cells).map(([state, cell]) => ({ event, state, cell })),
) as { event: keyof typeof EVENTS; state: StateName; cell: string }[]

test.each(cases)('$event, $state: $cell', ({ event, state, cell }) => {
  const apply = () => transition(STATES[state], EVENTS[event])
  if (cell === '—') return expect(apply).toThrow()
  const [next, letters = '', ending] = cell.split('|')
  const result = apply()
  expect(result.state.state).toBe(next)
  expect(result.effects).toEqual(Array.from(letters, (letter) => EFFECTS[letter as keyof typeof EFFECTS]))
  const [outcome, reason = ''] = ending?.split(' ') ?? []
  if (outcome === undefined) expect(result.ending).toBeUndefined()
  else expect(result.ending).toMatchObject({ outcome, reason })
})

test('the table has every event type and every state', () => {
  const types: Record<EventType, true> = {
    ...{ send: true, jobGone: true, accepted: true, noAnswer: true, resume: true, wait: true, leave: true },
    ...{
      read: true,
      ended: true,
      failed: true,
      answered: true,
      deadline: true,
      cancelled: true,
      killed: true,
    },
  }
  expect(new Set(Object.values(EVENTS).map(({ type }) => type))).toEqual(new Set(Object.keys(types)))
  expect(cases).toHaveLength(Object.keys(EVENTS).length * Object.keys(STATES).length)
})

describe('what a state carries', () => {
  const next = (state: StateName, event: keyof typeof EVENTS) => transition(STATES[state], EVENTS[event])

  test('5.2 a request remembers which job it was for, also when its answer never came', () => {
    expect(next('received', 'send').state).toEqual({ state: 'sending', jobId: 'j_2' })
    for (const event of ['noAnswer', 'resume', 'killed'] as const) {
      expect(next('sending', event).state).toEqual({ state: 'unknown', jobId: 'j_1' })
    }
    for (const event of ['failed network', 'deadline', 'cancelled'] as const) {
      expect(next('unknown', event).state).toEqual(STATES.unknown)
    }
  })

  test('5.2 an accepted request knows its job; no run waits until it says so', () => {
    const { state } = next('sending', 'accepted')
    expect(state).toEqual({ state: 'running', job: active, messagedAt: 7, waitsUntil: 0 })
    const waiting = transition(state, EVENTS.wait).state
    expect(waiting).toEqual({ state: 'running', job: active, messagedAt: 7, waitsUntil: 10_000 })
  })

  test.each(['leave', 'failed network', 'deadline', 'cancelled', 'killed', 'ended completed'] as const)(
    '8.1 after %s no run waits, and the message stays known',
    (event) => {
      expect(next('running', event).state).toMatchObject({ waitsUntil: 0, messagedAt: 5 })
    },
  )

  test('a read replaces the job and nothing else', () => {
    expect(next('running', 'read').state).toEqual({ ...STATES.running, job: EVENTS.read.job })
    expect(next('detached', 'resume').state).toEqual({ ...STATES.detached, state: 'running' })
  })

  test('6.2 a job that ended, or that is gone, is reported with what is known of it', () => {
    expect(jobOf(next('running', 'ended failed').state)).toEqual(EVENTS['ended failed'].job)
    expect(jobOf(next('running', 'failed job-not-found').state)).toEqual(active)
  })

  test.each(['noAnswer', 'failed network', 'deadline'] as const)(
    '%s: the ending carries the message',
    (event) => {
      expect(next('sending', event).ending?.message).toBe('Why.')
    },
  )

  test.each(['resume', 'killed'] as const)(
    '4.3 %s without an answer says to look at the dashboard',
    (event) => {
      expect(next('sending', event).ending?.message).toContain('Look at the dashboard first')
    },
  )
})

/** Whether the record in the row stays when a run reports the state in the column. */
const STANDS: Readonly<Record<string, string>> = {
  // next:             received sending unknown notSent answered running detached reported
  'received, earlier': 'no       no      no      no      no       no      no       no',
  'sending, earlier': ' no       no      no      yes     yes      no      no       no',
  'unknown, earlier': ' no       no      no      no      no       no      no       no',
  'notSent, earlier': ' no       no      no      no      no       no      no       no',
  'answered, earlier': 'no       no      no      no      no       no      no       no',
  'running, earlier': ' no       no      no      yes     yes      no      no       no',
  'detached, earlier': 'no       no      no      yes     yes      no      no       no',
  'reported, earlier': 'yes      yes     yes     yes     yes      yes     yes      yes',
  'sending, same': '    no       no      no      no      no       no      no       no',
  'running, same': '    no       no      no      yes     yes      no      no       no',
  'reported, same': '   yes      yes     yes     yes     yes      yes     yes      yes',
}
const COLUMNS: readonly StateName[] = [
  ...(['received', 'sending', 'unknown', 'notSent', 'answered'] as const),
  ...(['running', 'detached', 'reported'] as const),
]

test.each(Object.entries(STANDS))(
  '5.2 the record of a request that is %s run, by next state:%s',
  (existing, cells) => {
    const [name = '', of] = existing.split(', ')
    const record = { ...STATES[name as StateName], run: of === 'same' ? '1.2' : '1.1' }
    const stands = COLUMNS.map((next) => (existingRecordStands(record, STATES[next], '1.2') ? 'yes' : 'no'))
    expect(stands).toEqual(cells.trim().split(/\s+/))
  },
)
