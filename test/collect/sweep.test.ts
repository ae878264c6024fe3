import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startAction } from '../../emulator/runner.ts'
import {
  bodies,
  calls,
  ISSUE,
  reactions,
  records,
  say,
  signingOf,
  written,
} from '../scenarios/conversation-helpers.ts'
import {
  collect,
  collectRun,
  expectCounts,
  plant,
  reads,
  rootRun,
  start,
  statusBody,
  world,
} from './helpers.ts'

const HOUR = 3_600_000

test('8.1 comments older than `since-hours` are not looked at', async () => {
  const emulator = await world()
  emulator.shift(-3 * HOUR)
  await plant(emulator, { on: 13, requestedAt: Date.now() - 3 * HOUR })
  emulator.shift(3 * HOUR)
  await plant(emulator, { on: 14 })
  expectCounts(await collect(emulator, { 'since-hours': '2.5' }), { finished: 1 })
  expect(reads(emulator)).toHaveLength(1)
  const since = emulator.requests.find(({ path }) => path.endsWith('/issues/comments'))?.query.since ?? ''
  expect(Math.abs(Date.now() - 2.5 * HOUR - Date.parse(since))).toBeLessThan(20_000)
  expect(bodies(emulator, 13).join()).toContain('is working')
  expectCounts(await collect(emulator, { 'since-hours': '3.5' }), { finished: 1 })
})

test('8.1 all pages of the comments are read', async () => {
  const emulator = await world()
  for (let at = 0; at < 230; at += 1) emulator.github.addComment(ISSUE, { login: 'carol', body: `${at}` })
  await plant(emulator)
  expectCounts(await collect(emulator), { finished: 1 })
  const pages = emulator.requests.filter(({ path }) => path === '/repos/octo/app/issues/comments')
  expect(pages.map(({ query }) => query.per_page)).toEqual(['100', '100', '100'])
})

test('8.1 a long thread is not read from its beginning', async () => {
  const emulator = await world()
  emulator.shift(-2 * HOUR)
  for (let at = 0; at < 230; at += 1) emulator.github.addComment(ISSUE, { login: 'carol', body: `${at}` })
  emulator.shift(2 * HOUR)
  await plant(emulator)
  expectCounts(await collect(emulator), { finished: 1 })
  expect(calls(emulator, 'github').filter((call) => call.endsWith('/issues/12/comments'))).toEqual([
    'GET /repos/octo/app/issues/12/comments',
    'POST /repos/octo/app/issues/12/comments',
  ])
})

test.each([
  ['signed with another key', { scope: { apiKey: 'other-key' } }],
  ['made for another thread', { scope: { thread: 13 } }],
  ['made for another repository', { scope: { repositoryId: signingOf(12, 'octo/other').repositoryId } }],
  ['made for another project', { scope: { projectId: 'other' } }],
])('8.1 5.1 a record that is %s does not count', async (_, planted) => {
  const emulator = await world()
  await plant(emulator, planted)
  expectCounts(await collect(emulator), {})
  expect(calls(emulator, 'service')).toEqual([])
  expect(bodies(emulator).join()).toContain('is working')
})

test('8.1 5.1 a renamed repository keeps its open requests', async () => {
  const emulator = await world({ docsRepository: 'octo/docs' })
  await start(emulator, { turn: { reads: 0 } })
  emulator.github.renameRepository('octo/app', 'octo/renamed')
  expectCounts(await collect(emulator), { finished: 1 })
  expect(bodies(emulator)).toEqual([expect.stringContaining('opened')])
  expectCounts(await collect(emulator), {})
})

test('8.1 5.1 with the token of a person the records in comments of that account count, and no others', async () => {
  const emulator = await world({ tokenLogin: 'dana' })
  await plant(emulator, { login: 'dana' })
  await plant(emulator, { login: 'mallory', on: 13 })
  expectCounts(await collect(emulator), { finished: 1 })
  expect(emulator.github.comments(ISSUE)).toMatchObject([
    { user: { login: 'dana' }, body: expect.stringContaining('opened') },
  ])
  expect(emulator.github.comments(13)).toMatchObject([{ user: { login: 'mallory' } }])
})

test('8.1 5.1 a record that was edited, or does not end its comment, does not count', async () => {
  const emulator = await world()
  await plant(emulator)
  const [comment] = emulator.github.comments(ISSUE)
  const body = comment?.body ?? ''
  emulator.github.editComment(comment?.id ?? 0, body.replace(/:(\w)/, ':A$1'))
  emulator.github.addComment(ISSUE, { login: 'mallory', body: `${body}\n\nand more` })
  expectCounts(await collect(emulator), {})
  expect(calls(emulator, 'service')).toEqual([])
})

test.each(['idle', 'sending', 'unknown', 'reported', 'refusal', 'link', 'tracking'] as const)(
  '8.1 a record that says `%s` leaves nothing to collect',
  async (state) => {
    const emulator = await world()
    await plant(emulator, { state })
    expectCounts(await collect(emulator), {})
    expect(calls(emulator, 'service')).toEqual([])
  },
)

test('8.1 reads at most 8 jobs at a time, and that many', async () => {
  const emulator = await world()
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
  expectCounts(await collect(emulator), { finished: 20 })
  expect(most).toBe(8)
  expect(new Set(reads(emulator)).size).toBe(20)
  expect(reads(emulator)).toHaveLength(20)
})

