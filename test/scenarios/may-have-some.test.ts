import { expect, test } from 'vitest'
import type { RunResult } from '../../emulator/runner.ts'
import {
  CODE,
  closes,
  codeWorld,
  FIRST,
  file,
  happens,
  INPUTS,
  pulled,
  pushes,
  SECOND_PUSH,
  saidOf,
  THIRD_PUSH,
} from '../helpers/code-world.ts'
import { CREATE, expectOutcome, type World } from '../helpers/world.ts'

// Contract 3.13: what became of a push is not known, and the next one comes.

const TO_AGENT = 'you may have some of its changes already'
const TO_PEOPLE = 'so it may have had some of these changes already'
const lastPrompt = (emulator: World): string => emulator.prompts().at(-1) ?? ''
const lastResult = (emulator: World): string => emulator.bodies(CODE).at(-1) ?? ''

/** The job has the first changes, and perhaps the second ones. */
async function inDoubt(): Promise<World> {
  const emulator = codeWorld()
  await happens(emulator, 'opened')
  const match = { host: 'service', method: 'POST' } as const
  emulator.faults.add({ match, fault: { kind: 'reset', when: 'after' } })
  expectOutcome(await pushes(emulator, SECOND_PUSH), 'error', 'creation-uncertain')
  return emulator
}

test.each<[string, (emulator: World) => Promise<RunResult>]>([
  ['a push', (emulator) => pushes(emulator, THIRD_PUSH)],
  ['a forced push', (emulator) => pushes(emulator, { isForced: true, files: [file('src/a.ts', 'third')] })],
  [
    'a label on commits that no run saw',
    (emulator) => {
      emulator.github.push(CODE, THIRD_PUSH)
      return happens(emulator, 'labeled')
    },
  ],
  [
    'the merge',
    (emulator) => {
      emulator.github.push(CODE, THIRD_PUSH)
      return closes(emulator, true)
    },
  ],
])('3.13 %s goes to the job, and the agent and people read that it may have some of it', async (_, comes) => {
  const emulator = await inDoubt()
  expect(emulator.prompts().join()).not.toContain(TO_AGENT)
  expectOutcome(await comes(emulator), 'pull-request')
  expect(emulator.promptCounts()).toEqual([3])
  expect(lastPrompt(emulator)).toContain('+third')
  expect(lastPrompt(emulator).split('=== begin')[0]).toContain(TO_AGENT)
  expect(lastResult(emulator)).toContain(TO_PEOPLE)
})

test('3.13 also where no docs came of it, and without context', async () => {
  const emulator = await inDoubt()
  emulator.service.script.push({ pr: 'none' })
  await pushes(emulator, THIRD_PUSH, { inputs: { context: 'false' } })
  expect(lastPrompt(emulator)).toContain(TO_AGENT)
  expect(lastResult(emulator)).toContain(TO_PEOPLE)
})

test('3.13 once an end of that turn was seen, the doubt is over', async () => {
  const emulator = await inDoubt()
  await pushes(emulator, THIRD_PUSH)
  const fourth = file('src/fourth.ts', 'fourth')
  await pushes(emulator, { files: [...(THIRD_PUSH.files ?? []), fourth], commit: [fourth] })
  expect(lastPrompt(emulator)).toContain('+fourth')
  expect(lastPrompt(emulator)).not.toContain(TO_AGENT)
  expect(lastResult(emulator)).not.toContain(TO_PEOPLE)
})

test('3.13 until then, it stays: also after a push that found no room', async () => {
  const emulator = await inDoubt()
  emulator.github.push(CODE, THIRD_PUSH)
  const match = { host: 'service', method: 'POST' } as const
  emulator.faults.add({ match, fault: { kind: 'status', status: 402 } })
  expectOutcome(await happens(emulator, 'synchronize'), 'error', 'payment-required')
  const fourth = file('src/fourth.ts', 'fourth')
  await pushes(emulator, { files: [...(THIRD_PUSH.files ?? []), fourth], commit: [fourth] })
  expect(lastPrompt(emulator)).toContain(TO_AGENT)
})

test('3.13 a request of a person in doubt is none of the changes', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'opened')
  const match = { host: 'service', method: 'POST' } as const
  emulator.faults.add({ match, fault: { kind: 'reset', when: 'after' } })
  expectOutcome(await emulator.ask('/docs shorten', { on: CODE }), 'error', 'creation-uncertain')
  expectOutcome(await pushes(emulator, SECOND_PUSH), 'pull-request')
  expect(lastPrompt(emulator)).not.toContain(TO_AGENT)
})

test.each([0, 300, 3000])(
  '3.13 other changes, %s ms behind a request whose runner is lost before a job is known, ask nothing',
  async (apartMs) => {
    const emulator = codeWorld()
    const first = emulator.given(pulled(emulator, 'opened'), { runId: 90, post: false, inputs: INPUTS })
    const interrupted = emulator.interrupted(first, CREATE, { when: 'after' })
    await emulator.pass(apartMs)
    emulator.github.push(CODE, { isForced: true, files: [...FIRST, file('src/more.ts', 'more')] })
    const second = happens(emulator, 'synchronize')
    await interrupted
    expectOutcome(await second, 'skipped', 'no-changes')
    expect(emulator.prompts()).toHaveLength(1)
    expect(saidOf(emulator).at(-1)).toMatch(/^pending: Not known whether the docs agent got an earlier/)
  },
)
