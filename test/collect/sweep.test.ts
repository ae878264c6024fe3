import { expect, test } from 'vitest'
import { SAYS } from '../helpers/phrases.ts'
import { ISSUE, ownWorld, READ, signingOf } from '../helpers/world.ts'
import { expectCounts, plant, reads, start, statusBody } from './helpers.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const COMMENT = { host: 'github', method: 'POST', path: /\/issues\/12\/comments$/ } as const

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

test.each([
  [47, 1],
  [49, 0],
])('8.1 without `since-hours`, a comment that is %i hours old is looked at: %i', async (hours, finished) => {
  const emulator = ownWorld()
  await plant(emulator)
  await emulator.pass(hours * HOUR)
  expectCounts(await emulator.collect({ 'since-hours': '' }), { finished })
})

test('8.1 a job is reported also where runners are an hour ahead of GitHub', async () => {
  const emulator = ownWorld({ githubClockSkewMs: -HOUR })
  await start(emulator, { turn: { reads: 0 } })
  expectCounts(await emulator.collect(), { finished: 1 })
})

test('8.1 a long thread is not read from its beginning', async () => {
  const emulator = ownWorld()
  for (let at = 0; at < 230; at += 1) emulator.github.addComment(ISSUE, { login: 'carol', body: `${at}` })
  await emulator.pass(2 * HOUR)
  await plant(emulator)
  expectCounts(await emulator.collect(), { finished: 1 })
  expect(emulator.calls('github').filter((call) => call.endsWith('/issues/12/comments'))).toEqual([
    'GET /repos/octo/app/issues/12/comments',
    // A re-run may have taken the request up since.
    'GET /repos/octo/app/issues/12/comments',
    'POST /repos/octo/app/issues/12/comments',
  ])
})

test('8.1 5.1 a renamed repository keeps its open requests', async () => {
  const emulator = ownWorld({ docsRepository: 'octo/docs' })
  await start(emulator, { turn: { reads: 0 } })
  emulator.github.renameRepository('octo/app', 'octo/renamed')
  expectCounts(await emulator.collect(), { finished: 1 })
  expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.opened)])
  expectCounts(await emulator.collect(), {})
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

test.each(['idle', 'sending', 'notSent', 'reported', 'refusal', 'link', 'tracking'] as const)(
  '8.1 a record that says `%s` leaves nothing to collect',
  async (state) => {
    const emulator = ownWorld()
    await plant(emulator, { state })
    expectCounts(await emulator.collect(), {})
    expect(emulator.calls('service')).toEqual([])
  },
)

test('8.1 reads at most 8 jobs at a time, and that many', async () => {
  const emulator = ownWorld()
  for (let at = 0; at < 20; at += 1) await plant(emulator, { on: 20 + at })
  let [now, most] = [0, 0]
  const match = { host: 'service', method: 'GET' } as const
  const count = (by: number) => () => {
    now += by
    most = Math.max(most, now)
  }
  const times = Number.POSITIVE_INFINITY
  emulator.faults.add({ match, times, fault: { kind: 'call', call: count(1) } })
  emulator.faults.add({ match, times, fault: { kind: 'delay', ms: 250 } })
  emulator.faults.add({ match, times, fault: { kind: 'call', when: 'after', call: count(-1) } })
  expectCounts(await emulator.collect(), { finished: 20 })
  expect(most).toBe(8)
  expect(new Set(reads(emulator)).size).toBe(20)
  expect(reads(emulator)).toHaveLength(20)
})

test('8.1 a job whose runner was lost is collected a minute after its deadline', async () => {
  const emulator = ownWorld()
  emulator.service.script.push({ reads: 0 })
  const said = emulator.say('/docs explain')
  // Time does not pass in whole milliseconds.
  emulator.faults.add({ match: { host: 'service', method: 'POST' }, fault: { kind: 'delay', ms: 0.5 } })
  await emulator.interrupted(emulator.given(said, { post: false }), READ)
  expectCounts(await emulator.collect(), {})
  await emulator.pass(50 * MINUTE)
  expectCounts(await emulator.collect(), {})
  await emulator.pass(MINUTE)
  expectCounts(await emulator.collect(), { finished: 1 })
  expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.opened)])
  expect(emulator.reactions(said.id)).toEqual(['rocket'])
})

