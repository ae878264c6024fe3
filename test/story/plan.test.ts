import { expect, test } from 'vitest'
import { jobWithId } from '../../src/record/job.ts'
import { planForId, planForJob } from '../../src/story/plan.ts'

const LINK = 'https://github.com/octo/docs/pull/7'
const REMEMBERED = { ...jobWithId('B'), prLink: LINK, status: 'completed' }
const PULLS = ['none', 'open', 'merged', 'closed', 'unreadable'] as const

const words = (plan: ReturnType<typeof planForJob>): string =>
  'outcome' in plan
    ? plan.reason
    : [plan.job === undefined ? 'create' : `message ${plan.job.id}`, ...Object.values(plan.note)].join(' ')

/** With a pull request in each state. @param status undefined for a job that is gone */
const row = (conversation: 'continue' | 'skip', status: string | undefined, isReRun = false) =>
  PULLS.map((state) => {
    const job = status === undefined ? undefined : { ...REMEMBERED, status }
    const pull = { state, headSha: 'abc' }
    return words(planForJob({ conversation, remembered: REMEMBERED, job, pull, isReRun }))
  })

const all = (text: string) => PULLS.map(() => text)
const GOES_ON = ['message B', 'message B', 'create merged', 'create closed', 'message B unreadable']
const SKIPS = ['create', 'pull-request-open', 'create merged', 'create closed', 'pull-request-open']

test.each([
  ['continue', 'active', GOES_ON],
  ['continue', 'completed', GOES_ON],
  ['continue', 'failed', GOES_ON],
  ['continue', 'a status of later', GOES_ON],
  ['continue', 'archived', all('create archived')],
  ['continue', undefined, all('create gone')],
  ['skip', 'active', all('job-active')],
  ['skip', 'completed', SKIPS],
  ['skip', 'failed', SKIPS],
  ['skip', undefined, SKIPS],
] as const)('4.9 `conversation: %s`, where the job of the thread is %s', (conversation, status, expected) => {
  expect(row(conversation, status)).toEqual(expected)
})

test('5.2 a re-run asks a new job where the one of its first attempt failed', () => {
  expect(row('continue', 'failed', true)).toEqual(all('create failed'))
  expect(row('continue', 'completed', true)).toEqual(GOES_ON)
})

test('4.9 `job-id` names the job, and the thread tells what it knows of it', () => {
  expect(planForId('B', REMEMBERED)).toMatchObject({ job: { id: 'B', prLink: LINK, status: '' } })
  expect(planForId('C', REMEMBERED)).toMatchObject({ job: { id: 'C', prLink: '' } })
  expect(planForId('C', undefined)).toMatchObject({ job: { id: 'C' } })
})
