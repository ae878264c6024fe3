import { expect, test } from 'vitest'
import type { Fault, FaultMatch } from '../../emulator/faults.ts'
import { type RunResult, startAction } from '../../emulator/runner.ts'
import { CREATE, errorsOf, ISSUE, READ, type World, world } from '../helpers/world.ts'

interface Cancelled {
  readonly result: RunResult
  /** From the first signal to the end of the main step, in ms on the clock of the world. */
  readonly took: number
}

/** Alice asks; the run gets the signal when the request of this kind comes in, which then meets the fault. */
async function interrupt(
  emulator: World,
  match: FaultMatch,
  { signal = 'SIGINT', fault, second }: Interruption = {},
): Promise<Cancelled> {
  const { faults, settings } = emulator
  let [at, took] = [0, 0]
  const running = startAction(emulator.given(emulator.say('/docs Explain retries')))
  running.child.once('exit', () => {
    took = settings.now() - at
  })
  const call = () => {
    at = settings.now()
    running.kill(signal)
  }
  faults.add({ match, fault: { kind: 'call', call } })
  if (fault !== undefined) faults.add({ match, times: Number.POSITIVE_INFINITY, fault })
  const again = () => void running.kill('SIGTERM')
  if (second !== undefined) {
    faults.add({ match: second, skip: 1, fault: { kind: 'call', when: 'after', call: again } })
  }
  return { result: await running.done, took }
}

interface Interruption {
  readonly signal?: NodeJS.Signals
  readonly fault?: Fault
  /** After the second such request the runner sends its second signal. */
  readonly second?: FaultMatch
}

/** Waiting was cancelled, the job goes on, and this is how to pick it up: said everywhere, once. */
function cancelled(emulator: World, { result, took }: Cancelled): void {
  expect(took).toBeLessThan(5000)
  goesOn(emulator, result)
}

function goesOn(emulator: World, result: RunResult): void {
  const id = emulator.service.jobs()[0]?.id ?? ''
  expect(result).toMatchObject({ exitCode: 1, signal: null })
  expect(result.outputs).toMatchObject({
    outcome: 'cancelled',
    reason: '',
    'job-id': id,
    'job-action': 'created',
  })
  expect(emulator.bodies()).toEqual([
    expect.stringMatching(
      `^\\*\\*⏹️ The run was cut short; the job \`${id}\` goes on\\*\\*, @alice\\.\\nComment \`/docs status\`.*\\[re-run the workflow\\].* to follow the same job again`,
    ),
  ])
  expect(errorsOf(result)).toEqual([expect.stringContaining(`the job ${id} goes on`)])
  expect(result.summary).toMatch(/^## ⏹️ The run was cut short/)
  expect(result.post?.log).toBe('')
  // The status comment, and what is said now, so that people are notified (5.4).
  expect(emulator.calls('github').filter((call) => /^POST .*\/comments$/.test(call))).toHaveLength(2)
  expect(emulator.service.jobs()).toHaveLength(1)
}

test('6.1 the second signal, which the runner sends to a step that still runs, finds all said', async () => {
  const emulator = world()
  const second = { host: 'github', method: 'POST', path: /comments$/ } as const
  cancelled(emulator, await interrupt(emulator, READ, { second }))
})

test.each(['SIGINT', 'SIGTERM'] as const)(
  '5.3 6.1 %s while the bundle waits for the job',
  { tags: 'bundle' },
  async (signal) => {
    const emulator = world({ docsRepository: 'octo/app' })
    emulator.service.everyTurn = { ending: 'active-forever' }
    const { result } = await interrupt(emulator, READ, { signal })
    goesOn(emulator, result)
    expect(emulator.records()).toMatchObject([{ state: 'running', leaseMs: 0 }])
    const [said] = emulator.github.comments(ISSUE)
    expect(emulator.reactions(said?.id ?? 0)).toEqual(['confused'])

    const next = await emulator.act(emulator.say('/docs shorten'), { runId: 2, inputs: { wait: 'false' } })
    expect(next.outputs['job-action']).toBe('continued')
    expect(emulator.service.jobs()).toHaveLength(1)
  },
)

test('6.1 SIGINT while a read stalls', { tags: 'bundle' }, async () => {
  const emulator = world()
  emulator.service.everyTurn = { ending: 'active-forever' }
  const ended = await interrupt(emulator, READ, { fault: { kind: 'stall' } })
  cancelled(emulator, ended)
  expect(ended.took).toBeLessThan(3000)
})

test('6.1 SIGINT during the request that creates the job: its answer is awaited, the id is not lost', async () => {
  const emulator = world()
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
  { tags: 'bundle' },
  async (_, when, jobs) => {
    const emulator = world()
    const { result, took } = await interrupt(emulator, CREATE, { fault: { kind: 'stall', when } })
    expect(took).toBeLessThan(5000)
    expect(took).toBeGreaterThan(2500)
    expect(result).toMatchObject({ exitCode: 1, outputs: { outcome: 'error', reason: 'creation-uncertain' } })
    expect(emulator.bodies()).toEqual([
      expect.stringMatching(/^\*\*❌ It is not known whether a job was started/),
    ])
    expect(emulator.service.jobs()).toHaveLength(jobs)
    expect(emulator.calls('service')).toHaveLength(1)
  },
)

test('6.1 SIGINT between two tries of create: nothing was asked, and nothing more is', async () => {
  const emulator = world()
  const fault: Fault = { kind: 'status', status: 429, headers: { 'retry-after': '60' } }
  const { result, took } = await interrupt(emulator, CREATE, { fault })
  expect(took).toBeLessThan(3000)
  expect(result.outputs).toMatchObject({ outcome: 'cancelled', 'job-id': '', 'job-action': 'none' })
  expect(emulator.bodies()[0]).toContain('cut short before it asked the docs agent')
  expect(emulator.calls('service')).toHaveLength(1)
})

test('6.1 a job that has ended by then is reported as ended', async () => {
  const emulator = world()
  emulator.service.everyTurn = { answerStatus: 'completed' }
  const { result } = await interrupt(emulator, CREATE, { fault: { kind: 'delay', ms: 300, when: 'after' } })
  expect(result).toMatchObject({ exitCode: 0, outputs: { outcome: 'pull-request' } })
})
