import { describe, expect, test } from 'vitest'
import { BadInput } from '../../src/errors.ts'
import { historyOf } from '../../src/request/history.ts'
import { type Job, jobWithId } from '../../src/request/job.ts'
import { GONE, type PlanInputs, planForJob, planFromHistory, threadJob } from '../../src/request/plan.ts'
import type { RequestState } from '../../src/request/states.ts'
import { recorded } from './helpers.ts'

const INPUTS: PlanInputs = { conversation: 'continue', jobId: undefined, dryRun: false }
const FIRST = { fresh: false, runAttempt: 1 }
const RERUN = { fresh: false, runAttempt: 2 }
const MINE = { key: 'mine', origin: '' }
const PR = 'https://github.com/octo/app/pull/77'
const jobThatIs = (status: string, prLink = PR): Job => ({ ...jobWithId('j_1'), status, prLink })
const RUNNING: RequestState = { state: 'running', job: jobThatIs('active'), messagedAt: 0, waitsUntil: 0 }
const REPORTED: RequestState = { state: 'reported', job: jobThatIs('completed'), messagedAt: 0 }

/** A thread in which this very request is in this state. */
const own = (state: RequestState) => historyOf([recorded({ key: 'mine', ...state })], MINE)
const EMPTY = historyOf([], MINE)
/** A thread whose job another request started. */
const JOB = historyOf([recorded({ key: 'other', ...REPORTED })], MINE)

const create = { kind: 'create', note: '' }
const inspect = { kind: 'inspect', job: jobThatIs('completed') }
const resume = { kind: 'resume' }

describe('5.2 what earlier attempts of the request left', () => {
  test.each<readonly [RequestState, object]>([
    [RUNNING, resume],
    [REPORTED, resume],
    [{ state: 'sending', jobId: '' }, resume],
    // People were asked to look, so the re-run asks again; a job that may have got a message is continued.
    [{ state: 'unknown', jobId: '' }, create],
    [
      { state: 'unknown', jobId: 'j_1' },
      { kind: 'inspect', job: jobWithId('j_1') },
    ],
    [{ state: 'idle' }, create],
  ])('%o', (state, plan) => {
    expect(planFromHistory(own(state), INPUTS, RERUN)).toEqual(plan)
  })

  test('goes before conversation, job-id and new, and is nothing to a dry run', () => {
    const inputs = { ...INPUTS, conversation: 'new', jobId: 'j_9' } as const
    expect(planFromHistory(own(RUNNING), inputs, { ...RERUN, fresh: true })).toEqual(resume)
    const dry = { ...inputs, jobId: undefined, dryRun: true }
    expect(planFromHistory(own(RUNNING), dry, FIRST)).toEqual(create)
  })
})

test.each([
  ['continue', false, inspect],
  ['skip', false, inspect],
  ['new', false, create],
  ['continue', true, create],
  ['skip', true, create],
] as const)('4.9 conversation: %s, with new in the comment: %s', (conversation, fresh, plan) => {
  const inputs = { ...INPUTS, conversation }
  expect(planFromHistory(JOB, inputs, { fresh, runAttempt: 1 })).toEqual(plan)
  expect(planFromHistory(EMPTY, inputs, { fresh, runAttempt: 1 })).toEqual(create)
  const explicit = { kind: 'continue', jobId: 'j_9', note: '' }
  expect(planFromHistory(JOB, { ...inputs, jobId: 'j_9' }, { fresh, runAttempt: 1 })).toEqual(explicit)
})

test('5.2 on a thread that cannot be read a first attempt starts, and a re-run sends nothing', () => {
  expect(planFromHistory(undefined, INPUTS, FIRST)).toEqual(create)
  expect(() => planFromHistory(undefined, { ...INPUTS, jobId: 'j_9' }, RERUN)).toThrow(/^This is a re-run/)
  const skip = { ...INPUTS, conversation: 'skip' } as const
  expect(() => planFromHistory(undefined, skip, FIRST)).toThrow(BadInput)
  expect(planFromHistory(undefined, { ...skip, dryRun: true }, RERUN)).toEqual(create)
})

const MERGED = 'The earlier pull request is merged, so this is a new job.'
const CLOSED = 'The earlier pull request is closed, so this is a new job.'
const ARCHIVED = 'The job of this thread is archived, so this is a new one.'
const UNREAD = 'Its pull request could not be read, so it counts as open.'

/** The job as read, its pull request; what `continue` does: sends a message or a new job, with this note. */
test.each([
  ['active', 'none', 'continue', ''],
  ['active', 'merged', 'create', MERGED],
  ['pondering', 'open', 'continue', ''],
  ['completed', 'open', 'continue', ''],
  ['completed', 'unreadable', 'continue', UNREAD],
  ['completed', 'closed', 'create', CLOSED],
  ['failed', 'open', 'continue', ''],
  ['archived', 'merged', 'create', ARCHIVED],
  ['gone', 'open', 'create', GONE],
] as const)('4.9 continue, the job %s, its pull request %s: %s, %j', (status, pull, kind, note) => {
  const job = status === 'gone' ? undefined : jobThatIs(status)
  const plan = planForJob({ conversation: 'continue' }, jobThatIs('completed'), job, pull)
  expect(plan).toEqual(kind === 'create' ? { kind, note } : { kind, jobId: 'j_1', note })
})

/** The same; why `skip` skips, '' where it starts a new job. */
test.each([
  ['active', 'merged', 'job-active'],
  ['pondering', 'open', 'job-active'],
  ['completed', 'none', ''],
  ['completed', 'open', 'pull-request-open'],
  ['completed', 'merged', ''],
  ['failed', 'unreadable', 'pull-request-open'],
  ['archived', 'open', 'pull-request-open'],
  ['gone', 'open', 'pull-request-open'],
  ['gone', 'closed', ''],
] as const)('4.9 skip, the job %s, its pull request %s: %s', (status, pull, reason) => {
  const job = status === 'gone' ? undefined : jobThatIs(status, '')
  const plan = planForJob({ conversation: 'skip' }, jobThatIs('completed'), job, pull)
  // It names the pull request that only the thread knows.
  const skip = { kind: 'skip', reason, unreadable: pull === 'unreadable', job: { id: 'j_1' } }
  expect(plan).toMatchObject(reason === '' ? { kind: 'create' } : skip)
  if (reason === 'pull-request-open') expect(plan).toMatchObject({ job: { prLink: PR } })
})

test('3.2 the thread’s job as its records know it', () => {
  expect(threadJob(EMPTY)).toBeUndefined()
  expect(threadJob(JOB)).toEqual(jobThatIs('completed'))
  expect(threadJob(own({ state: 'sending', jobId: 'j_5' }))?.id).toBe('j_5')
  expect(threadJob(own({ state: 'sending', jobId: '' }))).toBeUndefined()
})
