import { expect, test } from 'vitest'
import { jobWithId } from '../../src/record/job.ts'
import { ending } from '../../src/record/outcome.ts'
import { NO_CHECKS, type RequestState } from '../../src/record/record.ts'
import {
  accept,
  askAgain,
  close,
  end,
  IDLE,
  markInDoubt,
  noteChecks,
  noteEffects,
  observe,
  stopWaiting,
  TRANSITIONS,
  toIdle,
  toSending,
  waitAgain,
  watch,
} from '../../src/record/states.ts'

const job = jobWithId('j')
const UNKNOWN = ending('error', 'creation-uncertain')
const DONE = ending('no-pull-request')
const ACCEPTED = { job, acceptedAt: 1, note: {}, messagedAt: 0, wasBusy: false, headBefore: '' }

const sending = toSending(IDLE, job)
const running = accept(sending, ACCEPTED)
const ended = end(running, DONE, { isWatched: true })
const closed = close(IDLE, UNKNOWN)

/** Each transition by its name: the state that it leaves, and the one that it gives. */
const ALL: readonly (readonly [string, RequestState, RequestState])[] = [
  ['the request goes out', IDLE, sending],
  ['it goes to another job', sending, toSending(sending, undefined)],
  ['it surely did not go out', sending, toIdle(sending)],
  ['nobody knows whether it went out', sending, markInDoubt(sending, UNKNOWN)],
  ['its own run says so', sending, close(sending, UNKNOWN)],
  ['the service took it', sending, running],
  ['its job is read', running, observe(running, { ...job, status: 'active' })],
  ['its run stops waiting', running, stopWaiting(running, ending('timed-out'))],
  ['another run waits', running, waitAgain(running)],
  ['its job ended', running, ended],
  ['its checks are followed', ended, watch(ended)],
  ['its checks are read', ended, noteChecks(ended, job, NO_CHECKS)],
  ['all is done that follows', ended, noteEffects(ended, true)],
  ['it is not sent', IDLE, closed],
  ['all is done that follows, without a job', closed, noteEffects(closed, true)],
  ['it is asked again after its job failed', ended, askAgain()],
  ['it is asked again after it was not sent', closed, askAgain()],
]

test.each(ALL)('5.1 %s', (_, before, after) => {
  expect(TRANSITIONS[before.state]).toContain(after.state)
  // What is known of the job goes along, and when it accepted is written once.
  if ('acceptedAt' in before && 'acceptedAt' in after) expect(after.acceptedAt).toBe(before.acceptedAt)
})

test('5.1 each way of the table is one that a record goes', () => {
  const ways = (pairs: readonly (readonly [string, string])[]) =>
    new Set(pairs.map(([a, b]) => `${a} → ${b}`))
  const table = Object.entries(TRANSITIONS).flatMap(([from, all]) => all.map((to) => [from, to] as const))
  expect(ways(ALL.map(([, before, after]) => [before.state, after.state]))).toEqual(ways(table))
})

test('5.1 a way that the table does not have does not compile', () => {
  // @ts-expect-error what was not sent has no job
  expect(() => accept(IDLE, ACCEPTED)).not.toThrow()
  // @ts-expect-error an end is final for its attempt
  expect(() => toSending(ended, job)).not.toThrow()
  // @ts-expect-error a job that works cannot be without an answer
  expect(() => close(running, UNKNOWN)).not.toThrow()
})
