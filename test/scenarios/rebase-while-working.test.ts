import { expect, test } from 'vitest'
import type { RunResult } from '../../emulator/runner.ts'
import {
  CODE,
  codeWorld,
  FIRST,
  happens,
  headOf,
  INPUTS,
  pulled,
  pushes,
  states,
} from '../helpers/code-world.ts'
import { expectOutcome, READ, type World } from '../helpers/world.ts'

// Contract 3.13, 4.12: a rebase cancels the run that waits, and brings nothing new. Its own run goes on waiting.

const REBASE = { isForced: true, files: FIRST }
const ENDED = ['pending', 'success']

/** The run of an event is cut off while the job works, and a rebase comes. */
async function cutOff(emulator: World, signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
  const run = emulator.given(pulled(emulator, 'labeled'), { inputs: INPUTS, runId: 90 })
  const call = () => void emulator.github.push(CODE, REBASE)
  emulator.faults.add({ match: READ, fault: { kind: 'call', call } })
  await emulator.interrupted(run, READ, { signal, skip: 1 })
}

test.each(['SIGINT', 'SIGKILL'] as const)(
  '3.13 4.13 the run of the rebase follows the job to its end (%s)',
  async (signal) => {
    const emulator = codeWorld()
    emulator.service.script.push({ reads: 5 })
    await cutOff(emulator, signal)
    const result = await happens(emulator, 'synchronize')
    expectOutcome(result, 'pull-request')
    expect(result.outputs['job-action']).toBe('resumed')
    expect(emulator.promptCounts()).toEqual([1])
    expect(states(emulator)).toEqual(ENDED)
    expect(emulator.bodies(CODE)).toEqual([expect.stringContaining('✅')])
    expect(emulator.records(CODE).map(({ state }) => state)).toEqual(['ended'])
  },
)

test('3.13 4.12 while another run follows the job, it does not', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 4 })
  const first = headOf(emulator)
  let meanwhile: RunResult | undefined
  const call = async () => {
    meanwhile = await pushes(emulator, REBASE)
  }
  emulator.faults.add({ match: READ, skip: 1, fault: { kind: 'call', when: 'before', call } })
  expectOutcome(await happens(emulator, 'labeled'), 'pull-request')
  expect(meanwhile?.outputs).toMatchObject({ outcome: 'skipped', reason: 'no-changes' })
  expect(states(emulator)).toEqual(ENDED)
  expect(states(emulator, first)).toEqual(ENDED)
})

test('3.13 8.3 with `wait: false` a sweep ends the head of the rebase, also once the pull request has ended', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 4 })
  const inputs = { wait: 'false' }
  expectOutcome(await happens(emulator, 'labeled', { inputs }), 'started')
  expectOutcome(await pushes(emulator, REBASE, { inputs }), 'started')
  expect(states(emulator)).toEqual(['pending'])
  emulator.github.closePullRequest(CODE, { merged: true })
  for (let sweeps = 0; sweeps < 5; sweeps += 1) await emulator.collect()
  expect(states(emulator)).toEqual(ENDED)
  expect(emulator.promptCounts()).toEqual([1])
})

test('3.13 5.2 a re-run of the rebase asks nothing, and ends as its first attempt did', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 5 })
  await cutOff(emulator)
  expectOutcome(await happens(emulator, 'synchronize', { runId: 91 }), 'pull-request')
  const words = emulator.bodies(CODE)
  expectOutcome(await happens(emulator, 'synchronize', { runId: 91, attempt: 2 }), 'pull-request')
  expect(emulator.bodies(CODE)).toEqual(words)
  expect(emulator.promptCounts()).toEqual([1])
})

test.each([
  ['one pattern', 1],
  ['500 bytes of patterns', 25],
  ['3,900 bytes of patterns', 90],
])('4.13 8.3 with %s, the head of a rebase gets the end that a sweep finds', async (_, many) => {
  const others = Array.from(
    { length: many - 1 },
    (__, at) => `packages/${'x'.repeat(many === 90 ? 27 : 3)}-${at}/*`,
  )
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 2 })
  const inputs = { wait: 'false', paths: [...others, 'src/**'].join('\n') }
  expectOutcome(await happens(emulator, 'labeled', { inputs }), 'started')
  emulator.github.push(CODE, {
    isForced: true,
    files: [...FIRST, { ...FIRST[0], filename: 'notes.md' } as never],
  })
  for (let sweeps = 0; sweeps < 3; sweeps += 1) await emulator.collect()
  expect(states(emulator)).toEqual(['success'])
})
