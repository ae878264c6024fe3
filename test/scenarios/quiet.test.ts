import { expect, test } from 'vitest'
import { CODE, codeWorld, FIRST, file, happens, INPUTS, pulled, pushes } from '../helpers/code-world.ts'
import { expectOutcome, READ, type World } from '../helpers/world.ts'

// Contract 3.13: nobody used a command on these events, so the thread stays quiet.

const TOOK_OVER = 'The run was cancelled: a later push took over.'
const second = file('src/limit.ts', 'second')
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
