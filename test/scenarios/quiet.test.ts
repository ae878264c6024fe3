import { expect, test } from 'vitest'
import { CODE, codeWorld, FIRST, file, happens, INPUTS, pulled, pushes } from '../helpers/code-world.ts'
import { CREATE, expectOutcome, IN_BUNDLE, READ, type World } from '../helpers/world.ts'

// Contract 3.13: nobody used a command on these events. Each request has its own comment, the next result of the step deletes
// it, and none mentions a person.

const second = file('src/limit.ts', 'second')
const third = file('src/third.ts', 'third')
const push = { files: [...FIRST, second], commit: [second] }
const RESULT = expect.stringContaining('✅')

const words = (emulator: World): string[] =>
  emulator.bodies(CODE).map((body) => body.replace(/\s*<!--[\s\S]*$/, ''))

test.each(['recreate', 'update'])('3.13 of three results the last stays (`comment: %s`)', async (comment) => {
  const emulator = codeWorld()
  const inputs = { comment }
  await happens(emulator, 'labeled', { inputs })
  await pushes(emulator, push, { inputs })
  const { outputs } = await pushes(
    emulator,
    { files: [...FIRST, second, third], commit: [third] },
    { inputs },
  )
  expect(words(emulator)).toEqual([RESULT])
  expect(outputs['comment-url']).toContain(`#issuecomment-${emulator.written(CODE)[0]?.id}`)
  // What the others knew is carried.
  expectOutcome(await pushes(emulator, { files: FIRST, isForced: true }, { inputs }), 'skipped', 'no-changes')
})

test('3.13 what a person asked stays, as does the result of another workflow', async () => {
  const emulator = codeWorld()
  await emulator.ask('/docs explain', { on: CODE, inputs: { 'commit-status': 'docs' } })
  await happens(emulator, 'labeled', { workflow: 'Changelog' })
  await happens(emulator, 'labeled')
  await pushes(emulator, push)
  expect(words(emulator)).toEqual([RESULT, RESULT, RESULT])
  // Only what a person asked mentions one.
  expect(words(emulator)[0]).toContain('@alice')
})

test('3.13 5.2 of two calls of one reusable workflow both results stay, until a later push has its own', async () => {
  const emulator = codeWorld()
  const both = async (action: string, runId: number) => {
    const event = pulled(emulator, action)
    for (const prompt of ['Document this.', 'Write its changelog.'])
      await emulator.act(event, { runId, inputs: { ...INPUTS, prompt } })
  }
  const ids = () => emulator.written(CODE).map(({ id }) => id)
  await both('labeled', 90)
  expect(words(emulator)).toEqual([RESULT, RESULT])
  const first = ids()
  emulator.github.push(CODE, push)
  await both('synchronize', 91)
  expect(words(emulator)).toEqual([RESULT, RESULT])
  expect(ids().filter((id) => first.includes(id))).toEqual([])
})

test('3.13 no comment mentions a person, whether the job works, ends, or is left by its run', async () => {
  const emulator = codeWorld()
  const seen: string[] = []
  const call = () => void seen.push(...emulator.bodies(CODE))
  emulator.faults.add({ match: READ, fault: { kind: 'call', when: 'before', call } })
  await happens(emulator, 'labeled')
  emulator.github.push(CODE, push)
  emulator.service.script.push({ reads: 4 })
  const run = emulator.given(pulled(emulator, 'synchronize'), { inputs: INPUTS, runId: 90 })
  expectOutcome(await emulator.interrupted(run, READ, { signal: 'SIGINT', skip: 1 }), 'cancelled')
  seen.push(...emulator.bodies(CODE))
  expect(seen.length).toBeGreaterThan(2)
  for (const body of seen) expect(body).not.toContain('@')
})

test('3.13 6.1 a run that is cancelled before anything was sent leaves nothing in the thread', async () => {
  const emulator = codeWorld()
  const run = emulator.given(pulled(emulator, 'labeled'), { inputs: INPUTS, runId: 90 })
  const match = { path: /\/pulls\/30\/files/ }
  expectOutcome(await emulator.interrupted(run, match, { signal: 'SIGINT' }), 'cancelled')
  expect(words(emulator)).toEqual([])
})

test.skipIf(IN_BUNDLE)('3.13 8.3 with `wait: false` a sweep leaves the last result', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 0 }, { reads: 0 })
  const inputs = { wait: 'false' }
  await happens(emulator, 'labeled', { inputs })
  await pushes(emulator, push, { inputs })
  for (let sweeps = 0; sweeps < 3; sweeps += 1) {
    await emulator.pass(120_000)
    await emulator.collect()
  }
  expect(words(emulator)).toEqual([RESULT])
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
    expect(words(emulator)).toEqual([RESULT])
  },
)

test('3.13 5.6 a comment that GitHub does not delete stays, and decides nothing', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  const match = { method: 'DELETE', path: /\/issues\/comments\// } as const
  emulator.faults.add({ match, fault: { kind: 'status', status: 403 } })
  const result = await pushes(emulator, push, { inputs: { comment: 'update' } })
  expectOutcome(result, 'pull-request')
  expect(words(emulator).at(-1)).toEqual(RESULT)
})
