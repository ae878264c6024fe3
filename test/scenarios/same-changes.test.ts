import { expect, test } from 'vitest'
import type { RunResult } from '../../emulator/runner.ts'
import {
  CODE,
  codeWorld,
  DELIVERED,
  FIRST,
  file,
  happens,
  INPUTS,
  pulled,
  pushes,
  saidOf,
  states,
  unread,
} from '../helpers/code-world.ts'
import { CREATE, expectOutcome, READ, type World } from '../helpers/world.ts'

// Contract 3.13: the same changes of a pull request are the same request, which is asked once.

const OTHER = [file('src/retry.ts', 'another')]
const FILES = { method: 'GET', path: /\/pulls\/30\/files$/ } as const
const HOUR = 3_600_000

const asked = (emulator: World): number => emulator.prompts().length

const AGAIN: [string, (emulator: World) => Promise<RunResult>][] = [
  ['a label', (emulator) => happens(emulator, 'labeled')],
  [
    'another title',
    (emulator) => {
      emulator.github.editIssue(CODE, { title: 'Another title' })
      return happens(emulator, 'edited')
    },
  ],
  [
    'a reopened pull request',
    async (emulator) => {
      emulator.github.closePullRequest(CODE)
      emulator.github.editIssue(CODE, { state: 'open' })
      return await happens(emulator, 'reopened')
    },
  ],
  ['a rebase', (emulator) => pushes(emulator, { isForced: true, files: [file('src/retry.ts', 'first', 9)] })],
  [
    'a merge of the base',
    (emulator) => pushes(emulator, { files: FIRST, commit: [file('src/other.ts', 'base')] }),
  ],
  [
    'a return to them',
    async (emulator) => {
      expectOutcome(await pushes(emulator, { isForced: true, files: OTHER }), 'pull-request')
      return await pushes(emulator, { isForced: true, files: FIRST })
    },
  ],
]

test.each(AGAIN)('3.13 after %s nothing is asked, and the head has their verdict', async (_, comes) => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  const result = await comes(emulator)
  expectOutcome(result, 'skipped', 'no-changes')
  expect(emulator.prompts().filter((prompt) => prompt.includes('+first'))).toHaveLength(1)
  expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
})

/** The answer to the request is lost: nobody knows whether a job works. */
async function lost(emulator: World): Promise<void> {
  emulator.faults.add({ match: CREATE, fault: { kind: 'reset', when: 'after' } })
  const first = await happens(emulator, 'labeled', { runId: 90 })
  expectOutcome(first, 'error', 'creation-uncertain')
}

test('4.3 3.13 after a lost answer no event asks again, a re-run of a person does', async () => {
  const emulator = codeWorld()
  await lost(emulator)
  const failed = saidOf(emulator)
  expect(failed.at(-1)).toMatch(/^error: It is not known whether the docs agent got the request/)
  expectOutcome(await happens(emulator, 'labeled'), 'skipped', 'no-changes')
  await pushes(emulator, { isForced: true, files: FIRST })
  expect(saidOf(emulator)).toEqual([failed.at(-1)])
  expect(asked(emulator)).toBe(1)
  expectOutcome(await happens(emulator, 'labeled', { runId: 90, attempt: 2 }), 'pull-request')
  expect(asked(emulator)).toBe(2)
  expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
})

test.each([402, 401, 422])(
  '4.3 3.13 nor after a re-run of a person that the service refused with %s',
  async (status) => {
    const emulator = codeWorld()
    await lost(emulator)
    const [said] = saidOf(emulator).slice(-1)
    emulator.faults.add({ match: CREATE, fault: { kind: 'status', status } })
    const again = await happens(emulator, 'labeled', { runId: 90, attempt: 2 })
    expect(again.outputs.reason).not.toBe('creation-uncertain')
    expect(saidOf(emulator).at(-1)).toBe(said)
    expectOutcome(await happens(emulator, 'labeled'), 'skipped', 'no-changes')
    expect(emulator.promptCounts()).toEqual([1])
  },
)

test('4.3 3.13 nor does one after other changes, when the comment of the lost answer is hidden', async () => {
  const emulator = codeWorld()
  await lost(emulator)
  expectOutcome(await pushes(emulator, { isForced: true, files: OTHER }), 'pull-request')
  expect(emulator.bodies(CODE)).toHaveLength(1)
  expectOutcome(await pushes(emulator, { isForced: true, files: FIRST }), 'skipped', 'no-changes')
  expect(saidOf(emulator).at(-1)).toMatch(/^error: It is not known/)
  expect(asked(emulator)).toBe(2)
})

test('4.3 3.13 nor where the run was killed, and no post step came', async () => {
  const emulator = codeWorld()
  const run = emulator.given(pulled(emulator, 'labeled'), { inputs: INPUTS, runId: 90, post: false })
  await emulator.interrupted(run, CREATE, { when: 'after' })
  expectOutcome(await happens(emulator, 'labeled'), 'skipped', 'no-changes')
  expect(saidOf(emulator).at(-1)).toBe('pending: The docs agent is working')
  await emulator.pass(HOUR)
  for (let events = 0; events < 2; events++) {
    expectOutcome(await happens(emulator, 'labeled'), 'skipped', 'no-changes')
    expect(saidOf(emulator).at(-1)).toMatch(/^error: It is not known/)
  }
  expect(asked(emulator)).toBe(1)
})

