import { describe, expect, test } from 'vitest'
import type { CheckState } from '../../src/request/check-state.ts'
import { historyOf } from '../../src/request/history.ts'
import { asksAgain, type PlanInputs, planFromHistory } from '../../src/request/plan.ts'
import { type RecordFields, recorded, reportedWith, requestRecordOf, withJob } from './helpers.ts'

const LINK = 'https://github.com/octo/docs/pull/7'
const CHECKS: CheckState = { status: 'failure', sentFor: [], messagedAt: 0 }
const OTHER = { key: 'other', origin: 'there' } as const

/** What the thread remembers: of this very request, asked by the first attempt where nothing else is said. */
const THREADS = {
  nothing: [],
  'the job B of another request': [{ ...OTHER, ...reportedWith('B', LINK) }],
  'B with and without its pull request, asked twice at once': [
    { ...OTHER, ...reportedWith('B', LINK), requestedAt: 10 },
    { ...OTHER, key: 'third', ...reportedWith('B'), requestedAt: 11 },
  ],
  'no job: denied': [{ state: 'idle' }],
  'no answer for a new job': [{ state: 'sending', jobId: '' }],
  'no answer, and people were told': [{ state: 'unknown', jobId: '' }],
  'no answer to a message to B, and people were told': [{ state: 'unknown', jobId: 'B' }],
  'no answer to a message to B, whose pull request is known': [
    { ...OTHER, ...reportedWith('B', LINK), requestedAt: 10 },
    { state: 'unknown', jobId: 'B', requestedAt: 11 },
  ],
  'not sent': [{ state: 'notSent' }],
  'not sent, beside B': [{ state: 'notSent' }, { ...OTHER, ...reportedWith('B', LINK) }],
  'B at work': [{ state: 'running', ...withJob('B', LINK, 'active') }],
  'B completed': [reportedWith('B', LINK)],
  'B archived': [reportedWith('B', LINK, 'archived')],
  'B is gone': [{ ...reportedWith('B', LINK, 'active') }],
  'B failed': [reportedWith('B', LINK, 'failed')],
  'B failed, which no run has said': [{ state: 'running', ...withJob('B', LINK, 'failed') }],
  'B failed in this attempt': [{ ...reportedWith('B', LINK, 'failed'), run: '1.2' }],
  'B failed at its checks': [{ ...reportedWith('B', LINK, 'failed'), checks: CHECKS }],
} as const satisfies Readonly<Record<string, readonly RecordFields[]>>
type ThreadName = keyof typeof THREADS

const INPUTS: PlanInputs = { conversation: 'continue', jobId: undefined, dryRun: false }
const SECOND = { fresh: false, run: '1.2', runAttempt: 2 }

/** Of the second attempt. @param name undefined for a thread that cannot be read */
function cell(
  name: ThreadName | undefined,
  more: Partial<PlanInputs>,
  fresh = false,
  runAttempt = 2,
): string {
  const comments = name && THREADS[name].map((fields) => recorded(fields))
  const history = comments && historyOf(comments, { key: 'mine', origin: 'here', run: '1.2' })
  const plan = planFromHistory(history, { ...INPUTS, ...more }, { ...SECOND, fresh, runAttempt })
  switch (plan.kind) {
    case 'create':
      return ['create', ...Object.values(plan.note)].join(' ')
    case 'continue':
      return `${plan.job.id}${plan.job.prLink && ' with link'}${plan.job.status}`
    case 'stop':
      return plan.reason
    case 'inspect':
      return `inspect ${plan.job.id}`
    default:
      return plan.kind
  }
}

type Row = readonly [ThreadName, ...(readonly string[])]

/** With `continue`, `skip`, `new`, after the word `new`, and with `job-id` B and C. */
const tableOf = (dryRun: boolean): readonly Row[] =>
  (Object.keys(THREADS) as ThreadName[]).map((name) => [
    name,
    ...(['continue', 'skip', 'new'] as const).map((conversation) => cell(name, { conversation, dryRun })),
    cell(name, { dryRun }, true),
    ...['B', 'C'].map((jobId) => cell(name, { jobId, dryRun })),
  ])

