import { expect, test } from 'vitest'
import { CODE, codeWorld, FIRST, file, happens, INPUTS, pulled, pushes } from '../helpers/code-world.ts'
import { expectOutcome, READ, type World } from '../helpers/world.ts'

// Contract 3.13: nobody used a command on these events. Each request has its own comment, the next result of the step hides it,
// and none mentions a person.

const second = file('src/limit.ts', 'second')
const third = file('src/third.ts', 'third')
const push = { files: [...FIRST, second], commit: [second] }
const RESULT = expect.stringContaining('✅')

const words = (emulator: World): string[] =>
  emulator.bodies(CODE).map((body) => body.replace(/\s*<!--[\s\S]*$/, ''))

test('3.13 of three results the last stays in sight', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  await pushes(emulator, push)
  const { outputs } = await pushes(emulator, { files: [...FIRST, second, third], commit: [third] })
  expect(words(emulator)).toEqual([RESULT])
  expect(outputs['comment-url']).toContain(`#issuecomment-${emulator.inSight(CODE)[0]?.id}`)
  expect(emulator.written(CODE).map(({ minimized }) => minimized)).toEqual([
    'OUTDATED',
    'OUTDATED',
    undefined,
  ])
  // What the others know counts on.
  expectOutcome(await pushes(emulator, { files: FIRST, isForced: true }), 'skipped', 'no-changes')
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
