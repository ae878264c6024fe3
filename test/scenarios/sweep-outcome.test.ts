import { expect, test } from 'vitest'
import { SAYS } from '../helpers/phrases.ts'
import { expectCounts, plant, resultOf } from '../helpers/sweeps.ts'
import { ISSUE, ownWorld, READ } from '../helpers/world.ts'

const TIMES = Number.POSITIVE_INFINITY
const DOCS = { docsRepository: 'octo/docs' }
const linkTo = (number: number) => `https://github.com/octo/docs/pull/${number}`
const threadLink = (number: number) => `[#${number}](https://github.com/octo/app/issues/${number})`

const HOUR = 3_600_000

test('8.3 counts, the list of what ended, and a summary that shows all of it', {
  tags: 'bundle',
}, async () => {
  const emulator = ownWorld(DOCS)
  const first = await plant(emulator)
  const second = await plant(emulator, { on: 13, turn: { reads: 0, ending: 'failed' } })
  const third = await plant(emulator, { on: 14, turn: { reads: 1 } })
  const fourth = await plant(emulator, { on: 15 })
  const match = { host: 'service', path: new RegExp(fourth) } as const
  emulator.faults.add({ match, fault: { kind: 'status', status: 500, body: { error: 'Out of | luck' } } })
  const result = await emulator.collect()
  expectCounts(result, { finished: 2, active: 1, failed: 1 })
  expect(resultOf(result)).toEqual([
    { 'job-id': first, thread: ISSUE, outcome: 'pull-request', 'pr-link': linkTo(77) },
    { 'job-id': second, thread: 13, outcome: 'failed', 'pr-link': '' },
  ])
  const { summary } = result
  expect(summary).toMatch(/^## .*2 jobs reported, 1 still working, 1 could not be read or reported$/m)
  expect(summary).toContain(`| [octo/docs#77](${linkTo(77)})<br>\`${first}\` | ${threadLink(12)} |`)
  expect(summary).toContain(`| failed<br>\`${second}\` | ${threadLink(13)} |`)
  expect(summary).toMatch(/^\| `active`, asked \d{4}-.* UTC, 1 min.* ago<br>/m)
  expect(summary).toContain(`<br>\`${third}\` | ${threadLink(14)} |`)
  expect(summary).toMatch(/^\| `.*HTTP 500: Out of ¦ luck.*`<br>/m)
  expect(summary).toContain(`<br>\`${fourth}\` | ${threadLink(15)} |`)
  expect(result.annotations).toEqual([{ level: 'warning', message: expect.stringContaining('#15') }])
})

test('8.3 one job’s error does not stop the others, and the next sweep tries it again', async () => {
  const emulator = ownWorld()
  const faulty = await plant(emulator)
  await plant(emulator, { on: 13 })
  const match = { host: 'service', path: new RegExp(faulty) } as const
  emulator.faults.add({ match, fault: { kind: 'reset' } })
  expectCounts(await emulator.collect(), { finished: 1, failed: 1 })
  expect(emulator.requests.filter(({ path }) => path.includes(faulty))).toHaveLength(1)
  expect(emulator.bodies().join()).toContain(SAYS.works)
  expect(emulator.bodies(13).join()).toContain(SAYS.opened)
  expectCounts(await emulator.collect(), { finished: 1 })
  expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.opened)])
})

test('8.3 a service that cannot be used at all turns it red, and says why', async () => {
  const emulator = ownWorld()
  await plant(emulator)
  await plant(emulator, { on: 13 })
  const fault = { kind: 'status', status: 401, body: { error: 'no such key: test-key' } } as const
  emulator.faults.add({ match: { host: 'service' }, times: TIMES, fault })
  const result = await emulator.collect()
  expect(result.exitCode).toBe(1)
  expect(result.outputs).toMatchObject({ finished: '0', active: '0', failed: '2', result: '[]' })
  const errors = result.annotations.filter(({ level }) => level === 'error')
  expect(errors).toEqual([{ level: 'error', message: expect.stringContaining('API key') }])
  expect(emulator.bodies().join()).toContain(SAYS.works)
  // 1.1, 6.3: the key and the token stay out of log, outputs and summary.
  expect(result.masks).toEqual(expect.arrayContaining(['test-key', 'test-token']))
  const { rawLog, summary, outputs } = result
  const said = [rawLog.replace(/^::add-mask::.*$/gm, ''), summary, JSON.stringify(outputs)]
  expect(said.join()).not.toMatch(/test-key|test-token/)
})

