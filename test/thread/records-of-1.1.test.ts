import { describe, expect, test } from 'vitest'
import { type SigningContext, verifyRecord } from '../../src/request/signed-record.ts'
import { openWorld } from '../helpers/in-process.ts'
import WRITTEN from '../request/records-1.1.json' with { type: 'json' }

/** One record of each state, as version 1.1 wrote it. */
type EarlierState = keyof typeof WRITTEN

const SIGNING: SigningContext = { apiKey: 'test-key', projectId: 'docs', repositoryId: 7, thread: 12 }
const PR = 'https://github.com/octo/app/pull/77'
const ACTIVE = { state: 'running', job: { status: 'active' } }

const READ: Readonly<Record<EarlierState, object>> = {
  received: { state: 'idle' },
  sending: { state: 'sending', jobId: '' },
  unknown: { state: 'unknown', jobId: 'j_277abb10b4da1738' },
  notSent: { state: 'idle' },
  running: { ...ACTIVE, waitsUntil: 1_767_227_400_000 },
  detached: { ...ACTIVE, waitsUntil: 0 },
  reported: { state: 'reported', job: { prLink: PR } },
  answered: { state: 'idle' },
  refusal: { state: 'refusal' },
  link: { state: 'link', job: { prLink: PR } },
  tracking: { state: 'tracking' },
}

test.each(Object.entries(READ) as [EarlierState, object][])(
  '5.1 a record of 1.1 that says %s',
  (state, read) => {
    const record = verifyRecord(WRITTEN[state], SIGNING)
    const identity = {
      ...{ run: '900.1', requestedBy: 'alice', command: '/docs', comment: 'issue:1000002' },
      settings: { preview: false, reviewers: ['bob'], labels: ['docs'] },
    }
    expect(record).toMatchObject({ ...identity, ...read })
  },
)

/** Alice's comment, the job that 1.1 created, and the comment in which it wrote of it. */
async function threadOf(state: EarlierState) {
  const world = openWorld('/docs explain')
  const { emulator } = world
  await emulator.fetch(`${emulator.serviceUrl}/v2/agent/docs/job`, {
    method: 'POST',
    headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'explain' }),
  })
  const body = `The docs agent is working.\n\n${WRITTEN[state]}`
  emulator.github.addComment(12, { login: 'github-actions[bot]', body })
  emulator.clearRequests()
  return world
}

describe('5.2 a re-run on a thread of 1.1', () => {
  test.each<readonly [EarlierState, string, string, string, number]>([
    ['received', 'pull-request', '', 'created', 2],
    ['notSent', 'pull-request', '', 'created', 2],
    ['answered', 'pull-request', '', 'created', 2],
    ['sending', 'error', 'creation-uncertain', 'none', 1],
    ['unknown', 'pull-request', '', 'continued', 1],
    ['running', 'pull-request', '', 'resumed', 1],
    ['detached', 'pull-request', '', 'resumed', 1],
    ['reported', 'pull-request', '', 'resumed', 1],
  ])('%s: %s %s, %s', async (state, outcome, reason, action, jobs) => {
    const world = await threadOf(state)
    const step = world.start(2)
    await step.done
    expect(step.outputs).toMatchObject({ outcome, reason, 'job-action': action })
    expect(world.emulator.service.jobs()).toHaveLength(jobs)
    const [comment = '', ...others] = world.comments()
    expect(others).toEqual([])
    const payload = Buffer.from(/docs-agent:2:([\w-]+):/.exec(comment)?.[1] ?? '', 'base64url').toString()
    const isAsBefore = state === 'reported'
    expect(Object.keys(JSON.parse(payload)).includes('finish')).toBe(isAsBefore)
  })

  test.each<EarlierState>(['link', 'refusal'])('%s: a new request', async (state) => {
    const world = await threadOf(state)
    const step = world.start(2)
    await step.done
    expect(step.outputs).toMatchObject({
      outcome: 'pull-request',
      'job-action': state === 'link' ? 'continued' : 'created',
    })
  })
})
