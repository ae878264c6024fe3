import { expect, test } from 'vitest'
import type { EmulatorOptions } from '../../emulator/options.ts'
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
} from '../helpers/code-world.ts'
import { expectOutcome, IN_BUNDLE, READ, type World } from '../helpers/world.ts'

// Contract 3.13: the pull request of the code ends while the job works. Its end is said with that of the job.

const IN_APP: EmulatorOptions = { docsRepository: 'octo/app' }
const ELSEWHERE: EmulatorOptions = { tokenCoversDocs: true }

/** How often each place says that the code ended. */
function told(emulator: World, { docsRepository = 'octo/docs' }: EmulatorOptions) {
  const isEnd = (body: string) => /octo\/app#30 (is merged|was closed)/.test(body)
  const docs = emulator.github.comments(77, docsRepository).filter(({ body }) => isEnd(body)).length
  return { docs, thread: emulator.bodies(CODE).filter(isEnd).length }
}

const NOWHERE = { docs: 0, thread: 0 }

async function endsAtWork(emulator: World, merged: boolean): Promise<void> {
  emulator.service.script.push({ reads: 3 })
  await happens(emulator, 'labeled', { inputs: { wait: 'false' } })
  expectOutcome(await closes(emulator, merged, { runId: 91 }), 'skipped', 'pull-request-closed')
}

/** The code is merged while a run reads the job. */
const closesAtRead = (emulator: World): void => {
  const call = async () => void (await closes(emulator, true))
  emulator.faults.add({ match: READ, fault: { kind: 'call', call } })
}

const sweeps = async (emulator: World, times = 4): Promise<void> => {
  for (let at = 0; at < times; at += 1) await emulator.collect()
}

const PLACES: [string, EmulatorOptions, { docs: number; thread: number }][] = [
  ['there', IN_APP, { docs: 1, thread: 0 }],
  ['there, in another repository', ELSEWHERE, { docs: 1, thread: 0 }],
  ['in the thread, where the token may not write there', {}, { docs: 0, thread: 1 }],
]

test.each(PLACES)(
  '3.13 8.3 a sweep says with the result that the code ended: %s',
  async (_, options, places) => {
    const emulator = codeWorld(options)
    await endsAtWork(emulator, true)
    expect(told(emulator, options)).toEqual(NOWHERE)
    await sweeps(emulator)
    expect(told(emulator, options)).toEqual(places)
    await happens(emulator, 'closed', { runId: 91, attempt: 2 })
    await emulator.collect()
    expect(told(emulator, options)).toEqual(places)
  },
)

test.each(PLACES)('3.13 the run that follows the job says it: %s', async (_, options, places) => {
  const emulator = codeWorld(options)
  emulator.service.script.push({ reads: 3 })
  closesAtRead(emulator)
  expectOutcome(await happens(emulator, 'labeled'), 'pull-request')
  expect(told(emulator, options)).toEqual(places)
  await emulator.collect()
  expect(told(emulator, options)).toEqual(places)
})

test.skipIf(IN_BUNDLE)(
  '3.13 8.1 a sweep leaves the job to the run that waits for it, also after the end',
  async () => {
    const emulator = codeWorld(IN_APP)
    emulator.service.script.push({ reads: 3 })
    let swept: RunResult | undefined
    const call = async () => {
      await closes(emulator, true)
      swept = await emulator.collect()
    }
    emulator.faults.add({ match: READ, fault: { kind: 'call', call } })
    expectOutcome(await happens(emulator, 'labeled'), 'pull-request')
    expect(swept?.outputs).toMatchObject({ finished: '0', active: '0' })
  },
)

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

test('3.13 5.2 6.2 a re-run of a killed run says it', async () => {
  const emulator = codeWorld(IN_APP)
  emulator.service.script.push({ reads: 3 })
  const event = pulled(emulator, 'labeled')
  await emulator.interrupted(emulator.given(event, { inputs: INPUTS, runId: 90 }), READ)
  expectOutcome(await closes(emulator, false), 'skipped', 'pull-request-closed')
  expect(told(emulator, IN_APP)).toEqual(NOWHERE)
  expectOutcome(await emulator.act(event, { runId: 90, attempt: 2, inputs: INPUTS }), 'pull-request')
  expect(told(emulator, IN_APP)).toEqual({ docs: 1, thread: 0 })
})

test('3.13 6.1 a run that is cancelled after the code ended keeps it for the sweep', async () => {
  const emulator = codeWorld(IN_APP)
  emulator.service.script.push({ reads: 4 })
  closesAtRead(emulator)
  const run = emulator.given(pulled(emulator, 'labeled'), { inputs: INPUTS, runId: 90 })
  expectOutcome(await emulator.interrupted(run, READ, { signal: 'SIGINT', skip: 1 }), 'cancelled')
  await sweeps(emulator)
  expect(told(emulator, IN_APP)).toEqual({ docs: 1, thread: 0 })
})

