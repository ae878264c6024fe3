import { describe, expect, test } from 'vitest'
import { type SigningContext, verifyRecord } from '../../src/request/signed-record.ts'
import { BOT, ISSUE, ownWorld } from '../helpers/world.ts'
import WRITTEN from '../request/records-1.1.json' with { type: 'json' }
import WRITTEN_BY_1_2 from '../request/records-1.2.json' with { type: 'json' }

/** One record of each state, as version 1.1 wrote it. */
type EarlierState = keyof typeof WRITTEN

const SIGNING: SigningContext = { keys: ['test-key'], projectId: 'docs', repositoryId: 7, thread: 12 }
const PR = 'https://github.com/octo/app/pull/77'
const ACTIVE = { state: 'running', job: { status: 'active' } }

const READ: Readonly<Record<EarlierState, object>> = {
  received: { state: 'idle' },
  sending: { state: 'sending', jobId: '' },
  unknown: { state: 'unknown', jobId: 'j_277abb10b4da1738' },
  notSent: { state: 'notSent' },
  running: { ...ACTIVE, waitsMs: 1_799_000 },
  detached: { ...ACTIVE, waitsMs: 0 },
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

const PENDING = { status: 'pending', sentFor: ['a'.repeat(40)] }
test.each<[keyof typeof WRITTEN_BY_1_2, object]>([
  ['idle', { state: 'idle' }],
  ['sending', { state: 'sending', jobId: '' }],
  ['unknown', { state: 'unknown', jobId: 'j_277abb10b4da1738' }],
  ['running', { ...ACTIVE, waitsMs: 1_799_000 }],
  ['left', { ...ACTIVE, waitsMs: 0 }],
  [
    'checking',
    { state: 'reported', job: { prLink: PR }, checks: PENDING, openParts: ['checks'], waitsMs: 1_799_000 },
  ],
  ['reported', { state: 'reported', job: { prLink: PR }, openParts: [] }],
  ['checked', { state: 'reported', checks: { ...PENDING, status: 'failure' }, openParts: [] }],
  ['refusal', { state: 'refusal' }],
  ['link', { state: 'link', job: { prLink: PR } }],
  ['tracking', { state: 'tracking' }],
])('5.1 a record of 1.2 that says %s', (state, read) => {
  expect(verifyRecord(WRITTEN_BY_1_2[state], SIGNING)).toMatchObject({
    run: '900.1',
    requestedBy: 'alice',
    ...read,
  })
})

/** Alice's comment, the job that 1.1 created, and the comment in which it wrote of it; then she runs it again. */
async function reRun(state: EarlierState) {
  const emulator = ownWorld()
  const said = emulator.say('/docs explain')
  await emulator.fetch(`${emulator.serviceUrl}/v2/agent/docs/job`, {
    method: 'POST',
    headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'explain' }),
  })
  emulator.github.addComment(ISSUE, { login: BOT, body: `The docs agent is working.\n\n${WRITTEN[state]}` })
  const run = { attempt: 2, runId: 900, env: { GITHUB_REPOSITORY_ID: String(SIGNING.repositoryId) } }
  return { emulator, ...(await emulator.act(said, run)) }
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
    const { emulator, outputs } = await reRun(state)
    expect(outputs).toMatchObject({ outcome, reason, 'job-action': action })
    expect(emulator.service.jobs()).toHaveLength(jobs)
    const [comment = '', ...others] = emulator.bodies()
    expect(others).toEqual([])
    const payload = Buffer.from(/docs-agent:2:([\w-]+):/.exec(comment)?.[1] ?? '', 'base64url').toString()
    const isAsBefore = state === 'reported'
    expect(Object.keys(JSON.parse(payload)).includes('finish')).toBe(isAsBefore)
  })

  test.each<EarlierState>(['link', 'refusal'])('%s: a new request', async (state) => {
    const { outputs } = await reRun(state)
    const action = state === 'link' ? 'continued' : 'created'
    expect(outputs).toMatchObject({ outcome: 'pull-request', 'job-action': action })
  })
})
