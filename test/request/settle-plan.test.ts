import { expect, test } from 'vitest'
import type { CheckState } from '../../src/request/check-state.ts'
import { type Ending, ending } from '../../src/request/outcome.ts'
import type { Surroundings } from '../../src/request/parts.ts'
import { mayTell } from '../../src/request/precedence.ts'
import { type RequestRecord, stateOf } from '../../src/request/record.ts'
import { type Found, planSettle } from '../../src/request/settle-plan.ts'
import { afterEvents } from '../../src/request/states.ts'
import { asMainStep, asPostStep, asSweep } from '../../src/run/callers.ts'
import { IDENTITY, type RecordFields, reportedWith, requestRecordOf, withJob } from './helpers.ts'

const MAIN = { fixAttempts: 2, timeoutMs: 1, pollMs: 1 }
const CLOCK = { monotonic: () => 0 }
const CALLERS = {
  main: asMainStep({ ...MAIN, wait: true }, 0, () => {}),
  'no-wait': asMainStep({ ...MAIN, wait: false }, 0, () => {}),
  post: asPostStep(CLOCK, ending('cancelled'), () => {}),
  sweep: asSweep(CLOCK),
}
type Process = keyof typeof CALLERS
const PROCESSES = Object.keys(CALLERS) as Process[]

const PENDING: CheckState = { status: 'pending', sentFor: ['a'], messagedAt: 5 }
const LINK = 'https://github.com/octo/app/pull/77'
const STATES = {
  idle: { state: 'idle' },
  sending: { state: 'sending', jobId: '' },
  unknown: { state: 'unknown', jobId: '' },
  notSent: { state: 'notSent' },
  running: { state: 'running', ...withJob('j', LINK) },
  reported: { ...reportedWith('j', LINK), openParts: ['labels', 'preview'] },
  pending: { ...reportedWith('j', LINK), checks: PENDING, openParts: ['status'] },
  followed: { ...reportedWith('j', LINK), checks: PENDING, openParts: ['checks', 'status'] },
} satisfies Record<string, RecordFields>

const AROUND: Surroundings = {
  ...{ serverUrl: 'https://github.com', repository: { owner: 'octo', repo: 'app' }, thread: 12 },
  ...{ isLinked: false, decidesStatus: false, isFirstRun: false, hasEarlier: false },
}

/** @param shown by the thread */
const found = (process: Process, record: RequestRecord, end: Ending, shown?: RequestRecord): Found => ({
  ...{
    role: CALLERS[process],
    state: stateOf(record),
    end,
    shown,
    around: AROUND,
  },
  identity: { ...IDENTITY, settings: { ...IDENTITY.settings, preview: true } },
  knowsFirsthand: false,
  isHeldByOther: false,
})

/** What the record says then, whose words stand, and what is waited for. */
function cell(given: Found): string {
  const { events, isResult, teller, awaits } = planSettle(given)
  const state = afterEvents(given.state, events)
  const isTheirs = !mayTell(teller, given.shown)
  const open = state.openParts.join('+')
  const said = state.ending === undefined ? '' : ` ${state.ending.outcome}`
  const words = `${isResult ? ' result' : ''}${isTheirs ? ' theirs' : ''}`
  return `${state.state}${said}${open && ` ${open}`}${words}${awaits === undefined ? '' : ` → ${awaits}`}`
}

type Named = keyof typeof STATES
type Row = readonly [Named, ...(readonly string[])]

/** What each process makes of an end that the thread does not show yet. */
const tableOf = (end: Ending, states: readonly Named[]): readonly Row[] =>
  states.map((name) => {
    const record = requestRecordOf(STATES[name] as RecordFields)
    return [name, ...PROCESSES.map((one) => cell(found(one, record, end)))]
  })

const EARLY = ['idle', 'sending', 'unknown', 'notSent'] as const
const LATE = ['running', 'reported', 'pending', 'followed'] as const

test('4.12 5.6 the end of a job is said once, with all that follows; who waits goes on with checks or preview', () => {
  expect(tableOf(ending('pull-request'), LATE)).toEqual([
    [
      'running',
      'reported pull-request reaction+link+preview+checks result → checks',
      'reported pull-request reaction+link+preview result → preview',
      'reported pull-request reaction+link+preview result',
      'reported pull-request reaction+link+preview result → preview',
    ],
    [
      'reported',
      'reported labels+preview → preview',
      'reported labels+preview → preview',
      'reported labels+preview',
      'reported labels+preview → preview',
    ],
    ['pending', 'reported status+checks → checks', ...Array(3).fill('reported status')],
    ['followed', 'reported checks+status → checks', ...Array(3).fill('reported status')],
  ])
  expect(tableOf(ending('error', 'job-not-found'), LATE)).toEqual([
    ['running', ...Array(4).fill('reported error reaction+link result')],
    ['reported', ...Array(4).fill('reported labels+preview')],
    ['pending', ...Array(4).fill('reported status')],
    ['followed', ...Array(4).fill('reported status')],
  ])
})

test('3.13 4.12 checks that another run follows stay open, whoever comes to the end of the request meanwhile', () => {
  const record = requestRecordOf(STATES.followed as RecordFields)
  const rows = PROCESSES.map((one) => {
    const given = found(one, record, ending('cancelled'), record)
    return [cell(given), cell({ ...given, isHeldByOther: true })]
  })
  // The thread says that they run, and who was cut short before does not change that.
  expect(rows).toEqual(Array(4).fill(Array(2).fill('reported checks+status theirs')))
  // A post step says that nobody follows them any more, unless another run does.
  const ended = found('post', record, ending('pull-request'), record)
  expect([cell(ended), cell({ ...ended, isHeldByOther: true })]).toEqual([
    'reported status',
    'reported checks+status theirs',
  ])
})

