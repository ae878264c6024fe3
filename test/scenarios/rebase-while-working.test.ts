import { expect, test } from 'vitest'
import { type RunResult, startAction } from '../../emulator/runner.ts'
import {
  CODE,
  closes,
  codeWorld,
  FIRST,
  happens,
  headOf,
  INPUTS,
  pulled,
  pushes,
  SECOND_PUSH,
  saidOf,
  states,
  unread,
} from '../helpers/code-world.ts'
import { expectOutcome, IN_BUNDLE, READ, type World } from '../helpers/world.ts'

// Contract 3.13, 4.12: a rebase cancels the run that waits, and brings nothing new. Its own run goes on waiting.

const REBASE = { isForced: true, files: FIRST }
const MINUTE = 60_000
const ENDED = ['pending', 'success']

/** The run of an event is cut off while the job works, because a rebase came. @returns the head before it */
async function cutOff(emulator: World, signal: NodeJS.Signals = 'SIGINT'): Promise<string> {
  const head = headOf(emulator)
  const run = emulator.given(pulled(emulator, 'labeled'), { inputs: INPUTS, runId: 90 })
  const call = () => void emulator.github.push(CODE, REBASE)
  emulator.faults.add({ match: READ, fault: { kind: 'call', call } })
  await emulator.interrupted(run, READ, { signal, skip: 1 })
  return head
}

test.each(['SIGINT', 'SIGKILL'] as const)(
  '3.13 4.13 the run of the rebase follows the job to its end (%s)',
  async (signal) => {
    const emulator = codeWorld()
    emulator.service.script.push({ reads: 5 })
    const first = await cutOff(emulator, signal)
    const result = await happens(emulator, 'synchronize')
    expectOutcome(result, 'pull-request')
    expect(result.outputs['job-action']).toBe('resumed')
    expect(emulator.promptCounts()).toEqual([1])
    expect(states(emulator)).toEqual(ENDED)
    expect(states(emulator, first)).toEqual(ENDED)
    expect(emulator.bodies(CODE)).toEqual([expect.stringContaining('✅')])
    expect(emulator.records(CODE).map(({ state }) => state)).toEqual(['reported'])
  },
)

test('4.13 the head that the request began with is decided first', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 5 })
  const first = await cutOff(emulator)
  const path = new RegExp(`/commits/${first}/status`)
  const slow = { kind: 'delay', ms: IN_BUNDLE ? 200 : 5000 } as const
  emulator.faults.add({ match: { path }, fault: slow, times: Number.POSITIVE_INFINITY })
  expectOutcome(await happens(emulator, 'synchronize'), 'pull-request')
  const posts = emulator.requests.filter(
    ({ method, path: to }) => method === 'POST' && to.includes('/statuses/'),
  )
  const heads = posts.slice(-2).map(({ path: to }) => to.split('/').at(-1))
  expect(heads).toEqual([first, headOf(emulator)])
})

test('3.13 a second rebase goes on from the first, and the next push sends what it changed', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 9 })
  await cutOff(emulator)
  const again = emulator.given(pulled(emulator, 'synchronize'), { inputs: INPUTS, runId: 91 })
  expectOutcome(await emulator.interrupted(again, READ, { signal: 'SIGINT', skip: 2 }), 'cancelled')
  expectOutcome(await pushes(emulator, REBASE), 'pull-request')
  expect(states(emulator)).toEqual(ENDED)
  expectOutcome(await pushes(emulator, SECOND_PUSH), 'pull-request')
  expect(emulator.promptCounts()).toEqual([2])
  expect(emulator.prompts().at(-1)).not.toContain('+first')
})

test('3.13 4.13 the head of a rebase that a push replaces gets the end as well', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 9 })
  const first = await cutOff(emulator)
  const rebased = headOf(emulator)
  const call = () => void emulator.github.push(CODE, SECOND_PUSH)
  emulator.faults.add({ match: READ, skip: 2, fault: { kind: 'call', call } })
  const again = emulator.given(pulled(emulator, 'synchronize'), { inputs: INPUTS, runId: 91 })
  expectOutcome(await emulator.interrupted(again, READ, { signal: 'SIGINT', skip: 3 }), 'cancelled')
  expectOutcome(await happens(emulator, 'synchronize'), 'pull-request')
  for (let sweeps = 0; sweeps < 3; sweeps += 1) await emulator.collect()
  for (const head of [first, rebased, headOf(emulator)]) expect(states(emulator, head)).toEqual(ENDED)
})

test.skipIf(IN_BUNDLE)('3.13 4.12 while another run follows the job, it does not', async () => {
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

test.skipIf(IN_BUNDLE)('3.13 4.12 while the run of a command follows the job, it does not', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 5 }, { reads: 5 })
  await cutOff(emulator)
  let meanwhile: RunResult | undefined
  const call = async () => {
    meanwhile = await happens(emulator, 'synchronize')
  }
  emulator.faults.add({ match: READ, skip: 2, fault: { kind: 'call', when: 'before', call } })
  const inputs = { 'commit-status': 'docs' }
  expectOutcome(await emulator.ask('/docs explain', { on: CODE, inputs }), 'pull-request')
  expect(meanwhile?.outputs).toMatchObject({ outcome: 'skipped', reason: 'no-changes' })
  expect(states(emulator)).toEqual(ENDED)
})