test.each([
  ['GitHub does not answer', 502],
  ['GitHub refuses', 422],
])('3.13 files of which %s: nothing is sent, and the next event asks', async (_, status) => {
  const emulator = codeWorld()
  const away = emulator.faults.add({ match: FILES, times: Infinity, fault: { kind: 'status', status } })
  expectOutcome(await happens(emulator, 'labeled'), 'error', 'github-unavailable')
  expect(emulator.calls('service')).toEqual([])
  expect(states(emulator)).not.toContain('success')
  away.remove()
  expectOutcome(await happens(emulator, 'labeled'), 'pull-request')
  expect(asked(emulator)).toBe(1)
})

test('3.13 4.13 a command that cannot read the files is not sent: its verdict could not go along with a rebase', async () => {
  const emulator = codeWorld()
  const on = { on: CODE, inputs: { 'commit-status': 'docs' } }
  const result = await unread(emulator, () => emulator.ask('/docs explain', on))
  expectOutcome(result, 'error', 'github-unavailable')
  expect(emulator.calls('service')).toEqual([])
})

test('3.13 where GitHub cuts the list of files, each run is a request of its own, and no verdict carries', async () => {
  const emulator = codeWorld()
  const files = Array.from({ length: 3000 }, (_, at) => file(`src/${at}.ts`, 'first'))
  emulator.github.push(CODE, { files })
  expectOutcome(await happens(emulator, 'synchronize', { runId: 90 }), 'pull-request')
  const again = await happens(emulator, 'synchronize', { runId: 90, attempt: 2 })
  expectOutcome(again, 'pull-request')
  expect(again.outputs['job-action']).toBe('resumed')
  emulator.service.script.push({ ending: 'failed' })
  expectOutcome(await pushes(emulator, { isForced: true, files }), 'failed')
  expect(states(emulator)).toEqual(['pending', 'failure'])
})

/** The comments of the thread cannot be read once the job has ended; 502 for longer than anyone tries. */
const UNREADABLE = { method: 'GET', path: /\/issues\/30\/comments/ } as const

test.each([502, 403])(
  '4.13 5.6 a run that cannot read at its end what others decided sets nothing (%i): a sweep does',
  async (status) => {
    const emulator = codeWorld()
    emulator.service.script.push({ reads: 3 })
    let away: { remove(): void } | undefined
    const call = () => {
      away = emulator.faults.add({ match: UNREADABLE, times: Infinity, fault: { kind: 'status', status } })
    }
    emulator.faults.add({ match: READ, skip: 1, fault: { kind: 'call', call } })
    const on = { on: CODE, inputs: { 'commit-status': 'docs' } }
    expectOutcome(await emulator.ask('/docs explain', on), 'pull-request')
    expect(states(emulator)).toEqual(['pending'])
    expect(emulator.records(CODE)).toMatchObject([{ state: 'ended', settled: false }])
    away?.remove()
    await emulator.pass(HOUR)
    await emulator.collect()
    expect(states(emulator)).toEqual(['pending', 'success'])
    expect(emulator.records(CODE)).toMatchObject([{ settled: true }])
  },
)

test('3.13 an event whose thread GitHub does not show asks nothing: another run may have', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  emulator.faults.add({ match: UNREADABLE, fault: { kind: 'status', status: 403 } })
  expectOutcome(await happens(emulator, 'labeled'), 'error', 'github-unavailable')
  expect(asked(emulator)).toBe(1)
})

test('4.13 a command whose thread GitHub does not show sets no status: others may have decided it', async () => {
  const emulator = codeWorld()
  const away = emulator.faults.add({
    match: UNREADABLE,
    times: Infinity,
    fault: { kind: 'status', status: 403 },
  })
  const on = { on: CODE, inputs: { 'commit-status': 'docs' } }
  expectOutcome(await emulator.ask('/docs explain', on), 'pull-request')
  expect(states(emulator)).toEqual([])
  away.remove()
})

test.each(['with the same head', 'after a rebase'])(
  'H5 4.13 what failed is asked again %s, after a command: the end of the latest is the verdict',
  async (when) => {
    const emulator = codeWorld()
    emulator.service.script.push({ ending: 'failed' })
    expectOutcome(await happens(emulator, 'labeled'), 'failed')
    const { said: _, ...command } = await emulator.ask('/docs explain it again', {
      on: CODE,
      inputs: { 'commit-status': 'docs' },
    })
    expectOutcome(command, 'pull-request')
    emulator.service.script.push({ ending: 'failed' })
    const again =
      when === 'after a rebase'
        ? pushes(emulator, { isForced: true, files: FIRST })
        : happens(emulator, 'labeled')
    expectOutcome(await again, 'failed')
    expect(saidOf(emulator).at(-1)).toBe('failure: The docs agent failed')
  },
)

test('4.9 the same changes whose job failed, by another event: that job gets them again, for a re-run alone gets a new one', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ ending: 'failed' })
  expectOutcome(await happens(emulator, 'labeled'), 'failed')
  const { outputs } = await happens(emulator, 'ready_for_review', { runId: 91 })
  expect(outputs).toMatchObject({ outcome: 'pull-request', 'job-action': 'continued' })
})
