import { describe, expect, test } from 'vitest'
import { type RunResult, startAction } from '../../emulator/runner.ts'
import { MESSAGE } from '../helpers/checked-world.ts'
import { CODE, codeWorld } from '../helpers/code-world.ts'
import { halvesOf } from '../helpers/prompt-parts.ts'
import {
  askedTimes,
  CREATE,
  expectOutcome,
  ISSUE,
  ownWorld,
  RESTING,
  type World,
  world,
} from '../helpers/world.ts'

const MINUTE = 60_000
const EDIT = { host: 'github', method: 'PATCH', path: /\/comments\/\d+$/ } as const

/** Two people write so many ms apart, and both runs start at once. */
async function two(emulator: World, apartMs: number) {
  const runs = ['/docs explain (first)', '/docs shorten (second)'].map(
    async (words, at): Promise<RunResult> => {
      if (at > 0) await emulator.pass(apartMs)
      const said = emulator.say(words, { by: at === 0 ? 'alice' : 'bob' })
      return await emulator.act(said, { runId: at + 1 })
    },
  )
  return await Promise.all(runs)
}

describe('H1 3.2 two commands at once, without concurrency', () => {
  for (const apartMs of [0, 300]) {
    for (const slowMs of [0, 45_000]) {
      test(`${apartMs} ms apart, where the service takes ${slowMs} ms to answer: one job has both`, async () => {
        const emulator = world()
        emulator.service.everyTurn = RESTING
        emulator.faults.add({
          match: { host: 'service', method: 'POST' },
          fault: { kind: 'delay', ms: slowMs },
        })
        const results = await two(emulator, apartMs)
        for (const result of results) expectOutcome(result, 'pull-request')
        expect(emulator.promptCounts()).toEqual([2])
        expect(askedTimes(emulator, '(first)', '(second)')).toEqual([1, 1])
        expect(results.map(({ outputs }) => outputs['job-action']).sort()).toEqual(['continued', 'created'])
        expect(emulator.bodies().join('\n')).toMatch(/@alice[\s\S]*@bob|@bob[\s\S]*@alice/)
      })
    }
  }

  for (const apartMs of [0, 300, 3000]) {
    test(`${apartMs} ms apart, below 250 comments: one job has both`, async () => {
      const emulator = world()
      for (let n = 0; n < 250; n++) emulator.github.addComment(ISSUE, { login: 'carol', body: 'x' })
      await emulator.pass(60 * MINUTE)
      const results = await two(emulator, apartMs)
      for (const result of results) expectOutcome(result, 'pull-request')
      expect(emulator.promptCounts()).toEqual([2])
      expect(askedTimes(emulator, '(first)', '(second)')).toEqual([1, 1])
    })
  }

  for (const apartMs of [0, 100, 300]) {
    test(`${apartMs} ms after a request whose turn the service does not show yet, one with \`conversation: skip\` starts no job beside it`, async () => {
      const emulator = world()
      emulator.service.script.push(
        { pr: 'none' },
        { durationMs: MINUTE, answerStatus: 'completed', staleReads: 1 },
      )
      expectOutcome(await emulator.ask('/docs explain'), 'no-pull-request')
      const first = emulator.act(emulator.say('/docs explain (first)'), { runId: 1 })
      await emulator.pass(apartMs)
      const said = emulator.say('/docs shorten (second)', { by: 'bob' })
      const second = await emulator.act(said, { runId: 2, inputs: { conversation: 'skip' } })
      expectOutcome(second, 'skipped', 'job-active')
      expectOutcome(await first, 'pull-request')
      expect(emulator.promptCounts()).toEqual([2])
    })
  }

  for (const order of ['first', 'second'] as const) {
    test(`the run of the ${order} comment comes first: each request goes out once, and the one above is context at most`, async () => {
      const emulator = world()
      emulator.service.everyTurn = RESTING
      const first = emulator.say('/docs explain (first)')
      await emulator.pass(MINUTE)
      const second = emulator.say('/docs shorten (second)', { by: 'bob' })
      const runs = [first, second].map((said, at) => ({ said, runId: at + 1 }))
      if (order === 'second') runs.reverse()
      const results: Promise<RunResult>[] = []
      for (const { said, runId } of runs) {
        results.push(emulator.act(said, { runId }))
        await emulator.pass(1000)
      }
      for (const result of await Promise.all(results)) expectOutcome(result, 'pull-request')
      expect(emulator.promptCounts()).toEqual([2])
      expect(askedTimes(emulator, '(first)', '(second)')).toEqual([1, 1])
      const [prompt = ''] = emulator.prompts()
      const [list, fenced] = halvesOf(prompt)
      expect(fenced.includes('(first)')).toBe(order === 'second')
      if (order === 'second')
        expect(list).toContain('A comment that begins with `/docs` is a request of its own.')
      expect(emulator.prompts()[1], 'it is not context a second time').not.toContain('=== begin')
    })
  }

  test('the second one waits as long as the first one may be out, whose commit status GitHub does not take for minutes', async () => {
    const emulator = codeWorld()
    const now = emulator.settings.now()
    const away = {
      between: [now, now + 115_000],
      times: Infinity,
      fault: { kind: 'status', status: 502 },
    } as const
    emulator.faults.add({ match: { host: 'github', method: 'POST', path: /\/statuses\// }, ...away })
    emulator.faults.add({ match: CREATE, fault: { kind: 'delay', ms: 80_000 } })
    const first = emulator.ask('/docs explain', { on: CODE, runId: 1, inputs: { 'commit-status': 'docs' } })
    await emulator.pass(185_000)
    await Promise.all([first, emulator.ask('/docs shorten', { on: CODE, by: 'bob', runId: 2 })])
    expect(emulator.promptCounts()).toEqual([2])
  })

  test('the first one is lost with its runner while its request is out: the second one goes out after three minutes, and says so', async () => {
    const emulator = world()
    const first = emulator.given(emulator.say('/docs explain (first)'), { runId: 1, post: false })
    const interrupted = emulator.interrupted(first, CREATE)
    await emulator.pass(1000)
    const second = emulator.ask('/docs shorten (second)', { by: 'bob', runId: 2 })
    await interrupted
    const from = emulator.settings.now()
    const result = await second
    expectOutcome(result, 'pull-request')
    expect(emulator.promptCounts()).toEqual([1, 1])
    expect(emulator.settings.now() - from).toBeGreaterThan(2 * MINUTE)
    expect(emulator.lastWords()).toContain('An earlier request here was not answered')
  })

  test('the first one is killed after its request went out, and its post step says so: the second one waits no longer', async () => {
    const emulator = world()
    const first = emulator.given(emulator.say('/docs explain (first)'), { runId: 1 })
    emulator.faults.add({ match: CREATE, fault: { kind: 'delay', ms: 20_000 } })
    const interrupted = emulator.interrupted(first, CREATE, { when: 'after' })
    await emulator.pass(1000)
    const second = emulator.ask('/docs shorten (second)', { by: 'bob', runId: 2 })
    expect((await interrupted).post?.outputs).toMatchObject({ reason: 'creation-uncertain' })
    expectOutcome(await second, 'pull-request')
    expect(askedTimes(emulator, '(first)', '(second)')).toEqual([1, 1])
    expect(emulator.bodies().join('\n')).toContain('An earlier request here was not answered')
  })

  test('help, status and skip wait for nothing', async () => {
    const emulator = world()
    emulator.faults.add({ match: CREATE, fault: { kind: 'delay', ms: 30_000 } })
    const first = emulator.ask('/docs explain (first)', { runId: 1 })
    await emulator.pass(5000)
    const from = emulator.settings.now()
    for (const word of ['help', 'status'])
      expectOutcome(await emulator.ask(`/docs ${word}`, { by: 'bob', runId: 2 }), 'skipped', word)
    expect(emulator.settings.now() - from).toBeLessThan(5000)
    expectOutcome(await first, 'pull-request')
  })

  test('a new job waits for none', async () => {
    const emulator = world()
    emulator.faults.add({ match: CREATE, fault: { kind: 'delay', ms: 30_000 } })
    const first = emulator.ask('/docs explain (first)', { runId: 1 })
    await emulator.pass(1000)
    expectOutcome(await emulator.ask('/docs new page (second)', { by: 'bob', runId: 2 }), 'pull-request')
    expectOutcome(await first, 'pull-request')
    expect(emulator.promptCounts()).toEqual([1, 1])
  })
})

test('H1 the second one is refused by the service: the thread still knows the job of the first', async () => {
  const emulator = world()
  emulator.faults.add({
    match: { host: 'service', method: 'POST', path: /\/job$/ },
    fault: { kind: 'delay', ms: 8000 },
  })
  emulator.faults.add({
    match: { host: 'service', method: 'POST', path: /\/message$/ },
    fault: { kind: 'status', status: 402 },
  })
  const [, second] = await two(emulator, 50)
  expect(second?.outputs.reason).toBe('payment-required')
  expectOutcome(await emulator.ask('/docs more (third)', { runId: 3 }), 'pull-request')
  expect(emulator.promptCounts()).toEqual([2])
})

test('H1 the job of the first one fails at once: the second one, which is no re-run, goes on with it', async () => {
  const emulator = world()
  emulator.service.script.push({ answerStatus: 'failed', ending: 'failed' })
  emulator.faults.add({ match: CREATE, fault: { kind: 'delay', ms: 20_000 } })
  const first = emulator.ask('/docs explain (first)', { runId: 1 })
  await emulator.pass(1000)
  expectOutcome(await emulator.ask('/docs shorten (second)', { by: 'bob', runId: 2 }), 'pull-request')
  expectOutcome(await first, 'failed')
  expect(emulator.promptCounts()).toEqual([2])
})

test('H1 the second one says in the thread to which job it goes, before it does', async () => {
  const emulator = world()
  emulator.faults.add({ match: CREATE, fault: { kind: 'delay', ms: 20_000 } })
  let records: readonly unknown[] = []
  const look = () => {
    records = emulator.records()
  }
  emulator.faults.add({ match: MESSAGE, fault: { kind: 'call', when: 'before', call: look } })
  const first = emulator.ask('/docs explain (first)', { runId: 1 })
  await emulator.pass(1000)
  expectOutcome(await emulator.ask('/docs shorten (second)', { by: 'bob', runId: 2 }), 'pull-request')
  const { outputs } = await first
  expect(records).toContainEqual(
    expect.objectContaining({ state: 'sending', to: expect.objectContaining({ id: outputs['job-id'] }) }),
  )
})

test('H7 5.6 GitHub refuses the record of the one that waits: its request goes out all the same', async () => {
  const emulator = world()
  emulator.faults.add({ match: CREATE, fault: { kind: 'delay', ms: 80_000 } })
  emulator.faults.add({ match: EDIT, fault: { kind: 'status', status: 403 } })
  const first = emulator.ask('/docs explain (first)', { runId: 1 })
  await emulator.pass(1000)
  expectOutcome(await emulator.ask('/docs shorten (second)', { by: 'bob', runId: 2 }), 'pull-request')
  await first
  expect(emulator.promptCounts()).toEqual([2])
})

test('H1 the job is gone as the message arrives, and somebody has started a new one: the request goes there', async () => {
  const emulator = world()
  await emulator.ask('/docs explain', { runId: 1 })
  const call = async () => {
    const id = emulator.service.jobs()[0]?.id ?? ''
    await emulator.ask('/docs new page', { by: 'bob', runId: 3, inputs: { wait: 'false' } })
    emulator.service.forget(id)
  }
  emulator.faults.add({ match: MESSAGE, fault: { kind: 'call', when: 'before', call } })
  const { said: _, ...result } = await emulator.ask('/docs more', { runId: 2 })
  expect(result.outputs['job-action']).toBe('continued')
  expect(emulator.service.jobs()).toHaveLength(1)
})

test('the job is gone, and the time is over: nothing is sent', async () => {
  const emulator = world()
  await emulator.ask('/docs explain', { runId: 1 })
  emulator.faults.add({ match: MESSAGE, fault: { kind: 'delay', ms: 70_000 } })
  emulator.faults.add({ match: MESSAGE, fault: { kind: 'status', status: 404 } })
  const { said: _, ...result } = await emulator.ask('/docs more', {
    runId: 2,
    inputs: { 'timeout-minutes': '1' },
  })
  expectOutcome(result, 'timed-out')
  expect(emulator.promptCounts()).toEqual([1])
})

test('H1 the service has the first one wait for longer than three minutes: the second one waits, too', async () => {
  const emulator = world()
  const limit = { kind: 'status', status: 429, headers: { 'retry-after': '400' } } as const
  emulator.faults.add({ match: { host: 'service', method: 'POST', path: /\/job$/ }, fault: limit })
  const results = await two(emulator, 50)
  for (const result of results) expectOutcome(result, 'pull-request')
  expect(emulator.promptCounts()).toEqual([2])
})

test.each([30, 60, 110])(
  'H1 the same, and GitHub takes no edit for %i s when the first one says that it still waits',
  async (seconds) => {
    const emulator = world()
    const limit = { kind: 'status', status: 429, headers: { 'retry-after': '400' } } as const
    emulator.faults.add({ match: { host: 'service', method: 'POST', path: /\/job$/ }, fault: limit })
    const from = emulator.settings.now() + 58_000
    const match = { host: 'github', method: 'PATCH' } as const
    emulator.faults.add({
      match,
      between: [from, from + seconds * 1000],
      fault: { kind: 'status', status: 502 },
    })
    const results = await two(emulator, 50)
    for (const result of results) expectOutcome(result, 'pull-request')
    expect(emulator.promptCounts()).toEqual([2])
  },
)

// Its first pull request is merged, so the second request starts a new job, which takes 20 s to answer.
describe('H1 a thread that goes on with a new job', () => {
  async function goesOn(between: (emulator: World) => Promise<unknown>): Promise<World> {
    const emulator = ownWorld()
    const { outputs } = await emulator.ask('/docs explain (first)', { runId: 1 })
    const [, number] = /\/pull\/(\d+)$/.exec(outputs['pr-link'] ?? '') ?? []
    emulator.github.closePullRequest(Number(number), { merged: true })
    emulator.faults.add({ match: CREATE, fault: { kind: 'delay', ms: 20_000 } })
    const second = emulator.ask('/docs explain (second)', { runId: 2 })
    await emulator.pass(5000)
    await between(emulator)
    expectOutcome(await second, 'pull-request')
    return emulator
  }

  test.each(['status', 'help', 'skip'])(
    '`%s` meanwhile: the next request goes to the new job',
    async (word) => {
      const emulator = await goesOn((now) => now.ask(`/docs ${word}`, { by: 'bob', runId: 3 }))
      const { outputs } = await emulator.ask('/docs shorten', { runId: 4 })
      expect(outputs).toMatchObject({ outcome: 'pull-request', 'job-action': 'continued' })
      expect(emulator.promptCounts()).toEqual([1, 2])
    },
  )

  test('a request meanwhile whose runner is lost while it waits: the next one goes to the new job', async () => {
    const emulator = await goesOn(async (now) => {
      const lost = now.given(now.say('/docs shorten', { by: 'bob' }), { runId: 3, post: false })
      const running = startAction(lost)
      await now.pass(5000)
      await running.kill('SIGKILL')
    })
    await emulator.pass(4 * MINUTE)
    const { outputs } = await emulator.ask('/docs shorten', { runId: 4 })
    expect(outputs).toMatchObject({ outcome: 'pull-request', 'job-action': 'continued' })
    expect(emulator.promptCounts()).toEqual([1, 2])
  })
})