test('8.1 a job whose runner was lost is collected once its deadline has passed', async () => {
  const emulator = await world()
  emulator.service.script.push({ reads: 0 })
  const said = say(emulator, '/docs explain')
  const inputs = { wait: 'true', 'timeout-minutes': '0.1', 'poll-interval-seconds': '600' }
  const running = startAction(rootRun(emulator, said, { inputs, post: false }))
  await expect.poll(() => records(emulator).at(-1)?.state, { timeout: 10_000 }).toBe('running')
  running.kill('SIGKILL')
  await running.done
  const record = records(emulator).at(-1)
  const until = record !== undefined && 'waitsUntil' in record ? record.waitsUntil : 0
  expect(until).toBeGreaterThan(Date.now() + 1000)
  expectCounts(await collect(emulator), {})
  await wait(until - Date.now() + 10)
  expectCounts(await collect(emulator), { finished: 1 })
  expect(bodies(emulator)).toEqual([expect.stringContaining('opened')])
  expect(reactions(emulator, said.id)).toEqual(['rocket'])
})

test('8.2 what a sweep that was killed could not delete, the next one deletes', async () => {
  const emulator = await world()
  const { id } = await start(emulator, { turn: { reads: 0 } })
  const { child, done } = startAction(collectRun(emulator))
  const call = async () => {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  const match = { host: 'github', method: 'POST', path: /\/issues\/12\/comments$/ } as const
  emulator.faults.add({ match, fault: { kind: 'call', when: 'after', call } })
  await done
  const [status = '', result = '', ...others] = bodies(emulator)
  expect(status).toContain('is working')
  expect(result).toContain('opened')
  expect(others).toEqual([])
  expectCounts(await collect(emulator), {})
  expect(bodies(emulator)).toEqual([result])
  expect(reactions(emulator, id)).toEqual(['rocket'])
})

test('8.2 what a run without a job that was killed could not delete, a sweep deletes', async () => {
  const emulator = await world()
  const said = say(emulator, '/docs explain')
  emulator.faults.add({ match: { host: 'service' }, fault: { kind: 'status', status: 402 } })
  const { child, done } = startAction(rootRun(emulator, said, { post: false }))
  const call = async () => {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  const match = { host: 'github', method: 'POST', path: /\/issues\/12\/comments$/ } as const
  emulator.faults.add({ match, skip: 1, fault: { kind: 'call', when: 'after', call } })
  await done
  expect(bodies(emulator)).toHaveLength(2)
  expectCounts(await collect(emulator), {})
  expect(bodies(emulator)).toEqual([expect.stringContaining('did not get the request')])
  expect(reactions(emulator, said.id)).toEqual(['confused'])
})

test.each(['SIGINT', 'SIGKILL'] as const)(
  '8.1 a job whose run met %s is collected at once, whatever its deadline',
  async (signal) => {
    const emulator = await world()
    emulator.service.script.push({ reads: 0 })
    const said = say(emulator, '/docs explain')
    const inputs = { wait: 'true', 'poll-interval-seconds': '600' }
    const running = startAction(rootRun(emulator, said, { inputs }))
    const over = once(running.child, 'exit')
    await expect.poll(() => records(emulator).at(-1)?.state, { timeout: 10_000 }).toBe('running')
    running.kill(signal)
    await over
    await running.done
    expect(records(emulator).at(-1)).toMatchObject({ state: 'running', waitsUntil: 0 })
    expectCounts(await collect(emulator), { finished: 1 })
    expect(bodies(emulator)).toEqual([expect.stringContaining('opened')])
    expect(reactions(emulator, said.id)).toEqual(['rocket'])
  },
)

test.each(['recreate', 'update'])('8.1 8.2 two sweeps report a job once with `%s`', async (comment) => {
  const emulator = await world()
  const { id } = await start(emulator, { turn: { reads: 0 } })
  const [status] = written(emulator)
  expectCounts(await collect(emulator, { comment }), { finished: 1 })
  const [result, ...others] = written(emulator)
  expect([result?.id === status?.id, others]).toEqual([comment === 'update', []])
  expect(result?.body).toContain('opened')
  const thread = emulator.github.comments(ISSUE).map(({ id, body }) => ({ id, body }))
  emulator.clearRequests()
  expectCounts(await collect(emulator, { comment }), {})
  expect(emulator.github.comments(ISSUE)).toMatchObject(thread)
  expect(emulator.github.comments(ISSUE)).toHaveLength(thread.length)
  expect(reactions(emulator, id)).toEqual(['rocket'])
  expect(emulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /repos/octo/app/issues/comments',
  ])
})

test('8.2 what another run has reported since the sweep began is not reported again', async () => {
  const emulator = await world()
  const job = await plant(emulator, { key: 'mine' })
  emulator.faults.add({
    match: { host: 'service' },
    fault: {
      kind: 'call',
      call: () => {
        const body = statusBody(
          { key: 'mine', jobId: job, state: 'reported', writtenAt: Date.now() },
          signingOf(),
        )
        emulator.github.addComment(ISSUE, { login: 'github-actions[bot]', body })
      },
    },
  })
  const result = await collect(emulator)
  expectCounts(result, {})
  expect(result.log).toContain('another run took it up')
  expect(calls(emulator, 'github').filter((call) => !call.startsWith('GET'))).toEqual([])
})

test('8.2 a job that the service no longer knows is reported as gone, once', async () => {
  const emulator = await world()
  const { id, job } = await start(emulator)
  emulator.service.forget(job)
  const result = await collect(emulator)
  expectCounts(result, { finished: 1 })
  expect(JSON.parse(result.outputs.result ?? '')).toEqual([
    { 'job-id': job, thread: ISSUE, outcome: 'error', 'pr-link': '' },
  ])
  expect(bodies(emulator)).toEqual([expect.stringContaining('no longer knows')])
  expect(reactions(emulator, id)).toEqual(['confused'])
  expectCounts(await collect(emulator), {})
  expect(bodies(emulator)).toHaveLength(1)
})