test('5.2 5.6 an end without a result is noted in each state; a sweep leaves a missing answer to a re-run', () => {
  expect(tableOf(ending('cancelled'), [...EARLY, ...LATE])).toEqual([
    ['idle', ...Array(4).fill('idle cancelled reaction')],
    ['sending', ...Array(3).fill('unknown cancelled reaction'), 'sending cancelled reaction'],
    ['unknown', ...Array(4).fill('unknown cancelled reaction')],
    ['notSent', ...Array(4).fill('notSent cancelled reaction')],
    ['running', ...Array(4).fill('running cancelled reaction+link')],
    ['reported', ...Array(4).fill('reported labels+preview')],
    ['pending', ...Array(4).fill('reported status')],
    ['followed', ...Array(4).fill('reported status')],
  ])
})

test('5.6 what only repeats the record opens nothing again, and an end that it does not have does', () => {
  const known = ending('error', 'network', 'The service did not answer.')
  const record = requestRecordOf({ state: 'unknown', jobId: '', ending: known, openParts: ['status'] })
  for (const process of PROCESSES) {
    expect(cell(found(process, record, { ...known }))).toBe('unknown error status')
    expect(cell(found(process, record, { ...known, message: 'It hung up.' }))).toBe('unknown error reaction')
    expect(cell(found(process, record, { ...known, reason: 'forbidden' }))).toBe('unknown error reaction')
  }
})

/** Of a process that learned nothing, and of one that asked the agent. */
const wordsOver = (name: Named, shown: RequestRecord): readonly string[] => {
  const record = requestRecordOf(STATES[name] as RecordFields)
  const by = (process: Process) => found(process, record, ending('error', 'network'), shown)
  return [...PROCESSES.map((one) => cell(by(one))), cell({ ...by('main'), knowsFirsthand: true })]
}

test('5.2 6.2 words that stand keep their record; main step, post step of the same run, and idle runs say their own', () => {
  const [open, timedOut] = [STATES.running, { ending: ending('timed-out'), openParts: ['issue' as const] }]
  const [kept, own] = ['running theirs', 'running error reaction+link']
  const other = { run: '1.2' }
  expect(wordsOver('running', requestRecordOf(open))).toEqual([kept, kept, own, kept, own])
  expect(wordsOver('running', requestRecordOf({ ...open, ...other }))).toEqual([kept, kept, kept, kept, own])
  const ended = 'running timed-out issue theirs'
  expect(wordsOver('running', requestRecordOf({ ...open, ...timedOut }))).toEqual([
    ...[ended, ended, ended, ended, own],
  ])
  const idle = 'idle error reaction'
  const saidIdle = requestRecordOf({ ...STATES.idle, ...timedOut })
  const saidBefore = 'idle timed-out issue theirs'
  expect(wordsOver('idle', saidIdle)).toEqual([idle, idle, saidBefore, saidBefore, idle])
})

test('4.12 5.2 a result stays, but for who goes on with its checks or its preview, or follows them no more', () => {
  const over = (name: Named, process: Process, end = ending('pull-request')) => {
    const record = requestRecordOf(STATES[name] as RecordFields)
    return cell(found(process, record, end, record))
  }
  const words = (name: Named, end?: Ending) => PROCESSES.map((one) => over(name, one, end))
  const labels = 'reported labels+preview'
  expect(words('reported')).toEqual([
    ...[`${labels} → preview`, `${labels} → preview`, `${labels} theirs`, `${labels} → preview`],
  ])
  expect(words('pending')).toEqual([
    'reported status+checks → checks',
    ...Array(3).fill('reported status theirs'),
  ])
  expect(words('followed')).toEqual(['reported checks+status → checks', ...Array(3).fill('reported status')])
  expect(words('reported', ending('cancelled'))).toEqual(Array(4).fill(`${labels} theirs`))
  expect(words('followed', ending('cancelled'))).toEqual(Array(4).fill('reported checks+status theirs'))
  // What a run said when it waited no longer is no result.
  const timedOut = requestRecordOf({ ...STATES.running, ending: ending('timed-out') })
  expect(cell(found('sweep', timedOut, ending('pull-request'), timedOut))).toBe(
    'reported pull-request reaction+link+preview result → preview',
  )
  // Another run reported the job while this one came to its end.
  const running = requestRecordOf(STATES.running)
  const reported = requestRecordOf(STATES.reported)
  expect(cell(found('main', running, ending('pull-request'), reported))).toBe(
    'reported pull-request reaction+link+preview result theirs',
  )
})

test('4.12 6.2 only who goes on with a result that the thread shows has nothing to tell people', () => {
  const kept = requestRecordOf(STATES.followed)
  const addsOver = (shown: RequestRecord | undefined) =>
    PROCESSES.map((one) => planSettle(found(one, kept, ending('pull-request'), shown)).teller.addsToResult)
  expect(addsOver(kept)).toEqual(Array(4).fill(true))
  expect(addsOver(requestRecordOf(STATES.running))).toEqual(Array(4).fill(false))
  expect(addsOver(undefined)).toEqual(Array(4).fill(false))
  // GitHub did not take what the run said of the checks, once it had closed them.
  const ended = requestRecordOf({ ...STATES.followed, openParts: ['status'] })
  const over = planSettle(found('post', ended, ending('pull-request'), kept))
  expect(over.teller.addsToResult).toBe(true)
})
