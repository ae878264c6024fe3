import { expect, test } from 'vitest'
import type { EmulatorOptions } from '../../emulator/options.ts'
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
} from '../helpers/code-world.ts'
import { expectOutcome, READ, type World } from '../helpers/world.ts'

// Contract 3.13: what is said once the pull request of the code ends.

const IN_APP: EmulatorOptions = { docsRepository: 'octo/app' }

/** How often each place says that the code ended. */
function told(emulator: World, { docsRepository = 'octo/docs' }: EmulatorOptions) {
  const isEnd = (body: string) => /octo\/app#30 (is merged|was closed)/.test(body)
  const docs = emulator.github.comments(77, docsRepository).filter(({ body }) => isEnd(body)).length
  return { docs, thread: emulator.bodies(CODE).filter(isEnd).length }
}

const NOWHERE = { docs: 0, thread: 0 }

const sweeps = async (emulator: World, times = 4): Promise<void> => {
  for (let at = 0; at < times; at += 1) await emulator.collect()
}

test('3.13 the run that a later push cancelled holds up no word of the end, once the later one has reported', async () => {
  const emulator = codeWorld(IN_APP)
  emulator.service.script.push({ reads: 4 })
  const run = emulator.given(pulled(emulator, 'labeled'), { inputs: INPUTS, runId: 90 })
  const call = () => void emulator.github.push(CODE, SECOND_PUSH)
  emulator.faults.add({ match: READ, fault: { kind: 'call', call } })
  expectOutcome(await emulator.interrupted(run, READ, { signal: 'SIGINT', skip: 1 }), 'cancelled')
  expectOutcome(await happens(emulator, 'synchronize', { runId: 91 }), 'pull-request')
  expect(told(emulator, IN_APP)).toEqual(NOWHERE)
  await closes(emulator, true, { runId: 92 })
  expect(told(emulator, IN_APP)).toEqual({ docs: 1, thread: 0 })
  await sweeps(emulator)
  expect(told(emulator, IN_APP)).toEqual({ docs: 1, thread: 0 })
})

test('3.13 an earlier job that still works holds the word of the end up for no later one', async () => {
  const emulator = codeWorld(IN_APP)
  emulator.service.script.push({ ending: 'active-forever' })
  await happens(emulator, 'labeled', { inputs: { wait: 'false' } })
  const files = [...FIRST, file('src/limit.ts', 'second')]
  expectOutcome(await pushes(emulator, { files }, { inputs: { conversation: 'new' } }), 'pull-request')
  await closes(emulator, true)
  expect(told(emulator, IN_APP)).toEqual({ docs: 1, thread: 0 })
})

test('3.13 4.9 what is said of the end is no request: the next one continues the job of the last', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  emulator.service.script.push({ ending: 'failed' })
  const { said } = await emulator.ask('/docs explain', { on: CODE })
  await closes(emulator, false)
  expect(told(emulator, {})).toEqual({ docs: 0, thread: 1 })
  expectOutcome(await emulator.act(said, { attempt: 2 }), 'pull-request')
  await emulator.ask('/docs shorten it', { on: CODE })
  expect(emulator.promptCounts()).toEqual([2, 2])
})