test.skipIf(IN_BUNDLE)(
  '3.13 4.12 while the run of a command follows another job, it follows its own',
  async () => {
    const emulator = codeWorld()
    emulator.service.script.push({ reads: 5 }, { reads: 9 })
    await cutOff(emulator)
    let meanwhile: RunResult | undefined
    const call = async () => {
      meanwhile = await happens(emulator, 'synchronize')
    }
    emulator.faults.add({ match: READ, skip: 2, fault: { kind: 'call', when: 'before', call } })
    expectOutcome(await emulator.ask('/docs new explain', { on: CODE }), 'pull-request')
    expect(meanwhile?.outputs).toMatchObject({ outcome: 'pull-request', 'job-action': 'resumed' })
  },
)

test('3.13 5.2 a re-run of the rebase, whose run was killed, goes on with the job', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 9 })
  await cutOff(emulator)
  const event = pulled(emulator, 'synchronize')
  const run = emulator.given(event, { inputs: INPUTS, runId: 91, post: false })
  await emulator.interrupted(run, READ, { skip: 2 })
  const again = await emulator.act(event, { inputs: INPUTS, runId: 91, attempt: 2 })
  expectOutcome(again, 'pull-request')
  expect(again.outputs['job-action']).toBe('resumed')
})

test('3.13 8.3 with `wait: false` a sweep ends both heads, also once the pull request has ended', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 4 })
  const inputs = { wait: 'false' }
  expectOutcome(await happens(emulator, 'labeled', { inputs }), 'started')
  const first = headOf(emulator)
  expectOutcome(await pushes(emulator, REBASE, { inputs }), 'skipped', 'no-changes')
  expectOutcome(await happens(emulator, 'labeled', { inputs }), 'skipped', 'no-changes')
  expect(states(emulator)).toEqual(['pending'])
  emulator.github.closePullRequest(CODE, { merged: true })
  for (let sweeps = 0; sweeps < 5; sweeps += 1) await emulator.collect()
  expect(states(emulator)).toEqual(ENDED)
  expect(states(emulator, first)).toEqual(ENDED)
})

test.skipIf(IN_BUNDLE)('3.13 the end of the code meanwhile is told with the result, once', async () => {
  const emulator = codeWorld({ docsRepository: 'octo/app' })
  emulator.service.script.push({ reads: 9 })
  await cutOff(emulator)
  let meanwhile: RunResult | undefined
  const call = async () => {
    meanwhile = await closes(emulator, true)
  }
  emulator.faults.add({ match: READ, skip: 3, fault: { kind: 'call', when: 'before', call } })
  expectOutcome(await happens(emulator, 'synchronize'), 'pull-request')
  expect(meanwhile?.outputs).toMatchObject({ outcome: 'skipped', reason: 'pull-request-closed' })
  const told = [CODE, 77].flatMap((on) => emulator.bodies(on)).filter((body) => /#30 is merged/.test(body))
  expect(told).toHaveLength(1)
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

/** A re-run of the first run goes on beside that of the rebase, which sends the failures of the first turn back. */
async function rebasedBesideReRun(fix: object) {
  const emulator = codeWorld({ docsRepository: 'octo/app' })
  emulator.github.checks.script.push([{ name: 'build', conclusion: 'failure' }], [{ name: 'build' }])
  emulator.service.script.push({ durationMs: 20 * MINUTE }, { durationMs: 3 * MINUTE, ...fix })
  const fixes = { 'fix-attempts': '3' }
  const inputs = { ...INPUTS, ...fixes }
  const event = pulled(emulator, 'labeled')
  await emulator.act(event, { inputs: { ...inputs, 'timeout-minutes': '5' }, runId: 90 })
  let again: Promise<RunResult> | undefined
  const call = () => {
    again = startAction(emulator.given(event, { inputs, runId: 90, attempt: 2 })).done
  }
  emulator.faults.add({ match: READ, skip: 3, fault: { kind: 'call', call } })
  await pushes(emulator, REBASE, { inputs: fixes, runId: 91 })
  return { emulator, again: await again }
}

test.skipIf(IN_BUNDLE)(
  '3.13 4.12 beside the run of a rebase, a re-run of the first one sends no failures a second time',
  async () => {
    const { emulator, again } = await rebasedBesideReRun({})
    expect(emulator.promptCounts()).toEqual([2])
    expect(again?.outputs.fixes).toBe('1')
  },
)

test.skipIf(IN_BUNDLE)(
  '3.13 4.12 nor takes it the end of the turn before for the answer to them',
  async () => {
    const { again } = await rebasedBesideReRun({ staleReads: 4 })
    expect(again?.outputs.checks).toBe('success')
  },
)

test.skipIf(IN_BUNDLE)(
  '4.13 3.13 a command that decides the head of a rebase meanwhile keeps its status',
  async () => {
    const emulator = codeWorld()
    emulator.service.script.push({ durationMs: 20 * MINUTE }, { ending: 'active-forever' })
    const run = emulator.given(pulled(emulator, 'labeled'), { inputs: INPUTS, runId: 90 })
    const push = () => void emulator.github.push(CODE, { isForced: true, files: FIRST })
    emulator.faults.add({ match: READ, fault: { kind: 'call', call: push } })
    await emulator.interrupted(run, READ, { signal: 'SIGINT', skip: 1 })
    const inputs = { 'commit-status': 'docs', wait: 'false' }
    let done = false
    const call = async () => {
      if (done) return
      done = true
      await unread(emulator, () =>
        emulator.ask('/docs new shorter', { on: CODE, by: 'bob', runId: 95, inputs }),
      )
    }
    emulator.faults.add({ match: READ, skip: 3, fault: { kind: 'call', when: 'before', call } })
    await happens(emulator, 'synchronize', { runId: 91 })
    expect(saidOf(emulator).at(-1)).toBe('pending: The docs agent is working')
  },
)