test('3.13 a result that comes while the event of the end reads the thread: it is said once', async () => {
  const emulator = codeWorld(IN_APP)
  emulator.service.script.push({ reads: 0 })
  const inputs = { comment: 'recreate' }
  await happens(emulator, 'labeled', { inputs: { ...inputs, wait: 'false' } })
  const match = { method: 'GET', path: /\/issues\/30\/comments/ }
  const call = async () => void (await emulator.collect(inputs))
  emulator.faults.add({ match, fault: { kind: 'call', when: 'after', call } })
  expectOutcome(await closes(emulator, true, { inputs }), 'skipped', 'pull-request-closed')
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

test('3.13 4.9 the last turn names no pull request: the end is said on the earlier one', async () => {
  const emulator = codeWorld(IN_APP)
  await happens(emulator, 'labeled')
  emulator.service.script.push({ reads: 2, pr: null })
  await pushes(emulator, { files: [file('src/limit.ts', 'second')] }, { inputs: { wait: 'false' } })
  await closes(emulator, true)
  await sweeps(emulator)
  expect(told(emulator, IN_APP)).toEqual({ docs: 1, thread: 0 })
})

test('3.13 the code is merged right before the run looks, and its event says it: not twice', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 2 })
  await happens(emulator, 'labeled', { inputs: { wait: 'false' } })
  const call = async () => void (await closes(emulator, true))
  const match = { method: 'GET', path: /\/pulls\/30$/ }
  emulator.faults.add({ match, fault: { kind: 'call', call } })
  await sweeps(emulator)
  expect(told(emulator, {})).toEqual({ docs: 0, thread: 1 })
})

test('3.13 4.3 the code is merged while the request goes out: one job, and its result says it', async () => {
  const emulator = codeWorld(IN_APP)
  let closed: RunResult | undefined
  const call = async () => {
    closed = await closes(emulator, true)
  }
  emulator.faults.add({ match: { method: 'POST', path: /\/job$/ }, fault: { kind: 'call', call } })
  expectOutcome(await happens(emulator, 'labeled'), 'pull-request')
  expect(closed?.outputs).toMatchObject({ outcome: 'skipped', reason: 'pull-request-closed' })
  expect(emulator.promptCounts()).toEqual([1])
  expect(told(emulator, IN_APP)).toEqual({ docs: 1, thread: 0 })
})

test('3.13 where the end of the code is what asks the agent, the result says nothing of it', async () => {
  const emulator = codeWorld(IN_APP)
  expectOutcome(await closes(emulator, true), 'pull-request')
  expect(told(emulator, IN_APP)).toEqual(NOWHERE)
})

test('3.13 a job that ends without a pull request has no docs to speak of', async () => {
  const emulator = codeWorld(IN_APP)
  emulator.service.script.push({ reads: 2, pr: 'none' })
  await happens(emulator, 'labeled', { inputs: { wait: 'false' } })
  await closes(emulator, true)
  await sweeps(emulator)
  expect(emulator.records(CODE)).toEqual([expect.objectContaining({ state: 'reported', settled: true })])
  expect(told(emulator, IN_APP)).toEqual(NOWHERE)
})

// Each sweep tries for two minutes.
test.skipIf(IN_BUNDLE)('3.13 5.6 while GitHub does not take it, it stays to be said', async () => {
  const emulator = codeWorld(IN_APP)
  await endsAtWork(emulator, true)
  emulator.faults.add({
    match: { method: 'POST', path: /\/issues\/77\/comments/ },
    times: 300,
    fault: { kind: 'status', status: 502 },
  })
  await sweeps(emulator)
  expect(told(emulator, IN_APP)).toEqual(NOWHERE)
  emulator.faults.clear()
  await emulator.pass(120_000)
  await sweeps(emulator, 1)
  expect(told(emulator, IN_APP)).toEqual({ docs: 1, thread: 0 })
})

test.skipIf(IN_BUNDLE)(
  '3.13 5.6 while GitHub does not say whether somebody reopened it, nothing is said',
  async () => {
    const emulator = codeWorld(IN_APP)
    await endsAtWork(emulator, false)
    emulator.github.editIssue(CODE, { state: 'open' })
    const match = { method: 'GET', path: /\/pulls\/30$/ }
    emulator.faults.add({ match, times: Infinity, fault: { kind: 'status', status: 502 } })
    await sweeps(emulator)
    emulator.faults.clear()
    await emulator.pass(120_000)
    await sweeps(emulator, 1)
    expect(told(emulator, IN_APP)).toEqual(NOWHERE)
  },
)

test('3.13 a push after a rebase: one end, whichever request works', async () => {
  const emulator = codeWorld(IN_APP)
  emulator.service.script.push({ reads: 3 })
  await happens(emulator, 'labeled', { inputs: { wait: 'false' } })
  await pushes(emulator, { isForced: true, files: FIRST })
  await closes(emulator, true)
  await sweeps(emulator)
  expect(told(emulator, IN_APP)).toEqual({ docs: 1, thread: 0 })
})

test.each([
  ['and stays so', false, { docs: 0, thread: 0 }],
  ['and is merged then', true, { docs: 1, thread: 0 }],
])(
  '3.13 a pull request that is reopened while the job works, %s: no result says that it was closed',
  async (_, isMerged, places) => {
    const emulator = codeWorld(IN_APP)
    await endsAtWork(emulator, false)
    emulator.github.editIssue(CODE, { state: 'open' })
    await happens(emulator, 'reopened', { inputs: { wait: 'false' } })
    if (isMerged) await closes(emulator, true)
    await sweeps(emulator)
    expect(told(emulator, IN_APP)).toEqual(places)
    const bodies = emulator.bodies(77)
    expect(bodies.filter((body) => body.includes('was closed'))).toEqual([])
  },
)
