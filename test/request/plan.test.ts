import { describe, expect, test } from 'vitest'
import { BadInput } from '../../src/errors.ts'
import { historyOf } from '../../src/request/history.ts'
import { type Job, rememberedJob } from '../../src/request/job.ts'
import type { RequestState } from '../../src/request/lifecycle.ts'
import { GONE, type PlanInputs, planForJob, planFromHistory, threadJob } from '../../src/request/plan.ts'
import { recorded } from './helpers.ts'

const INPUTS: PlanInputs = { conversation: 'continue', jobId: undefined, dryRun: false }
const FIRST = { fresh: false, runAttempt: 1 }
const PR = 'https://github.com/octo/app/pull/77'
const jobThatIs = (status: string, prLink = PR): Job => rememberedJob({ jobId: 'j_1', status, prLink })
const running = (state: 'running' | 'detached' | 'reported', job = jobThatIs('active')) =>
  ({ state, job, messagedAt: 0, waitsUntil: 0 }) as const

/** A thread in which this very request is in this state. */
const own = (state: RequestState) => historyOf([recorded({ key: 'mine', ...state })], 'mine')
const EMPTY = historyOf([], 'mine')
/** A thread whose job another request started. */
const JOB = historyOf([recorded({ key: 'other', ...running('reported', jobThatIs('completed')) })], 'mine')

const create = { kind: 'create', note: '' }
const inspect = { kind: 'inspect', job: jobThatIs('completed') }
const resume = { kind: 'resume' }

describe('5.2 what earlier attempts of the request left', () => {
  test.each<readonly [RequestState, object]>([
    [running('running'), resume],
    [running('detached'), resume],
    [running('reported'), resume],
    [{ state: 'sending', jobId: '' }, resume],
    [{ state: 'sending', jobId: 'j_1' }, resume],
    // People were asked to look, so the re-run asks again; a job that may have got a message is continued.
    [{ state: 'unknown', jobId: '' }, create],
    [{ state: 'notSent' }, create],
    [{ state: 'answered' }, create],
    [{ state: 'received' }, create],
  ])('%o', (state, plan) => {
    expect(planFromHistory(own(state), INPUTS, { fresh: false, runAttempt: 2 })).toEqual(plan)
  })

  test.each(['continue', 'new', 'skip'] as const)(
    'goes before conversation: %s, job-id and new',
    (conversation) => {
      const inputs = { ...INPUTS, conversation, jobId: 'j_9' }
      expect(planFromHistory(own(running('detached')), inputs, { fresh: true, runAttempt: 2 })).toEqual(
        resume,
      )
    },
  )

  test('is nothing to a dry run', () => {
    const inputs = { ...INPUTS, dryRun: true, conversation: 'new' } as const
    expect(planFromHistory(own(running('detached')), inputs, FIRST)).toEqual(create)
  })

  test('an unknown message goes to the job that may have got it', () => {
    const plan = planFromHistory(own({ state: 'unknown', jobId: 'j_1' }), INPUTS, FIRST)
    expect(plan).toEqual({ kind: 'inspect', job: rememberedJob({ jobId: 'j_1', status: '', prLink: '' }) })
  })
})

describe('4.9 the thread’s job', () => {
  test.each([
    ['continue', false, inspect],
    ['skip', false, inspect],
    ['new', false, create],
    ['continue', true, create],
    ['skip', true, create],
    ['new', true, create],
  ] as const)('conversation: %s, with new in the comment: %s', (conversation, fresh, plan) => {
    expect(planFromHistory(JOB, { ...INPUTS, conversation }, { fresh, runAttempt: 1 })).toEqual(plan)
    expect(planFromHistory(EMPTY, { ...INPUTS, conversation }, { fresh, runAttempt: 1 })).toEqual(create)
  })

  test.each(['continue', 'skip', 'new'] as const)(
    'job-id goes before it (conversation: %s)',
    (conversation) => {
      const plan = { kind: 'continue', jobId: 'j_9', explicit: true, note: '' }
      for (const history of [JOB, EMPTY]) {
        expect(planFromHistory(history, { ...INPUTS, conversation, jobId: 'j_9' }, FIRST)).toEqual(plan)
      }
    },
  )
})

