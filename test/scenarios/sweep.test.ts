import { expect, test } from 'vitest'
import type { RunResult } from '../../emulator/runner.ts'
import { SAYS } from '../helpers/phrases.ts'
import { expectCounts, plant, reads, start, statusBody } from '../helpers/sweeps.ts'
import { expectOutcome, ISSUE, ownWorld, READ, signingOf } from '../helpers/world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

test('8.1 comments older than `since-hours` are not looked at', async () => {
  const emulator = ownWorld()
  await plant(emulator, { on: 13 })
  await emulator.pass(3 * HOUR)
  await plant(emulator, { on: 14 })
  expectCounts(await emulator.collect({ 'since-hours': '2.5' }), { finished: 1 })
  expect(reads(emulator)).toHaveLength(1)
  const since = emulator.requests.find(({ path }) => path.endsWith('/issues/comments'))?.query.since ?? ''
  expect(Math.abs(emulator.settings.now() - 2.5 * HOUR - Date.parse(since))).toBeLessThan(20_000)
  expect(emulator.bodies(13).join()).toContain(SAYS.works)
  expectCounts(await emulator.collect({ 'since-hours': '3.5' }), { finished: 1 })
})

test('8.1 5.1 with the token of a person the records in comments of that account count, and no others', async () => {
  const emulator = ownWorld({ tokenLogin: 'dana' })
  await plant(emulator, { login: 'dana' })
  await plant(emulator, { login: 'mallory', on: 13 })
  expectCounts(await emulator.collect(), { finished: 1 })
  expect(emulator.github.comments(ISSUE)).toMatchObject([
    { user: { login: 'dana' }, body: expect.stringContaining(SAYS.opened) },
  ])
  expect(emulator.github.comments(13)).toMatchObject([{ user: { login: 'mallory' } }])
})

test.each(['idle', 'sending', 'closed', 'ended', 'refusal', 'backlink', 'tracking'] as const)(
  '8.1 a record of this minute that says `%s` leaves nothing to collect',
  async (state) => {
    const emulator = ownWorld()
    await plant(emulator, { state })
    expectCounts(await emulator.collect(), {})
    expect(emulator.calls('service')).toEqual([])
  },
)

test.each(['recreate', 'update'])(
  '8.1 8.2 two sweeps report a job once with `%s`',
  { tags: 'bundle' },
  async (comment) => {
    const emulator = ownWorld()
    const { id } = await start(emulator, { turn: { reads: 0 } })
    const [status] = emulator.written()
    expectCounts(await emulator.collect({ comment }), { finished: 1 })
    const [result, ...others] = emulator.written()
    expect([result?.id === status?.id, others]).toEqual([comment === 'update', []])
    expect(result?.body).toContain(SAYS.opened)
    const thread = emulator.github.comments(ISSUE).map(({ id, body }) => ({ id, body }))
    emulator.clearRequests()
    expectCounts(await emulator.collect({ comment }), {})
    expect(emulator.github.comments(ISSUE)).toMatchObject(thread)
    expect(emulator.github.comments(ISSUE)).toHaveLength(thread.length)
    expect(emulator.reactions(id)).toEqual(['rocket'])
    expect(emulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /repos/octo/app/issues/comments',
    ])
  },
)

test('8.1 a request that its run still follows is left to that run', async () => {
  const emulator = ownWorld()
  emulator.service.script.push({ durationMs: 10 * MINUTE })
  const sweeps: RunResult[] = []
  const call = async () => void sweeps.push(await emulator.collect())
  emulator.faults.add({ match: READ, fault: { kind: 'call', call } })
  expectOutcome(await emulator.ask('/docs explain'), 'pull-request')
  for (const result of sweeps) expectCounts(result, {})
  expect(sweeps).toHaveLength(1)
})

test('8.2 what another run has reported since the sweep began is not reported again', async () => {
  const emulator = ownWorld()
  const job = await plant(emulator, { requestDigest: 'mine' })
  emulator.faults.add({
    match: { host: 'service' },
    fault: {
      kind: 'call',
      call: () => {
        const body = statusBody(
          { requestDigest: 'mine', jobId: job, state: 'ended', writtenAt: emulator.settings.now() },
          signingOf(),
        )
        emulator.github.addComment(ISSUE, { login: 'github-actions[bot]', body })
      },
    },
  })
  const result = await emulator.collect()
  expectCounts(result, {})
  expect(result.log).toContain('another run took it up')
  expect(emulator.calls('github').filter((call) => !call.startsWith('GET'))).toEqual([])
})

test('8.2 a job that the service no longer knows is reported as gone, once', async () => {
  const emulator = ownWorld()
  const { id, job } = await start(emulator)
  emulator.service.forget(job)
  const result = await emulator.collect()
  expectCounts(result, { finished: 1 })
  expect(JSON.parse(result.outputs.result ?? '')).toEqual([
    { 'job-id': job, thread: ISSUE, outcome: 'error', 'pr-link': '' },
  ])
  expect(emulator.bodies()).toEqual([expect.stringContaining('no longer knows')])
  expect(emulator.reactions(id)).toEqual(['confused'])
  expectCounts(await emulator.collect(), {})
  expect(emulator.bodies()).toHaveLength(1)
})

/** `first` has said that the agent works, and `second` collects. */
async function collectedBy(first: string, second: string, jobs = 1, comment = 'recreate') {
  const emulator = ownWorld({ tokenLogin: second })
  for (let at = 0; at < jobs; at++) {
    await start(emulator, { turn: { reads: 0 } })
    await emulator.pass(60_000)
  }
  const written = () => emulator.github.comments(ISSUE).filter(({ user }) => user.type === 'Bot')
  for (const one of written()) Object.assign(one, { user: { login: first, type: 'Bot' } })
  await emulator.pass(HOUR)
  const result = await emulator.collect({ comment })
  return { emulator, result, bodies: () => written().map(({ body }) => body) }
}

test.each([
  ['github-actions[bot]', 'docs-app[bot]', 1],
  ['docs-app[bot]', 'other-app[bot]', 2],
])(
  '5.6 %s asks, and %s collects %i jobs: one warning names both, and the way out',
  async (first, second, jobs) => {
    const { emulator, result, bodies } = await collectedBy(first, second, jobs)
    const [warning, ...more] = result.annotations
    expect(warning).toMatchObject({ level: 'warning' })
    for (const part of [first, second, 'the same github-token in both workflows'])
      expect(warning?.message).toContain(part)
    expect(more).toEqual([])
    // A command reports what the one before left.
    expect(bodies().filter((body) => body.includes(SAYS.works))).toHaveLength(1)
    const said = bodies()
    emulator.clearRequests()
    await emulator.pass(HOUR)
    expect((await emulator.collect()).annotations).toEqual([])
    expect(bodies()).toEqual(said)
    // What stays is looked at once.
    expect(emulator.calls()).toEqual(['GET /repos/octo/app/issues/comments'])
  },
)
