import { expect, test } from 'vitest'
import { jobWithId } from '../../src/record/job.ts'
import { ending } from '../../src/record/outcome.ts'
import { NO_CHECKS, type RequestState } from '../../src/record/record.ts'
import {
  accept,
  close,
  IDLE,
  isAskedAgain,
  isCompleted,
  isInDoubt,
  isInProgress,
  isWaitedFor,
  isWithAgent,
  markInDoubt,
  noteChecks,
  noteEffects,
  noteJob,
  stopWaiting,
  toEnded,
  toIdle,
  toSending,
  watch,
  withoutRunEnding,
} from '../../src/record/states.ts'

const job = jobWithId('j')
const UNKNOWN = ending('error', 'creation-uncertain')
const DONE = ending('no-pull-request')
const ACCEPTED = { job, acceptedAt: 1, note: {}, messagedAt: 0, wasBusy: false, headBefore: '' }

const sending = toSending(IDLE, job)
const running = accept(sending, ACCEPTED)
const ended = toEnded(running, DONE, { isWatched: true })
const closed = close(IDLE, UNKNOWN)

/** All transitions: what happens, the way, the state that it leaves, and the one that it gives. */
const ALL: readonly (readonly [string, string, RequestState, RequestState])[] = [
  ['the request goes out', 'idle → sending', IDLE, sending],
  ['it goes to another job', 'sending → sending', sending, toSending(sending, undefined)],
  ['it surely did not go out', 'sending → idle', sending, toIdle(sending)],
  ['nobody knows whether it went out', 'sending → sending', sending, markInDoubt(sending, UNKNOWN)],
  ['its own run says so', 'sending → closed', sending, close(sending, UNKNOWN)],
  ['the service took it', 'sending → running', sending, running],
  ['its job is read', 'running → running', running, noteJob(running, { ...job, status: 'active' })],
  ['its run stops waiting', 'running → running', running, stopWaiting(running, ending('timed-out'))],
  ['another run waits', 'running → running', running, withoutRunEnding(running)],
  ['its job ended', 'running → ended', running, ended],
  ['its checks are followed', 'ended → ended', ended, watch(ended)],
  ['its checks are read', 'ended → ended', ended, noteChecks(ended, job, NO_CHECKS)],
  ['all is done that follows', 'ended → ended', ended, noteEffects(ended, true)],
  ['it is not sent', 'idle → closed', IDLE, closed],
  ['all is done that follows, without a job', 'closed → closed', closed, noteEffects(closed, true)],
]

test.each(ALL)('5.1 %s: %s', (_, way, before, after) => {
  expect(`${before.state} → ${after.state}`).toBe(way)
  // What is known of the job goes along, and when it accepted is written once.
  if ('acceptedAt' in before && 'acceptedAt' in after) expect(after.acceptedAt).toBe(before.acceptedAt)
})

test('5.1 any other way does not compile', () => {
  // @ts-expect-error what was not sent has no job
  expect(() => accept(IDLE, ACCEPTED)).not.toThrow()
  // @ts-expect-error an end is final for its attempt
  expect(() => toSending(ended, job)).not.toThrow()
  // @ts-expect-error a job that works cannot be without an answer
  expect(() => close(running, UNKNOWN)).not.toThrow()
})

const PREDICATES = { isWaitedFor, isInProgress, isInDoubt, isWithAgent, isAskedAgain, isCompleted }
const endedWith = (...end: Parameters<typeof ending>) => toEnded(running, ending(...end), undefined)

test.each<readonly [string, RequestState, readonly (keyof typeof PREDICATES)[]]>([
  ['goes out', sending, ['isWaitedFor', 'isInProgress', 'isInDoubt']],
  ['is in doubt', markInDoubt(sending, UNKNOWN), ['isInDoubt', 'isAskedAgain']],
  ['was lost', closed, ['isInDoubt', 'isAskedAgain']],
  ['was refused', close(IDLE, ending('error', 'bad-input')), ['isAskedAgain']],
  ['has a job', running, ['isWaitedFor', 'isInProgress', 'isWithAgent']],
  ['has a job without a run', stopWaiting(running, ending('timed-out')), ['isInProgress', 'isWithAgent']],
  ['was done', ended, ['isWithAgent', 'isCompleted']],
  ['was archived', endedWith('archived'), ['isWithAgent']],
  ['failed', endedWith('failed'), ['isAskedAgain']],
  ['has a job that is gone', endedWith('error', 'job-not-found'), ['isAskedAgain']],
  ['has another turn after it', endedWith('error', 'end-uncertain'), ['isWithAgent']],
])('5.1 of a request that %s', (_, state, told) => {
  const holding = Object.entries(PREDICATES).flatMap(([name, holds]) => (holds(state) ? name : []))
  expect(holding).toEqual(told)
})
