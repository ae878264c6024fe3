import { expect, test } from 'vitest'
import {
  CODE,
  codeWorld,
  FIRST,
  file,
  happens,
  headOf,
  INPUTS,
  pulled,
  pushes,
  saidOf,
  states,
} from '../helpers/code-world.ts'
import { CREATE, expectOutcome, IN_BUNDLE, READ, type World } from '../helpers/world.ts'

// Contract 3.13: nobody used a command on these events, so the thread stays quiet.

const TOOK_OVER = 'The run was cancelled: a later push took over.'
const second = file('src/limit.ts', 'second')
const third = file('src/third.ts', 'third')
const push = { files: [...FIRST, second], commit: [second] }
const wordsOf = (body: string): string => body.replace(/\s*<!--[\s\S]*$/, '')
const words = (emulator: World): string[] => emulator.bodies(CODE).map(wordsOf)
const whole = (emulator: World): string[] => words(emulator).filter((body) => body.includes('\n'))
const line = (id = 0) =>
  `Replaced by [the result of a later push](https://github.com/octo/app/pull/${CODE}#issuecomment-${id}).`

/** The run of the first event is cancelled while its job works. @param before what happens right before that */
async function cancelled(emulator: World, before: () => void) {
  emulator.service.script.push({ reads: 4 })
  const run = emulator.given(pulled(emulator, 'labeled'), { inputs: INPUTS, runId: 90 })
  emulator.faults.add({ match: READ, fault: { kind: 'call', call: before } })
  return await emulator.interrupted(run, READ, { signal: 'SIGINT', skip: 1 })
}

test('3.13 6.1 a later push cancels the run: one line in its status comment, for no person', async () => {
  const emulator = codeWorld()
  const result = await cancelled(emulator, () => void emulator.github.push(CODE, push))
  expectOutcome(result, 'cancelled')
  expect(words(emulator)).toEqual([TOOK_OVER])
  expect(result.summary).toContain('a later push took over')
  expect(result.summary + result.log).not.toMatch(/re-run|Re-run/)
  await happens(emulator, 'synchronize', { runId: 91 })
  expect(words(emulator)).toEqual([TOOK_OVER, expect.stringContaining('✅')])
  await emulator.collect()
  const [, last] = emulator.written(CODE)
  expect(words(emulator)).toEqual([line(last?.id), expect.stringContaining('✅')])
  expect(emulator.records(CODE).map(({ state }) => state)).toEqual(['reported', 'reported'])
})

test('3.13 6.2 the same for a run that is killed', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 4 })
  const run = emulator.given(pulled(emulator, 'labeled'), { inputs: INPUTS, runId: 90 })
  const call = () => void emulator.github.push(CODE, push)
  emulator.faults.add({ match: READ, fault: { kind: 'call', call } })
  await emulator.interrupted(run, READ, { skip: 1 })
  expect(words(emulator)).toEqual([TOOK_OVER])
})

test('3.13 6.1 a push before anything was sent leaves nothing in the thread', async () => {
  const emulator = codeWorld()
  const run = emulator.given(pulled(emulator, 'labeled'), { inputs: INPUTS, runId: 90 })
  const match = { path: /\/pulls\/30\/files/ }
  emulator.faults.add({ match, fault: { kind: 'call', call: () => void emulator.github.push(CODE, push) } })
  expectOutcome(await emulator.interrupted(run, match, { signal: 'SIGINT' }), 'cancelled')
  expect(words(emulator)).toEqual([])
})

test('3.13 6.1 a person who cancels it leaves one line as well, for no person', async () => {
  const emulator = codeWorld()
  expectOutcome(await cancelled(emulator, () => {}), 'cancelled')
  expect(words(emulator)).toEqual(['The run was cancelled: the next push goes on from there.'])
})