test('8.2 what a sweep that was killed could not delete, the next one deletes', async () => {
  const emulator = ownWorld()
  const { id } = await start(emulator, { turn: { reads: 0 } })
  await emulator.interrupted(emulator.sweepGiven(), COMMENT, { when: 'after' })
  const result = expect.stringContaining(SAYS.opened)
  expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.works), result])
  await emulator.pass(60_000)
  expectCounts(await emulator.collect(), {})
  expect(emulator.bodies()).toEqual([result])
  expect(emulator.reactions(id)).toEqual(['rocket'])
})

test('8.2 what a run without a job that was killed could not delete, a sweep deletes', async () => {
  const emulator = ownWorld()
  const said = emulator.say('/docs explain')
  emulator.faults.add({ match: { host: 'service' }, fault: { kind: 'status', status: 402 } })
  const run = emulator.given(said, { post: false })
  await emulator.interrupted(run, COMMENT, { skip: 1, when: 'after' })
  expect(emulator.bodies()).toHaveLength(2)
  await emulator.pass(MINUTE)
  expectCounts(await emulator.collect(), {})
  expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.unsent)])
  expect(emulator.reactions(said.id)).toEqual(['confused'])
})

test('5.3 8.2 a reaction that GitHub refuses is not tried by each sweep', async () => {
  const emulator = ownWorld()
  const { id } = await start(emulator, { turn: { reads: 0 } })
  emulator.github.deleteComment(id)
  const { annotations } = await emulator.collect()
  expect(annotations).toMatchObject([{ message: expect.stringContaining('react to the comment') }])
  expect(emulator.lastWords()).toContain(SAYS.opened)
  await emulator.pass(60_000)
  emulator.clearRequests()
  expect((await emulator.collect()).annotations).toEqual([])
  expect(emulator.calls()).toEqual(['GET /repos/octo/app/issues/comments'])
})

test.each(['SIGINT', 'SIGKILL'] as const)(
  '8.1 a job whose run met %s is collected at once, whatever its deadline',
  async (signal) => {
    const emulator = ownWorld()
    emulator.service.script.push({ reads: 1 })
    const said = emulator.say('/docs explain')
    await emulator.interrupted(emulator.given(said), READ, { signal })
    expect(emulator.records().at(-1)).toMatchObject({ state: 'running', waitsMs: 0 })
    expectCounts(await emulator.collect(), { finished: 1 })
    expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.opened)])
    expect(emulator.reactions(said.id)).toEqual(['rocket'])
  },
)

test.each(['recreate', 'update'])('8.1 8.2 two sweeps report a job once with `%s`', async (comment) => {
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
})

test('8.2 what another run has reported since the sweep began is not reported again', async () => {
  const emulator = ownWorld()
  const job = await plant(emulator, { key: 'mine' })
  emulator.faults.add({
    match: { host: 'service' },
    fault: {
      kind: 'call',
      call: () => {
        const body = statusBody(
          { key: 'mine', jobId: job, state: 'reported', writtenAt: emulator.settings.now() },
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
  ['docs-app[bot]', 'github-actions[bot]', 1],
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
    expect(bodies().filter((body) => body.includes(SAYS.works))).toHaveLength(jobs)
    const said = bodies()
    emulator.clearRequests()
    await emulator.pass(HOUR)
    expect((await emulator.collect()).annotations).toEqual([])
    expect(bodies()).toEqual(said)
    // What stays is looked at once.
    expect(emulator.calls()).toEqual(['GET /repos/octo/app/issues/comments'])
  },
)

test.each([
  ['the same account', 'docs-app[bot]', 'recreate'],
  ['another account that edits the comment', 'other-app[bot]', 'update'],
])('5.6 %s collects: there is nothing to warn of', async (_, second, comment) => {
  const { result, bodies } = await collectedBy('docs-app[bot]', second, 1, comment)
  expect(result.annotations).toEqual([])
  expect(bodies()).toEqual([expect.stringContaining(SAYS.opened)])
})
