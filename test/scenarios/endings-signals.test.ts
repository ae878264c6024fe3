import { expect, test } from 'vitest'
import type { Emulator } from '../../emulator/emulator.ts'
import type { Fault } from '../../emulator/faults.ts'
import type { RunResult } from '../../emulator/runner.ts'
import { errorsOf, sound, start } from '../helpers/action.ts'
import {
  act,
  bodies,
  CREATE,
  calls,
  ISSUE,
  ownWorld,
  READ,
  reactions,
  records,
  say,
  world,
} from './conversation-helpers.ts'

interface Cancelled {
  readonly result: RunResult
  /** From the signal to the end of the main step, in ms. */
  readonly took: number
}

/** Alice asks; the run gets the signal when the request of this kind comes in, which then meets the fault. */
async function interrupt(
  emulator: Emulator,
  when: typeof CREATE | typeof READ,
  { signal = 'SIGINT', fault }: { readonly signal?: NodeJS.Signals; readonly fault?: Fault } = {},
): Promise<Cancelled> {
  let at = 0
  let took = 0
  const running = start(emulator, {
    event: say(emulator, '/docs Explain retries'),
    inputs: { prompt: '' },
  })
  running.child.once('exit', () => {
    took = Date.now() - at
  })
  const call = () => {
    at = Date.now()
    running.kill(signal)
  }
  emulator.faults.add({ match: when, fault: { kind: 'call', call } })
  if (fault !== undefined) emulator.faults.add({ match: when, times: Number.POSITIVE_INFINITY, fault })
  return { result: sound(await running.done, emulator), took }
}

/** Waiting was cancelled, the job goes on, and this is how to pick it up: said everywhere, once. */
function cancelled(emulator: Emulator, { result, took }: Cancelled): void {
  const id = emulator.service.jobs()[0]?.id ?? ''
  expect(took).toBeLessThan(5000)
  expect(result).toMatchObject({ exitCode: 1, signal: null })
  expect(result.outputs).toMatchObject({
    outcome: 'cancelled',
    reason: '',
    'job-id': id,
    'job-action': 'created',
  })
  expect(bodies(emulator)).toEqual([
    expect.stringMatching(
      `^\\*\\*⏹️ The run was cancelled; the job \`${id}\` goes on\\*\\*, @alice\\.\\n\`/docs status\`.*re-run of the workflow picks it up`,
    ),
  ])
  expect(errorsOf(result)).toEqual([expect.stringContaining(`the job ${id} goes on`)])
  expect(result.summary).toMatch(/^## ⏹️ The run was cancelled/)
  expect(result.post?.log).toBe('')
  expect(emulator.service.jobs()).toHaveLength(1)
}

test('6.1 the second signal, which the runner sends to whoever is still there, finds all said', async () => {
  const emulator = await world()
  const match = { host: 'github', method: 'POST', path: /comments$/ } as const
  const running = start(emulator, { event: say(emulator, '/docs Explain'), inputs: { prompt: '' } })
  let took = 0
  running.child.once('exit', () => {
    took += Date.now()
  })
  const first = () => {
    took -= Date.now()
    running.kill('SIGINT')
  }
  emulator.faults.add({ match: READ, fault: { kind: 'call', call: first } })
  const second = () => void running.kill('SIGTERM')
  emulator.faults.add({ match, skip: 1, fault: { kind: 'call', when: 'after', call: second } })
  cancelled(emulator, { result: sound(await running.done, emulator), took })
})

test.each(['SIGINT', 'SIGTERM'] as const)('5.3 6.1 %s while it waits for the job', async (signal) => {
  const emulator = await ownWorld()
  emulator.service.everyTurn = { ending: 'active-forever' }
  cancelled(emulator, await interrupt(emulator, READ, { signal }))
  expect(records(emulator)).toMatchObject([{ state: 'running', waitsUntil: 0 }])
  const [said] = emulator.github.comments(ISSUE)
  expect(reactions(emulator, said?.id ?? 0)).toEqual(['confused'])

  const next = await act(emulator, say(emulator, '/docs shorten'), { runId: 2, inputs: { wait: 'false' } })
  expect(next.outputs['job-action']).toBe('continued')
  expect(emulator.service.jobs()).toHaveLength(1)
})

test('6.1 SIGINT while a read stalls', async () => {
  const emulator = await world()
  emulator.service.everyTurn = { ending: 'active-forever' }
  const ended = await interrupt(emulator, READ, { fault: { kind: 'stall' } })
  cancelled(emulator, ended)
  expect(ended.took).toBeLessThan(3000)
})

test('6.1 SIGINT during the request that creates the job: its answer is awaited, the id is not lost', async () => {
  const emulator = await world()
  emulator.service.everyTurn = { ending: 'active-forever' }
  cancelled(
    emulator,
    await interrupt(emulator, CREATE, { fault: { kind: 'delay', ms: 1500, when: 'after' } }),
  )
})

test.each([
  ['before it was processed', 'before', 0],
  ['after it was processed', 'after', 1],
] as const)(
  '6.1 SIGINT during a create that stalls %s: creation-uncertain within 5 s',
  async (_, when, jobs) => {
    const emulator = await world()
    const { result, took } = await interrupt(emulator, CREATE, { fault: { kind: 'stall', when } })
    expect(took).toBeLessThan(5000)
    expect(took).toBeGreaterThan(2500)
    expect(result).toMatchObject({ exitCode: 1, outputs: { outcome: 'error', reason: 'creation-uncertain' } })
    expect(bodies(emulator)).toEqual([
      expect.stringMatching(/^\*\*❌ It is not known whether a job was started/),
    ])
    expect(emulator.service.jobs()).toHaveLength(jobs)
    expect(calls(emulator, 'service')).toHaveLength(1)
  },
)

test('6.1 SIGINT between two tries of create: nothing was asked, and nothing more is', async () => {
  const emulator = await world()
  const fault: Fault = { kind: 'status', status: 429, headers: { 'retry-after': '60' } }
  const { result, took } = await interrupt(emulator, CREATE, { fault })
  expect(took).toBeLessThan(3000)
  expect(result.outputs).toMatchObject({ outcome: 'cancelled', 'job-id': '', 'job-action': 'none' })
  expect(bodies(emulator)[0]).toContain('cancelled before it asked the docs agent')
  expect(calls(emulator, 'service')).toHaveLength(1)
})

test('6.1 a job that has ended by then is reported as ended', async () => {
  const emulator = await world()
  emulator.service.everyTurn = { answerStatus: 'completed' }
  const { result } = await interrupt(emulator, CREATE, { fault: { kind: 'delay', ms: 300, when: 'after' } })
  expect(result).toMatchObject({ exitCode: 0, outputs: { outcome: 'pull-request' } })
})