test('8.3 a GitHub that cannot be used at all turns it red, and says why', async () => {
  const emulator = ownWorld()
  await plant(emulator)
  const fault = { kind: 'status', status: 403, body: { message: 'Resource not accessible' } } as const
  emulator.faults.add({ match: { host: 'github' }, times: TIMES, fault })
  const result = await emulator.collect()
  expect(result.exitCode).toBe(1)
  const message = expect.stringMatching(/issues: write/)
  expect(result.annotations).toEqual([{ level: 'error', message }])
  expect(emulator.requests.filter(({ host }) => host === 'service')).toEqual([])
})

test.each([
  ['since-hours', '745', 'Write a number of hours'],
  ['wait-minutes', '361', 'Write a number of minutes'],
  ['comment', 'loud', '`recreate`'],
  ['api-key', '', 'is missing'],
])('8 1 bad input `%s: %s` is refused before any request', async (name, value, says) => {
  const emulator = ownWorld()
  const result = await emulator.collect({ [name]: value })
  expect(result.exitCode).toBe(1)
  const message = result.annotations[0]?.message ?? ''
  expect(message).toContain(name)
  expect(message).toContain(says.replaceAll('`', ''))
  expect(emulator.requests).toEqual([])
})

test('8 2.4 what the service sends can neither break the table nor be a workflow command', async () => {
  const emulator = ownWorld()
  await plant(emulator, { turn: { reads: 0, pr: 'https://example.com/a|b](x)' } })
  await plant(emulator, { on: 13, turn: { ending: 'active-forever', activeStatus: '::error::a|b' } })
  const result = await emulator.collect()
  expectCounts(result, { finished: 1, active: 1 })
  const rows = result.summary.split('\n').filter((line) => line.includes('<br>'))
  expect(rows.map((row) => row.split(/(?<!\\)\|/).length)).toEqual([4, 4])
  expect(result.annotations).toEqual([])
})

test('8 6.1 a cancelled sweep stops at once, and what it has not reported stays open', {
  tags: 'bundle',
}, async () => {
  const emulator = ownWorld()
  await plant(emulator)
  const stall = { kind: 'stall' } as const
  const from = emulator.settings.now()
  const run = emulator.sweepGiven()
  const { exitCode, annotations } = await emulator.interrupted(run, READ, { signal: 'SIGINT', fault: stall })
  expect(exitCode).toBe(1)
  expect(annotations.at(-1)?.message).toBe('The run was cancelled. The next sweep goes on.')
  expect(annotations.at(0)?.message).toMatch(/ The run was cancelled\. The next sweep tries again\.$/)
  expect(emulator.settings.now() - from).toBeLessThan(5_000)
  expectCounts(await emulator.collect(), { finished: 1 })
})

test('6.2 a record dated an hour ahead ends no later turn', async () => {
  const emulator = ownWorld()
  await plant(emulator, { state: 'running', writtenAt: emulator.settings.now() + HOUR })
  await emulator.pass(60_000)
  emulator.service.script.push({ durationMs: 100_000, staleReads: 3, answerStatus: 'completed' })
  await emulator.ask('/docs more', { runId: 1, inputs: { wait: 'false' } })
  await emulator.pass(2000)
  await emulator.ask('/docs status', { by: 'bob', runId: 2 })
  expect(emulator.bodies().find((body) => body.includes('/runs/1)'))).toContain('is working')
})

test.each([-2 * HOUR, -60_000, 0, 60_000, 2 * HOUR])(
  '4.8 by a runner whose clock is %i ms off, a message: a sweep counts its end after half a minute, and not before',
  async (ms) => {
    const emulator = ownWorld()
    const messagedAt = emulator.settings.now() + ms
    await plant(emulator, { messagedAt, writtenAt: messagedAt, job: { status: 'completed' } })
    await emulator.pass(10_000)
    // What the job shows may be the end of the turn before.
    expectCounts(await emulator.collect(), { active: 1 })
    await emulator.pass(30_000)
    expectCounts(await emulator.collect(), { finished: 1 })
  },
)
