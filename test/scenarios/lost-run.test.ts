import { describe, expect, test } from 'vitest'
import type { FaultMatch } from '../../emulator/faults.ts'
import { checkedWorld } from '../helpers/checked-world.ts'
import {
  CODE,
  codeWorld,
  DELIVERED,
  happens,
  INPUTS,
  pulled,
  pushes,
  SECOND_PUSH,
  saidOf,
  states,
} from '../helpers/code-world.ts'
import { testMatrix } from '../helpers/matrix.ts'
import { plant } from '../helpers/sweeps.ts'
import { CREATE, expectOutcome, ownWorld, READ, type World } from '../helpers/world.ts'

// Contract 6.2: a run whose host was lost left its request behind, and its post step never came.

const HOUR = 3_600_000
const WORKS = '⏳ The docs agent is working'
const DOUBT = '❌ It is not known whether a job was started'
const OPENED = '✅ The docs agent opened'

type Interruption = Parameters<World['interrupted']>[2]

/** alice's run is lost with its host, right at such a request. */
async function lose(emulator: World, match: FaultMatch, how: Interruption = { when: 'after' }) {
  const run = emulator.given(emulator.say('/docs explain'), { runId: 1, post: false })
  await emulator.interrupted(run, match, how)
}

/** What the thread shows of alice's request, each comment by its first words. */
const shown = (emulator: World): string[] =>
  emulator
    .bodies()
    .flatMap((body, at) =>
      emulator.records()[at]?.requestedBy === 'alice' ? [/\*\*(.*?)[.*[]/.exec(body)?.[1] ?? ''] : [],
    )
    .map((words) => words.trim())

const onThread = (method: string) => ({ host: 'github', method, path: /\/issues\/(12|comments)/ }) as const
const POST = { ...onThread('POST'), path: /\/issues\/12\/comments$/ } as const
const LOST = { fault: { kind: 'reset' } } as const
const THEN = { when: 'after' } as const

const NONE = 'This thread has no job'
const UNKNOWN =
  'It is not known whether the agent got [the request](https://github.com/octo/app/actions/runs/1) of `alice`'
const COMPLETED = /The job `j_\w+` is `completed`/

/**
 * The moment at which the host is lost; what `/docs status` says then, before another command and after it; and what the thread
 * shows of alice's request once anybody, or a sweep, has looked.
 */
const MOMENTS: readonly (readonly [string, FaultMatch, Interruption, RegExp | string, readonly string[]])[] =
  [
    ['before its record is there', POST, LOST, NONE, []],
    ['once its record is there', POST, THEN, UNKNOWN, [DOUBT]],
    ['before its request is out', CREATE, LOST, UNKNOWN, [DOUBT]],
    ['once its request is out', CREATE, THEN, UNKNOWN, [DOUBT]],
    ['before its record names the job', onThread('PATCH'), LOST, UNKNOWN, [DOUBT]],
    ['once its record names the job', onThread('PATCH'), THEN, COMPLETED, [OPENED]],
    ['while the job works', READ, THEN, COMPLETED, [OPENED]],
    ['before its result is there', POST, { ...LOST, skip: 1 }, COMPLETED, [OPENED]],
    ['once its result is there', POST, { ...THEN, skip: 1 }, COMPLETED, [OPENED]],
    ['before what the result replaces is gone', onThread('DELETE'), LOST, COMPLETED, [OPENED]],
    ['once what the result replaces is gone', onThread('DELETE'), THEN, COMPLETED, [OPENED]],
  ]

const LOOKS: Readonly<Record<string, (emulator: World, runId: number) => Promise<unknown>>> = {
  status: (emulator, runId) => emulator.ask('/docs status', { by: 'bob', runId }),
  command: (emulator, runId) => emulator.ask('/docs shorten', { by: 'bob', runId }),
  sweep: (emulator, runId) => emulator.collect({}, { runId }),
}

const ORDERS = [
  ['status', 'command', 'sweep'],
  ['status', 'sweep', 'command'],
  ['command', 'status', 'sweep'],
  ['command', 'sweep', 'status'],
  ['sweep', 'status', 'command'],
  ['sweep', 'command', 'status'],
]

describe.each(MOMENTS)('6.2 3.2 lost %s', (name, match, how, answer, end) => {
  const place = MOMENTS.findIndex(([moment]) => moment === name)
  const isUsual = (at: number) => at === place % ORDERS.length
  testMatrix(ORDERS, isUsual)(
    'then %s, %s, %s: what the thread says is true at each step',
    async (...order) => {
      const emulator = ownWorld()
      emulator.service.everyTurn = { durationMs: 60_000 }
      await lose(emulator, match, how)
      await emulator.pass(2 * HOUR)
      for (const [at, look] of order.entries()) {
        await LOOKS[look]?.(emulator, at + 2)
        // An end of a later request ends the doubt: what the agent had by then, it had worked on.
        const isAnswered = order.slice(0, at).includes('command')
        if (look === 'status') expect(emulator.lastWords()).toMatch(isAnswered ? COMPLETED : answer)
        expect(shown(emulator)).toEqual(end)
        await emulator.pass(HOUR)
      }
      // The agent was asked by alice, as far as that can be, and once by bob.
      expect(emulator.promptCounts().length).toBeLessThanOrEqual(end.includes(DOUBT) ? 2 : 1)
    },
  )
})

test.each<[string, number, RegExp]>([
  [
    'at once',
    0,
    /^\*\*ℹ️ \[A run\]\(\S+\/runs\/1\) has begun to send the request of `alice`.*; no answer is known yet/,
  ],
  ['two minutes later', 120_000, /has begun to send the request of `alice`/],
  [
    'three minutes later',
    181_000,
    /^\*\*ℹ️ It is not known whether the agent got \[the request\]\(\S+\) of `alice`/,
  ],
])('H7 `status` while a request is under way, %s', async (_, ms, answer) => {
  const emulator = ownWorld()
  await lose(emulator, CREATE, LOST)
  await emulator.pass(ms)
  await emulator.ask('/docs status', { by: 'bob', runId: 2 })
  expect(emulator.lastWords()).toMatch(answer)
  expect(emulator.lastWords()).not.toContain('This thread has no job')
})

test.each([
  ['a request', '/docs shorten'],
  ['`status`', '/docs status'],
  ['`help`', '/docs help'],
])(
  '6.2 %s reports the end of a job that no run waits for any more, where it stands, and mentions no one',
  async (_, command) => {
    const emulator = ownWorld()
    await lose(emulator, READ)
    const [before] = emulator.written()
    await emulator.pass(2 * HOUR)
    await emulator.ask(command, { by: 'bob', runId: 2 })
    const [after] = emulator.written()
    expect(after?.id).toBe(before?.id)
    expect(after?.body).toContain(OPENED)
    expect(after?.body).not.toContain('@')
    expect(emulator.service.jobs()).toHaveLength(1)
  },
)

test('6.2 the end of a job ends the earlier turns of it that no run holds', async () => {
  const emulator = ownWorld()
  await lose(emulator, READ)
  // The message comes while the job still works, so a reading from before it tells no end.
  emulator.service.script.push({ reads: 2 })
  await emulator.pass(60 * 60_000)
  const more = emulator.ask('/docs shorten', { by: 'bob', runId: 2 })
  expectOutcome(await more, 'pull-request')
  expect(shown(emulator)).toEqual([OPENED])
})

test('6.2 no one takes what a run may still hold', async () => {
  const emulator = ownWorld()
  await lose(emulator, READ)
  await emulator.ask('/docs status', { by: 'bob', runId: 2 })
  expect(shown(emulator)).toEqual([WORKS])
})

test.each([500, 429])(
  '6.2 a job that cannot be read now (%s) changes nothing for the command that found it',
  async (status) => {
    const emulator = ownWorld()
    await lose(emulator, READ)
    await emulator.pass(2 * HOUR)
    emulator.faults.add({ match: READ, fault: { kind: 'status', status } })
    expectOutcome(await emulator.ask('/docs new shorten', { by: 'bob', runId: 2 }), 'pull-request')
    expect(shown(emulator)).toEqual([WORKS])
  },
)

/** For how long a service that does not answer holds requests of bob's run, in ms. */
async function heldBy(emulator: World, command: string): Promise<readonly number[]> {
  const { fetch, settings } = emulator
  const held: number[] = []
  const timed: typeof fetch = async (url, init) => {
    const began = settings.now()
    init?.signal?.addEventListener('abort', () => held.push(settings.now() - began), { once: true })
    return await fetch(url, init)
  }
  const stalled = emulator.faults.add({ match: READ, fault: { kind: 'stall' } })
  Object.defineProperty(emulator, 'fetch', { value: timed })
  await emulator.ask(command, { by: 'bob', runId: 2 })
  stalled.remove()
  expect(held.length).toBeGreaterThan(0)
  return held
}

test.each(['/docs help', '/docs new shorten', '/docs cancel'])(
  '5.2 a service that does not answer holds a thread sweep ten seconds, and no request longer: %s',
  async (command) => {
    const emulator = ownWorld()
    await lose(emulator, READ)
    await emulator.pass(2 * HOUR)
    expect(Math.max(...(await heldBy(emulator, command)))).toBeLessThanOrEqual(10_000)
  },
)

test.each(['/docs help', '/docs new shorten', '/docs cancel'])(
  '5.2 nor where a run that did not wait has just started the job: %s',
  async (command) => {
    const emulator = ownWorld()
    await emulator.ask('/docs explain', { runId: 1, inputs: { wait: 'false' } })
    expect(Math.max(...(await heldBy(emulator, command)))).toBeLessThanOrEqual(10_000)
  },
)

test('6.2 a job that the service misses once is read again', async () => {
  const emulator = ownWorld()
  await lose(emulator, READ)
  await emulator.pass(2 * HOUR)
  emulator.faults.add({ match: READ, fault: { kind: 'status', status: 404 } })
  await emulator.ask('/docs new shorten', { by: 'bob', runId: 2 })
  expect(shown(emulator)).toEqual([OPENED])
})

test('6.2 of many lost requests, one run ends three', async () => {
  const emulator = ownWorld()
  for (const runId of [1, 2, 3, 4, 5]) {
    emulator.service.script.push({ durationMs: 60_000 })
    const run = emulator.given(emulator.say('/docs new explain'), { runId, post: false })
    await emulator.interrupted(run, READ, { when: 'after' })
    await emulator.pass(2 * HOUR)
  }
  await emulator.ask('/docs help', { by: 'bob', runId: 6 })
  expect(shown(emulator)).toEqual([OPENED, OPENED, OPENED, WORKS, WORKS])
})

test('3.13 6.2 an event whose run was cancelled is ended by the next push, and hidden', async () => {
  const emulator = codeWorld()
  const run = emulator.given(pulled(emulator, 'opened'), { runId: 90, inputs: INPUTS })
  await emulator.interrupted(run, READ, { signal: 'SIGINT' })
  expect(emulator.bodies(30)).toEqual([expect.stringContaining('the job')])
  await emulator.pass(HOUR)
  expectOutcome(await pushes(emulator, SECOND_PUSH), 'pull-request')
  expect(emulator.bodies(30)).toEqual([expect.stringContaining('✅')])
})

describe('4.13 a head whose files or comments cannot be read', () => {
  const FILES = { host: 'github', method: 'GET', path: /\/pulls\/30\/files$/ } as const
  const COMMENTS = { host: 'github', method: 'GET', path: /\/issues\/30\/comments$/ } as const
  test.each([
    ['opened', FILES, 502, ['error']],
    ['opened', COMMENTS, 502, ['error']],
    ['opened', COMMENTS, 403, ['error']],
    ['synchronize', FILES, 502, ['error']],
    ['synchronize', COMMENTS, 403, ['error']],
    ['labeled', FILES, 502, []],
    ['labeled', COMMENTS, 403, []],
  ] as const)('by an event %s: %o answers %s', async (action, match, status, expected) => {
    const emulator = codeWorld()
    const away = emulator.faults.add({ match, times: Infinity, fault: { kind: 'status', status } })
    expectOutcome(await happens(emulator, action), 'error', 'github-unavailable')
    expect(states(emulator)).toEqual(expected)
    // A re-run does not bring a permission.
    for (const said of saidOf(emulator))
      expect(said).toBe('error: GitHub cannot be read: see the run, or /docs skip')
    expect(emulator.calls('service')).toEqual([])
    away.remove()
    expectOutcome(await happens(emulator, 'labeled'), 'pull-request')
    expect(states(emulator)).toEqual([...expected, 'pending', 'success'])
  })
})

/** What the comment of a run says. */
const bodyOf = (emulator: World, run: number, on?: number): string =>
  emulator
    .written(on)
    .map(({ body }) => body)
    .find((body) => body.includes(`/runs/${run})`)) ?? ''

test.each(['/docs status', '/docs help', '/docs new shorten'])(
  '5.2 the job of a lost run is gone: %s says so',
  async (command) => {
    const emulator = ownWorld()
    emulator.service.script.push({ durationMs: 600_000, notFound: { afterMs: 60_000, ms: 100 * HOUR } })
    await lose(emulator, READ)
    await emulator.pass(2 * HOUR)
    await emulator.ask(command, { by: 'bob', runId: 2 })
    expect(bodyOf(emulator, 1)).toContain('❌')
  },
)

test('5.2 three records whose jobs never end do not keep another one from its end', async () => {
  const emulator = ownWorld()
  const now = emulator.settings.now()
  for (const at of [0, 1, 2]) {
    const requestedAt = now - 48 * HOUR + at
    await plant(emulator, { turn: { ending: 'active-forever' }, attempt: `${at}.1`, requestedAt })
  }
  await plant(emulator, { attempt: '8.1', requestedAt: now - HOUR })
  await emulator.ask('/docs help', { by: 'bob', runId: 10 })
  expect(emulator.bodies().filter((body) => body.includes('is working'))).toHaveLength(3)
})

test('5.2 a run whose own job is over at once ends what a lost one left, too', async () => {
  const emulator = ownWorld()
  await lose(emulator, READ)
  await emulator.pass(2 * HOUR)
  emulator.service.script.push({ answerStatus: 'completed' })
  await emulator.ask('/docs new x', { by: 'bob', runId: 2 })
  expect(bodyOf(emulator, 1)).toContain('✅')
})

test('5.2 what one request left out is not said of a lost one', async () => {
  const emulator = ownWorld()
  await lose(emulator, READ)
  await emulator.pass(2 * HOUR)
  const mail = '/docs shorten\n\nOn Mon, Nov 2, 2026 at 10:00 Al <al@example.org> wrote:\n> hello\n> there'
  await emulator.ask(mail, { by: 'bob', runId: 4, isMail: true })
  expect(bodyOf(emulator, 1)).toContain('✅')
  expect(bodyOf(emulator, 1)).not.toContain('did not get')
})

test.each(['active-forever', 'failed'] as const)(
  '5.2 an earlier turn is over with the later request, whatever became of the failures of its checks: %s',
  async (ending) => {
    const FAILS = { name: 'build', conclusion: 'failure' } as const
    const emulator = checkedWorld([[FAILS], [FAILS]])
    emulator.service.script.push({ durationMs: 60_000 })
    await emulator.ask('/docs explain', { runId: 1, inputs: { wait: 'false' } })
    emulator.service.script.push({ durationMs: 20_000 }, { ending })
    const inputs = { 'fix-attempts': '2', 'timeout-minutes': '15' }
    await emulator.ask('/docs shorten', { by: 'bob', runId: 2, inputs })
    expect(bodyOf(emulator, 1)).toContain('It is not known whether the docs agent finished this request')
    expect(bodyOf(emulator, 1)).toContain('Its pull request is [octo/app#77]')
  },
)

test('4.13 a command whose workflow may not set the commit status leaves it to those that may', async () => {
  const emulator = codeWorld()
  const run = emulator.given(pulled(emulator, 'opened'), { runId: 90, post: false, inputs: INPUTS })
  await emulator.interrupted(run, READ, { when: 'after' })
  await emulator.pass(2 * HOUR)
  const match = { host: 'github', method: 'POST', path: /\/statuses\// } as const
  const fault = emulator.faults.add({ match, times: Infinity, fault: { kind: 'status', status: 403 } })
  const { log } = await emulator.ask('/docs status', { by: 'bob', on: CODE, runId: 2 })
  expect(log).not.toContain('statuses: write')
  fault.remove()
  await emulator.pass(HOUR)
  await emulator.collect()
  expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
})

test('5.2 a pull request stays with its newer job, where the end of a lost run comes late', async () => {
  const emulator = ownWorld()
  emulator.service.script.push({ durationMs: 10_000 })
  await lose(emulator, READ)
  await emulator.pass(2 * HOUR)
  const [job] = emulator.service.jobs()
  const headers = { authorization: 'Bearer test-key' }
  await emulator.fetch(`${emulator.serviceUrl}/v2/agent/docs/job/${job?.id}`, { headers })
  await emulator.ask('/docs shorten', { on: 77, by: 'bob', runId: 2 })
  await emulator.ask('/docs status', { by: 'bob', runId: 3 })
  await emulator.ask('/docs and more', { on: 77, by: 'bob', runId: 4 })
  expect(emulator.promptCounts()).toEqual([1, 2])
})

test('3.2 a doubt outlives the end of another job', async () => {
  const emulator = ownWorld()
  await lose(emulator, CREATE)
  await emulator.pass(HOUR)
  await emulator.ask('/docs new shorten', { by: 'bob', runId: 3 })
  await emulator.ask('/docs status', { by: 'bob', runId: 4 })
  expect(emulator.lastWords()).toContain(UNKNOWN)
})

test('4.13 no event makes green again what a lost command made red', async () => {
  const emulator = codeWorld()
  const inputs = { 'commit-status': 'docs' }
  await emulator.ask('/docs skip because tests', { on: CODE, runId: 2, inputs })
  const said = emulator.say('/docs explain', { on: CODE })
  await emulator.interrupted(emulator.given(said, { runId: 1, post: false, inputs }), CREATE, {
    when: 'after',
  })
  await emulator.pass(HOUR)
  await emulator.collect()
  await happens(emulator, 'labeled')
  expect(saidOf(emulator).at(-1)).toMatch(/^error: It is not known/)
})
