import { expect, test } from 'vitest'
import type { RunResult } from '../../emulator/runner.ts'
import {
  CODE,
  closes,
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

const REFUSALS = { 402: 'payment-required', 401: 'unauthorized', 429: 'rate-limited' } as const

// As docs-with-the-code.md says.
for (const [name, comes] of AGAIN)
  test.each([402, 401, 429] as const)(
    `3.13 4.13 where the service refused them with %i, they are asked after ${name}`,
    async (status) => {
      const emulator = codeWorld()
      const match = { host: 'service', method: 'POST' } as const
      const headers = { 'retry-after': '7200' }
      const fault = emulator.faults.add({
        match,
        times: Infinity,
        fault: { kind: 'status', status, headers },
      })
      expectOutcome(await happens(emulator, 'opened'), 'error', REFUSALS[status])
      expect(states(emulator)).toEqual(['pending', 'error'])
      fault.remove()
      expectOutcome(await comes(emulator), 'pull-request')
      expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
    },
  )

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

const IN_DOUBT =
  'pending: Not known whether the docs agent got an earlier request: re-run if the dashboard lacks it, /docs … or skip'

test.each<[string, (emulator: World) => Promise<RunResult>]>([
  ['other changes', (emulator) => pushes(emulator, { isForced: true, files: OTHER })],
  ['more changes', (emulator) => pushes(emulator, { files: [...FIRST, file('src/more.ts', 'more')] })],
  [
    'the merge of other changes',
    (emulator) => {
      emulator.github.push(CODE, { isForced: true, files: OTHER })
      return closes(emulator, true)
    },
  ],
])('4.3 3.13 nor do %s ask while no job is known, until a person does', async (name, comes) => {
  const emulator = codeWorld()
  await lost(emulator)
  expectOutcome(await comes(emulator), 'skipped', 'no-changes')
  expect(asked(emulator)).toBe(1)
  if (name.startsWith('the merge')) return
  expect(saidOf(emulator)).toEqual([IN_DOUBT])
  const inputs = { 'commit-status': 'docs' }
  expectOutcome(await emulator.ask('/docs explain', { on: CODE, inputs }), 'pull-request')
  expect(saidOf(emulator).at(-1)).toMatch(/^success: octo\/docs#\d+$/)
  const third = file('src/third.ts', 'third')
  expectOutcome(await pushes(emulator, { files: [...FIRST, third], commit: [third] }), 'pull-request')
  expect(asked(emulator)).toBe(3)
})

test('4.3 3.13 where a job is known, later changes go to it, from the last head that it surely got', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  const second = file('src/limit.ts', 'second')
  const message = { host: 'service', method: 'POST' } as const
  emulator.faults.add({ match: message, fault: { kind: 'reset', when: 'after' } })
  const push = await pushes(emulator, { files: [...FIRST, second], commit: [second] })
  expectOutcome(push, 'error', 'creation-uncertain')
  const third = file('src/third.ts', 'third')
  expectOutcome(await pushes(emulator, { files: [...FIRST, second, third], commit: [third] }), 'pull-request')
  expect(emulator.prompts().at(-1)).toContain('+second')
  expect(emulator.prompts().at(-1)).toContain('+third')
  expect(emulator.prompts().at(-1)).not.toContain('+first')
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
    expect(emulator.records(CODE)).toMatchObject([{ state: 'ended', effectsDone: false }])
    away?.remove()
    await emulator.pass(HOUR)
    await emulator.collect()
    expect(states(emulator)).toEqual(['pending', 'success'])
    expect(emulator.records(CODE)).toMatchObject([{ effectsDone: true }])
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

/** A job about the changes failed. */
async function failed(emulator: World, more: Parameters<typeof happens>[2] = {}): Promise<void> {
  emulator.service.script.push({ ending: 'failed' })
  expectOutcome(await happens(emulator, 'opened', { runId: 90, ...more }), 'failed')
}

/** alice sets the label, so many ms after what came before. */
async function labels(emulator: World, afterMs: number, more: Parameters<typeof happens>[2] = {}) {
  await emulator.pass(afterMs)
  emulator.github.addLabels(CODE, ['docs'])
  return await happens(emulator, 'labeled', more)
}

test.each(AGAIN.filter(([name]) => name !== 'a return to them'))(
  '3.13 after a failed job, %s asks nothing, and repeats the failure',
  async (_, comes) => {
    const emulator = codeWorld()
    await failed(emulator)
    const result = await comes(emulator)
    expectOutcome(result, 'skipped', 'no-changes')
    expect(result.log).toContain('failed, or is gone. Re-run the workflow to ask again')
    expect(asked(emulator)).toBe(1)
    expect(saidOf(emulator).at(-1)).toBe('failure: The docs agent failed')
  },
)

test.each<[string, (emulator: World) => Promise<RunResult>]>([
  ['a label', (emulator) => labels(emulator, 60_000)],
  ['a re-run', (emulator) => happens(emulator, 'opened', { runId: 90, attempt: 2 })],
  [
    'a re-run of an event that repeated the failure',
    async (emulator) => {
      await happens(emulator, 'edited', { runId: 91 })
      return await happens(emulator, 'edited', { runId: 91, attempt: 2 })
    },
  ],
  ['a command', (emulator) => emulator.ask('/docs explain', { on: CODE, inputs: INPUTS })],
])('3.13 after a failed job, %s asks again', async (_, comes) => {
  const emulator = codeWorld()
  await failed(emulator)
  expectOutcome(await comes(emulator), 'pull-request')
  expect(asked(emulator)).toBe(2)
  expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
})

test('3.13 five labels at once on a job that fails: it is asked once, and by the label set later once more', async () => {
  const emulator = codeWorld()
  const events = Array.from({ length: 5 }, (_, at) => {
    emulator.github.addLabels(CODE, [`label-${at}`])
    return pulled(emulator, 'labeled')
  })
  emulator.service.script.push({ ending: 'failed' })
  for (const [at, event] of events.entries())
    expectOutcome(
      await emulator.act(event, { runId: 80 + at, inputs: INPUTS }),
      ...((at === 0 ? ['failed', ''] : ['skipped', 'no-changes']) as [string, string]),
    )
  expect(asked(emulator)).toBe(1)
  expect(saidOf(emulator).at(-1)).toBe('failure: The docs agent failed')
  expectOutcome(await labels(emulator, 2000), 'pull-request')
  expect(asked(emulator)).toBe(2)
})

test('4.9 the label set after a failed job sends the changes to that job, a re-run to a new one', async () => {
  const emulator = codeWorld()
  await failed(emulator)
  expect((await labels(emulator, 60_000)).outputs).toMatchObject({
    outcome: 'pull-request',
    'job-action': 'continued',
  })
})

test.each(['with the same head', 'after a rebase'])(
  'H5 4.13 a job failed, and a command came after it: %s, an event repeats the end of that',
  async (when) => {
    const emulator = codeWorld()
    await failed(emulator)
    const on = { on: CODE, inputs: { 'commit-status': 'docs' } }
    expectOutcome(await emulator.ask('/docs explain it once more', on), 'pull-request')
    const again =
      when === 'after a rebase'
        ? pushes(emulator, { isForced: true, files: FIRST })
        : happens(emulator, 'edited')
    expectOutcome(await again, 'skipped', 'no-changes')
    expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
    emulator.service.script.push({ ending: 'failed' })
    expectOutcome(await labels(emulator, 60_000), 'failed')
    expect(saidOf(emulator).at(-1)).toBe('failure: The docs agent failed')
  },
)