test.each(['recreate', 'update'])('3.13 of three results one is whole (`comment: %s`)', async (comment) => {
  const emulator = codeWorld()
  const inputs = { comment }
  await happens(emulator, 'labeled', { inputs })
  await pushes(emulator, push, { inputs })
  await pushes(emulator, { files: [...FIRST, second, third], commit: [third] }, { inputs })
  const [, two, three] = emulator.written(CODE)
  expect(words(emulator)).toEqual([line(two?.id), line(three?.id), expect.stringContaining('✅')])
  expect(emulator.records(CODE)).toHaveLength(3)
  // The records still say what the agent has.
  expectOutcome(await pushes(emulator, { isForced: true }, { inputs }), 'skipped', 'no-changes')
})

test('3.13 what a person asked stays whole, as does the result of another workflow', async () => {
  const emulator = codeWorld()
  await emulator.ask('/docs explain', { on: CODE, inputs: { 'commit-status': 'docs' } })
  await happens(emulator, 'labeled', { workflow: 'Changelog' })
  await happens(emulator, 'labeled')
  await pushes(emulator, push)
  expect(whole(emulator)).toHaveLength(3)
  expect(words(emulator)).toHaveLength(4)
})

test('3.13 5.2 of two calls of one reusable workflow both results stay until a later push has its own', async () => {
  const emulator = codeWorld()
  const both = async (action: string, runId: number) => {
    const event = pulled(emulator, action)
    for (const prompt of ['Document this.', 'Write its changelog.'])
      await emulator.act(event, { runId, inputs: { ...INPUTS, prompt } })
  }
  const results = [expect.stringContaining('Document this.'), expect.stringContaining('Write its changelog.')]
  await both('labeled', 90)
  expect(words(emulator)).toEqual(results)
  emulator.github.push(CODE, push)
  await both('synchronize', 91)
  const leads = expect.stringMatching(/^Replaced by /)
  expect(words(emulator)).toEqual([leads, leads, ...results])
})

test('3.13 a late run of an earlier push says nothing beside the result', async () => {
  const emulator = codeWorld()
  const late = pulled(emulator, 'labeled')
  await pushes(emulator, push)
  expectOutcome(await emulator.act(late, { inputs: INPUTS, runId: 1 }), 'skipped', 'no-changes')
  expect(words(emulator)).toEqual([expect.stringContaining('✅')])
})

test('3.13 8.3 a sweep leaves one whole comment, whose result came first', async () => {
  const emulator = codeWorld()
  const inputs = { wait: 'false' }
  await happens(emulator, 'labeled', { inputs })
  await pushes(emulator, push, { inputs })
  for (let sweeps = 0; sweeps < 4; sweeps += 1) await emulator.collect()
  expect(whole(emulator)).toHaveLength(1)
  expect(emulator.records(CODE).map(({ state }) => state)).toEqual(['reported', 'reported'])
})

test.skipIf(IN_BUNDLE)(
  '3.13 4.13 the result of a later push counts, also after an error on a runner whose clock was ahead',
  async () => {
    const emulator = codeWorld()
    emulator.setWallClock(3_600_000)
    emulator.faults.add({ match: CREATE, fault: { kind: 'status', status: 403 } })
    expectOutcome(await happens(emulator, 'labeled'), 'error', 'forbidden')
    emulator.setWallClock(0)
    expectOutcome(await pushes(emulator, push), 'pull-request')
    expect(whole(emulator)).toEqual([expect.stringContaining('✅')])
    expect(states(emulator).at(-1)).toBe('success')
  },
)

test.skipIf(IN_BUNDLE)('3.13 8.3 so does one whose lists lag behind what it writes', async () => {
  const emulator = codeWorld({ listLag: 4000 })
  const inputs = { wait: 'false' }
  await happens(emulator, 'labeled', { inputs })
  await emulator.pass(60_000)
  await pushes(emulator, push, { inputs })
  for (let sweeps = 0; sweeps < 4; sweeps += 1) {
    await emulator.pass(60_000)
    await emulator.collect()
  }
  const [, last] = emulator.written(CODE)
  expect(words(emulator)).toEqual([line(last?.id), expect.stringContaining('✅')])
})