const [B, INSPECT, CREATE, FAILED] = ['B with link', 'inspect B', 'create', 'create failed']
const NONE = [...Array(4).fill(CREATE), 'B', 'C']
const KNOWN = [INSPECT, INSPECT, CREATE, CREATE]
const RESUMED = Array(6).fill('resume')

describe('4.9 5.2 what a thread means for a request', () => {
  test('that it may know of: what was sent is resumed, and a failed job asked again', () => {
    expect(tableOf(false)).toEqual([
      ['nothing', ...NONE],
      ['the job B of another request', ...KNOWN, B, 'C'],
      ['B with and without its pull request, asked twice at once', ...KNOWN, B, 'C'],
      ['no job: denied', ...NONE],
      ['no answer for a new job', ...RESUMED],
      ['no answer, and people were told', ...NONE],
      ['no answer to a message to B, and people were told', ...KNOWN, 'B', 'C'],
      ['no answer to a message to B, whose pull request is known', ...KNOWN, B, 'C'],
      ['not sent', ...NONE],
      ['not sent, beside B', ...KNOWN, B, 'C'],
      ['B at work', ...RESUMED],
      ['B completed', ...RESUMED],
      ['B archived', ...RESUMED],
      ['B is gone', ...RESUMED],
      ['B failed', ...Array(4).fill(FAILED), B, 'C'],
      ['B failed, which no run has said', ...RESUMED],
      ['B failed in this attempt', ...RESUMED],
      ['B failed at its checks', ...RESUMED],
    ])
  })

  test('that sends nothing: a dry run shows what a new request would do', () => {
    expect(tableOf(true)).toEqual([
      ['nothing', ...NONE],
      ['the job B of another request', ...KNOWN, B, 'C'],
      ['B with and without its pull request, asked twice at once', ...KNOWN, B, 'C'],
      ['no job: denied', ...NONE],
      ['no answer for a new job', ...NONE],
      ['no answer, and people were told', ...NONE],
      ['no answer to a message to B, and people were told', ...KNOWN, 'B', 'C'],
      ['no answer to a message to B, whose pull request is known', ...KNOWN, B, 'C'],
      ['not sent', ...NONE],
      ['not sent, beside B', ...KNOWN, B, 'C'],
      ['B at work', ...KNOWN, B, 'C'],
      ['B completed', ...KNOWN, B, 'C'],
      ['B archived', ...KNOWN, B, 'C'],
      ['B is gone', ...KNOWN, B, 'C'],
      ['B failed', ...Array(4).fill(FAILED), B, 'C'],
      ['B failed, which no run has said', ...KNOWN, B, 'C'],
      ['B failed in this attempt', ...KNOWN, B, 'C'],
      ['B failed at its checks', ...KNOWN, B, 'C'],
    ])
  })

  test.each([
    [{ conversation: 'continue' }, 'create', 'creation-uncertain', 'create'],
    [{ conversation: 'skip' }, 'bad-input', 'creation-uncertain', 'create'],
    [{ conversation: 'new' }, 'create', 'creation-uncertain', 'create'],
    [{ jobId: 'B' }, 'B', 'creation-uncertain', 'B'],
    [{ jobId: 'B', conversation: 'skip' }, 'bad-input', 'creation-uncertain', 'B'],
  ] as const)(
    'that cannot read it, with %o: first attempt %s, re-run %s, dry run %s',
    (more, ...expected) => {
      const attempts = [1, 2].map((attempt) => cell(undefined, more, false, attempt))
      expect([...attempts, cell(undefined, { ...more, dryRun: true })]).toEqual(expected)
    },
  )
})

test('5.2 3.13 a re-run asks again for what failed, also where the run of a rebase reported it', () => {
  const failed = (run: string) => requestRecordOf({ ...reportedWith('B', '', 'failed'), run })
  expect(['90.1', '90.2', '91.2'].map((run) => asksAgain(failed(run), '90.2'))).toEqual([true, false, true])
  expect(asksAgain(requestRecordOf({ ...reportedWith('B'), run: '90.1' }), '90.2')).toBe(false)
})