describe('5.2 a thread that cannot be read', () => {
  test('a first attempt has no earlier one, and starts', () => {
    expect(planFromHistory(undefined, INPUTS, FIRST)).toEqual(create)
  })

  test('a re-run sends nothing', () => {
    for (const jobId of [undefined, 'j_9']) {
      const plan = () => planFromHistory(undefined, { ...INPUTS, jobId }, { fresh: true, runAttempt: 2 })
      expect(plan).toThrow(/^This is a re-run/)
    }
  })

  test('conversation: skip cannot tell, and says so; a dry run needs not', () => {
    const skip = { ...INPUTS, conversation: 'skip' } as const
    for (const runAttempt of [1, 2]) {
      expect(() => planFromHistory(undefined, skip, { fresh: false, runAttempt })).toThrow(BadInput)
      expect(planFromHistory(undefined, { ...skip, dryRun: true }, { fresh: false, runAttempt })).toEqual(
        create,
      )
    }
  })
})

/** Job as read, its pull request; what `continue` does, what `skip` does. */
const TABLE = [
  ['active', 'none', 'continue', 'skip job-active'],
  ['active', 'open', 'continue', 'skip job-active'],
  ['active', 'unreadable', 'continue, unread', 'skip job-active'],
  ['active', 'merged', 'create, merged', 'skip job-active'],
  ['active', 'closed', 'create, closed', 'skip job-active'],
  ['pondering', 'open', 'continue', 'skip job-active'],
  ['completed', 'none', 'continue', 'create'],
  ['completed', 'open', 'continue', 'skip pull-request-open'],
  ['completed', 'unreadable', 'continue, unread', 'skip pull-request-open, unread'],
  ['completed', 'merged', 'create, merged', 'create, merged'],
  ['completed', 'closed', 'create, closed', 'create, closed'],
  ['failed', 'none', 'continue', 'create'],
  ['failed', 'open', 'continue', 'skip pull-request-open'],
  ['failed', 'unreadable', 'continue, unread', 'skip pull-request-open, unread'],
  ['failed', 'merged', 'create, merged', 'create, merged'],
  ['failed', 'closed', 'create, closed', 'create, closed'],
  ['archived', 'none', 'create, archived', 'create'],
  ['archived', 'open', 'create, archived', 'skip pull-request-open'],
  ['archived', 'unreadable', 'create, archived', 'skip pull-request-open, unread'],
  ['archived', 'merged', 'create, archived', 'create, merged'],
  ['archived', 'closed', 'create, archived', 'create, closed'],
  ['gone', 'none', 'create, gone', 'create'],
  ['gone', 'open', 'create, gone', 'skip pull-request-open'],
  ['gone', 'unreadable', 'create, gone', 'skip pull-request-open, unread'],
  ['gone', 'merged', 'create, gone', 'create, merged'],
  ['gone', 'closed', 'create, gone', 'create, closed'],
] as const

const NOTES: Readonly<Record<string, string>> = {
  merged: 'The earlier pull request is merged, so this is a new job.',
  closed: 'The earlier pull request is closed, so this is a new job.',
  archived: 'The job of this thread is archived, so this is a new one.',
  gone: GONE,
  unread: 'Its pull request could not be read, so it counts as open.',
}

test.each(
  TABLE.flatMap(([status, pull, ...plans]) =>
    (['continue', 'skip'] as const).map(
      (conversation, at) => [conversation, status, pull, plans[at] ?? ''] as const,
    ),
  ),
)('4.9 conversation: %s, the job %s, its pull request %s: %s', (conversation, status, pull, expected) => {
  const [what = '', note = ''] = expected.split(', ')
  const [kind, reason] = what.split(' ')
  const job = status === 'gone' ? undefined : jobThatIs(status)
  const plan = planForJob({ conversation }, jobThatIs('completed'), job, pull)
  if (kind === 'create') expect(plan).toEqual({ kind, note: NOTES[note] ?? '' })
  else if (kind === 'continue') {
    expect(plan).toEqual({ kind, jobId: 'j_1', explicit: false, note: NOTES[note] ?? '' })
  } else {
    const shown = job ?? jobThatIs('completed')
    expect(plan).toEqual({ kind, reason, job: shown, unreadable: note === 'unread' })
  }
})

test('4.9 a skip names the pull request that only the thread knows', () => {
  const plan = planForJob(
    { conversation: 'skip' },
    jobThatIs('completed'),
    jobThatIs('completed', ''),
    'open',
  )
  expect(plan).toMatchObject({ kind: 'skip', job: { prLink: PR } })
})

test('3.2 the thread’s job as its records know it', () => {
  expect(threadJob(EMPTY)).toBeUndefined()
  expect(threadJob(JOB)).toEqual(jobThatIs('completed'))
  expect(threadJob(own({ state: 'sending', jobId: 'j_5' }))?.id).toBe('j_5')
  expect(threadJob(own({ state: 'sending', jobId: '' }))).toBeUndefined()
})