test.skipIf(IN_BUNDLE)(
  '3.13 4.12 a run whose result a later push keeps quiet follows its checks',
  async () => {
    const emulator = codeWorld({ docsRepository: 'octo/app' })
    emulator.github.checks.script.push([{ name: 'build' }], [{ name: 'build' }])
    emulator.service.script.push({ reads: 3 }, { reads: 3 })
    const head = headOf(emulator)
    const inputs = { 'fix-attempts': '1' }
    let later: ReturnType<typeof pushes> | undefined
    const call = () => {
      later = pushes(emulator, push, { inputs })
    }
    emulator.faults.add({ match: READ, fault: { kind: 'call', call } })
    const { outputs } = await happens(emulator, 'labeled', { inputs })
    expect(outputs).toMatchObject({ outcome: 'pull-request', checks: 'success' })
    expect((await later)?.outputs).toMatchObject({ outcome: 'pull-request', checks: 'success' })
    expect(saidOf(emulator, head)).toEqual(['pending: The docs agent is working', 'success: octo/app#77'])
    expect(emulator.records(CODE)).toMatchObject([{ openParts: [] }, { openParts: [] }])
    expect(whole(emulator)).toHaveLength(1)
  },
)

test('3.13 5.6 where GitHub refuses the edit the results stay', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  const [first] = emulator.written(CODE)
  emulator.faults.add({
    match: { method: 'PATCH', path: new RegExp(`/comments/${first?.id}$`) },
    fault: { kind: 'status', status: 403 },
  })
  expectOutcome(await pushes(emulator, push), 'pull-request')
  expect(whole(emulator)).toHaveLength(2)
})

test.skipIf(IN_BUNDLE)(
  '3.13 8.2 where a sweep and a re-run both report, the line leads to what stays',
  async () => {
    const emulator = codeWorld()
    await happens(emulator, 'labeled')
    await emulator.pass(60_000)
    emulator.github.push(CODE, push)
    const run = { runId: 95, inputs: { ...INPUTS, wait: 'false' } }
    await emulator.act(pulled(emulator, 'synchronize'), run)
    await emulator.pass(300_000)
    const match = { method: 'POST', path: /\/issues\/30\/comments$/ } as const
    const call = async () =>
      void (await emulator.act(pulled(emulator, 'synchronize'), { ...run, attempt: 2 }))
    emulator.faults.add({ match, fault: { kind: 'call', call } })
    for (let sweeps = 0; sweeps < 3; sweeps += 1) {
      await emulator.collect()
      await emulator.pass(300_000)
    }
    const [, last] = emulator.written(CODE)
    expect(words(emulator)).toEqual([line(last?.id), expect.stringContaining('✅')])
  },
)

