import { expect, test } from 'vitest'
import type { CheckState } from '../../src/request/check-state.ts'
import { jobWithId } from '../../src/request/job.ts'
import { ending } from '../../src/request/outcome.ts'
import type { RequestState } from '../../src/request/record.ts'
import { type RequestEvent, transition } from '../../src/request/states.ts'
import { type RecordFields, reportedWith, stateIn, withJob } from './helpers.ts'

const LINK = 'https://github.com/octo/docs/pull/7'

/** In each state, a run that waits no longer has said so, and two parts are open. */
const said = { ending: ending('timed-out'), openParts: ['issue' as const, 'status' as const] }
const BEFORE = {
  idle: { state: 'idle', ...said },
  sending: { state: 'sending', jobId: 'J', ...said },
  unknown: { state: 'unknown', jobId: 'J', ...said },
  notSent: { state: 'notSent', ...said },
  running: { state: 'running', ...withJob('J', LINK, 'active'), ...said, messagedAt: 5, wasBusy: true },
  reported: { ...reportedWith('J', LINK), ...said, headBefore: 'abc' },
} satisfies Record<string, RecordFields>

/** Those of one cell for each event. */
const EVENTS = {
  retry: { type: 'retry' },
  send: { type: 'send', jobId: 'K' },
  notSent: { type: 'notSent' },
  noAnswer: { type: 'noAnswer' },
  accepted: {
    type: 'accepted',
    job: { ...jobWithId('K'), status: 'active' },
    ...{ note: {}, messagedAt: 9, headBefore: 'def', wasBusy: true },
  },
  read: { type: 'read', job: { ...jobWithId('J'), status: 'failed' } },
  follow: { type: 'follow' },
  followChecks: { type: 'followChecks', decidesStatus: false },
  report: { type: 'report', ending: ending('failed'), openParts: ['reaction'], isLinked: true },
  end: { type: 'end', ending: ending('cancelled'), openParts: ['reaction'] },
  check: { type: 'check', checks: { status: 'failure', sentFor: ['abc'], messagedAt: 7 } },
  link: { type: 'link' },
  close: { type: 'close', part: 'status' },
  reopen: { type: 'reopen', part: 'reaction' },
} as const satisfies { readonly [E in RequestEvent['type']]: Extract<RequestEvent, { type: E }> }

/** Every field of a state that is not as in a new one. */
function shown(state: RequestState): string {
  const words: string[] = [state.state]
  if ('jobId' in state) words.push(state.jobId)
  if ('job' in state) {
    const { id, status, prLink, isEarlierLink } = state.job
    words.push(`${id}:${status}${prLink && (isEarlierLink ? ' earlier link' : ' link')}`)
    if (state.messagedAt !== 0) words.push(`at ${state.messagedAt}`)
    if (state.headBefore !== undefined) words.push(`after ${state.headBefore}`)
    if (state.wasBusy) words.push('busy')
  }
  if (state.state === 'reported') {
    const { checks, isLinked } = state
    if (checks !== undefined)
      words.push(['checks', checks.status, ...checks.sentFor, checks.messagedAt].join(' '))
    if (isLinked) words.push('linked')
  }
  const open = state.openParts.join('+')
  return `${words.join(', ')} | ${state.ending?.outcome ?? ''}${open && ` ${open}`}`.trimEnd()
}

/** What an event makes of each state. @returns those in which it can happen */
const rowsOf = (event: RequestEvent): readonly string[] =>
  Object.values<RecordFields>(BEFORE).flatMap((fields) => {
    try {
      return [`${fields.state} → ${shown(transition(stateIn(fields), event))}`]
    } catch (error) {
      expect(String(error)).toContain(`${event.type} cannot happen in the state ${fields.state}`)
      return []
    }
  })

/** A state that is not among the rows of an event cannot have it. */
const ROWS: Readonly<Record<RequestEvent['type'], readonly string[]>> = {
  retry: [
    'idle → idle |',
    'sending → sending, J | timed-out issue+status',
    'unknown → unknown, J |',
    'notSent → notSent |',
    'running → running, J:active link, at 5, busy |',
    'reported → reported, J:completed link, after abc | timed-out issue+status',
  ],
  send: ['idle → sending, K |', 'unknown → sending, K |', 'notSent → sending, K |'],
  notSent: ['sending → notSent |'],
  noAnswer: ['sending → unknown, J | timed-out issue+status'],
  accepted: ['sending → running, K:active, at 9, after def, busy |'],
  read: [
    'running → running, J:failed earlier link, at 5, busy | timed-out issue+status',
    'reported → reported, J:failed earlier link, after abc | timed-out issue+status',
  ],
  follow: ['running → running, J:active link, at 5, busy |'],
  followChecks: [
    'reported → reported, J:completed link, after abc, checks pending 0 | timed-out issue+status+checks',
  ],
  report: ['running → reported, J:active link, at 5, busy, linked | failed reaction'],
  end: [
    'idle → idle | cancelled reaction',
    'sending → sending, J | cancelled reaction',
    'unknown → unknown, J | cancelled reaction',
    'notSent → notSent | cancelled reaction',
    'running → running, J:active link, at 5, busy | cancelled reaction',
  ],
  check: ['reported → reported, J:completed link, after abc, checks failure abc 7 | timed-out issue+status'],
  link: ['reported → reported, J:completed link, after abc, linked | timed-out issue+status'],
  close: [
    'idle → idle | timed-out issue',
    'sending → sending, J | timed-out issue',
    'unknown → unknown, J | timed-out issue',
    'notSent → notSent | timed-out issue',
    'running → running, J:active link, at 5, busy | timed-out issue',
    'reported → reported, J:completed link, after abc | timed-out issue',
  ],
  reopen: [
    'idle → idle | timed-out issue+status+reaction',
    'sending → sending, J | timed-out issue+status+reaction',
    'unknown → unknown, J | timed-out issue+status+reaction',
    'notSent → notSent | timed-out issue+status+reaction',
    'running → running, J:active link, at 5, busy | timed-out issue+status+reaction',
    'reported → reported, J:completed link, after abc | timed-out issue+status+reaction',
  ],
}

test.each(Object.values<RequestEvent>(EVENTS))('5.2 5.6 what $type makes of each state', (event) => {
  expect(rowsOf(event)).toEqual(ROWS[event.type])
})

test('4.12 checks that an earlier run followed are followed once more with what it knew, and are open once', () => {
  const checks: CheckState = { status: 'failure', sentFor: ['abc'], messagedAt: 7, hadAny: true }
  const followed = stateIn({ ...BEFORE.reported, checks, openParts: ['checks', 'status'] })
  expect(transition(followed, EVENTS.followChecks)).toEqual({
    ...followed,
    checks: { ...checks, status: 'pending' },
  })
})