test.skipIf(IN_BUNDLE)(
  '3.13 4.10 a line of a later push takes no preview from the sweep that waits for it',
  async () => {
    const emulator = codeWorld()
    emulator.service.previews.everyDeployment = { durationMs: 30_000 }
    await happens(emulator, 'labeled', { inputs: { wait: 'false', preview: 'true' } })
    await emulator.pass(600_000)
    const match = { host: 'service', method: 'GET', path: /\/update-status\// } as const
    const call = async () => void (await pushes(emulator, push))
    emulator.faults.add({ match, skip: 1, fault: { kind: 'call', call } })
    for (let sweeps = 0; sweeps < 3; sweeps += 1) {
      await emulator.collect()
      await emulator.pass(300_000)
    }
    expect(emulator.calls('service').filter((one) => /^POST .*\/preview\//.test(one))).toHaveLength(1)
    expect(emulator.records(CODE)).toMatchObject([{ openParts: [] }, { openParts: [] }])
  },
)

test.skipIf(IN_BUNDLE)(
  '3.13 8.2 one sweep replaces an earlier result, and does what that has open',
  async () => {
    const emulator = codeWorld({ docsRepository: 'octo/app' })
    emulator.service.script.push({ reads: 0 }, { reads: 0 })
    const match = { method: 'POST', path: /\/issues\/77\/labels$/ } as const
    const away = emulator.faults.add({ match, times: Infinity, fault: { kind: 'status', status: 502 } })
    await happens(emulator, 'labeled', { inputs: { labels: 'docs' } })
    away.remove()
    await emulator.pass(120_000)
    await pushes(emulator, push, { inputs: { wait: 'false' } })
    await emulator.pass(300_000)
    await emulator.collect()
    const [, last] = emulator.written(CODE)
    expect(words(emulator)).toEqual([line(last?.id), expect.stringContaining('✅')])
    expect(emulator.records(CODE)).toMatchObject([{ openParts: [] }, { openParts: [] }])
  },
)

test.skipIf(IN_BUNDLE)('3.13 8.3 where GitHub does not answer, the next sweep makes the line', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  const [first] = emulator.written(CODE)
  const match = { method: 'PATCH', path: new RegExp(`/comments/${first?.id}$`) }
  const away = emulator.faults.add({ match, times: Infinity, fault: { kind: 'status', status: 502 } })
  expectOutcome(await pushes(emulator, push), 'pull-request')
  expect(whole(emulator)).toHaveLength(2)
  away.remove()
  await emulator.pass(120_000)
  await emulator.collect()
  const [, last] = emulator.written(CODE)
  expect(words(emulator)).toEqual([line(last?.id), expect.stringContaining('✅')])
})

test('3.13 6.2 and a kill after that is told in the comment of the later push', async () => {
  const emulator = codeWorld({ docsRepository: 'octo/app' })
  await happens(emulator, 'labeled')
  const [first] = emulator.written(CODE)
  const refused = { method: 'PATCH', path: new RegExp(`/comments/${first?.id}$`) }
  emulator.faults.add({ match: refused, times: 9, fault: { kind: 'status', status: 403 } })
  emulator.github.checks.script.push([{ name: 'build', conclusion: 'failure' }])
  emulator.github.push(CODE, push)
  const run = { runId: 91, inputs: { ...INPUTS, 'fix-attempts': '1' } }
  const fix = { host: 'service', method: 'POST', path: /\/message$/ } as const
  // The first message is that of the push.
  await emulator.interrupted(emulator.given(pulled(emulator, 'synchronize'), run), fix, { skip: 1 })
  expect(words(emulator).at(-1)).toContain('The run stopped before its checks ended')
})

test('3.13 the line leads to the result that a re-run of the later push wrote anew', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  emulator.faults.add({ match: READ, fault: { kind: 'status', status: 409 } })
  expectOutcome(await pushes(emulator, push, { runId: 92 }), 'error', 'rejected')
  const [, failed] = emulator.written(CODE)
  expect(words(emulator)).toEqual([line(failed?.id), expect.stringContaining('❌')])
  expectOutcome(await happens(emulator, 'synchronize', { runId: 92, attempt: 2 }), 'pull-request')
  const [, last] = emulator.written(CODE)
  expect(last?.id).not.toBe(failed?.id)
  expect(words(emulator)).toEqual([line(last?.id), expect.stringContaining('✅')])
})

test.skipIf(IN_BUNDLE)('3.13 it leads to what that says where its job works on', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  emulator.service.script.push({ reads: 1000 })
  emulator.faults.add({ match: READ, fault: { kind: 'status', status: 409 } })
  expectOutcome(await pushes(emulator, push, { runId: 92 }), 'error', 'rejected')
  const inputs = { 'timeout-minutes': '1' }
  const again = await happens(emulator, 'synchronize', { runId: 92, attempt: 2, inputs })
  expectOutcome(again, 'timed-out')
  const [, last] = emulator.written(CODE)
  expect(again.outputs['comment-url']).toContain(`#issuecomment-${last?.id}`)
  expect(words(emulator)).toEqual([line(last?.id), expect.stringContaining('Still working')])
})

test.skipIf(IN_BUNDLE)('3.13 5.7 it leads to the one that stays where the result came twice', async () => {
  const emulator = codeWorld({ listLag: 4000 })
  await happens(emulator, 'labeled')
  await emulator.pass(60_000)
  const match = { method: 'POST', path: /\/issues\/30\/comments$/ } as const
  emulator.faults.add({ match, skip: 1, fault: { kind: 'status', status: 504, when: 'after' } })
  // The list shows the first one by the time that the second is there.
  emulator.faults.add({ match, skip: 1, fault: { kind: 'delay', ms: 5000 } })
  expectOutcome(await pushes(emulator, push), 'pull-request')
  const [, ...more] = emulator.written(CODE)
  expect(more).toHaveLength(1)
  expect(words(emulator)).toEqual([line(more[0]?.id), expect.stringContaining('✅')])
})

test('3.13 so does the line of a request that works again by then', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ ending: 'failed' })
  const labeled = pulled(emulator, 'labeled')
  const run = { inputs: INPUTS, runId: 91 }
  expectOutcome(await emulator.act(labeled, run), 'failed')
  emulator.faults.add({ match: READ, fault: { kind: 'status', status: 409 } })
  await pushes(emulator, push, { runId: 92 })
  const again = { ...run, attempt: 2, inputs: { ...INPUTS, wait: 'false' } }
  expectOutcome(await emulator.act(labeled, again), 'started')
  expectOutcome(await happens(emulator, 'synchronize', { runId: 92, attempt: 2 }), 'pull-request')
  const last = emulator.written(CODE).at(-1)
  expect(words(emulator)).toEqual([line(last?.id), expect.stringContaining('✅')])
})

test('3.13 4.12 a run that follows checks leaves the line that a later result made of its own', async () => {
  const emulator = codeWorld({ docsRepository: 'octo/app' })
  emulator.github.checks.script.push([{ name: 'build', takesMs: 1000 }], [{ name: 'build' }])
  const call = async () => {
    expectOutcome(await pushes(emulator, push), 'pull-request')
  }
  emulator.faults.add({ match: { path: /check-runs$/ }, fault: { kind: 'call', call } })
  const first = await happens(emulator, 'labeled', { inputs: { 'fix-attempts': '1', 'commit-status': '' } })
  expect(first.outputs, first.log).toMatchObject({ outcome: 'pull-request', checks: 'success' })
  const last = emulator.written(CODE).at(-1)
  expect(words(emulator)).toEqual([line(last?.id), expect.stringContaining('✅')])
})

test.skipIf(IN_BUNDLE)('3.13 8.1 a sweep leaves that run its request beside the later result', async () => {
  const emulator = codeWorld({ docsRepository: 'octo/app' })
  const slow = { name: 'build', takesMs: 600_000 }
  emulator.github.checks.script.push([slow], [slow])
  const call = async () => {
    expectOutcome(await pushes(emulator, push), 'pull-request')
  }
  emulator.faults.add({ match: { path: /check-runs$/ }, fault: { kind: 'call', call } })
  const first = happens(emulator, 'labeled', { inputs: { 'fix-attempts': '1', 'commit-status': '' } })
  await emulator.pass(240_000)
  await emulator.collect()
  expect(emulator.records(CODE)[0]).toMatchObject({ openParts: expect.arrayContaining(['checks']) })
  expect((await first).outputs).toMatchObject({ outcome: 'pull-request', checks: 'success' })
})

test.skipIf(IN_BUNDLE)('3.13 8.3 a sweep makes a line also of a result that is days old', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  await emulator.pass(2 * 86_400_000)
  await pushes(emulator, push, { inputs: { wait: 'false' } })
  for (let sweeps = 0; sweeps < 4; sweeps += 1) await emulator.collect()
  const [, last] = emulator.written(CODE)
  expect(words(emulator)).toEqual([line(last?.id), expect.stringContaining('✅')])
})
