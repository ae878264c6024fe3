import { describe, expect, test } from 'vitest'
import { CODE, codeWorld } from '../helpers/code-world.ts'
import { expectOutcome } from '../helpers/world.ts'

// H1: one thread has one job, also where a request gives its job up while an older one asks it again.

const LATE = { match: { host: 'service', method: 'POST' }, fault: { kind: 'delay', ms: 20_000 } } as const

/** A job of the thread that failed, and an older request on its way to it. */
async function failed(turn: object) {
  const emulator = codeWorld()
  emulator.service.script.push({ ending: 'failed' }, turn)
  expectOutcome(await emulator.ask('/docs explain', { on: CODE, runId: 1 }), 'failed')
  emulator.faults.add(LATE)
  return emulator
}

const jobsOf = (emulator: Awaited<ReturnType<typeof failed>>) => emulator.service.jobs().length

describe('H1 4.10 `conversation: skip` beside a request that asks the failed job again', () => {
  test.each([
    ['and leaves it at work', { durationMs: 600_000 }, 'false', 'job-active'],
    ['whose end the service still shows', { durationMs: 600_000, staleReads: 9 }, 'false', 'job-active'],
    ['and waits for it', { durationMs: 600_000 }, 'true', 'job-active'],
    ['which opens a pull request at once', { durationMs: 1000, pr: 'open' }, 'false', 'pull-request-open'],
  ] as const)('%s: it starts no other job', async (_, turn, wait, reason) => {
    const emulator = await failed(turn)
    const older = emulator.act(emulator.say('/docs list the defaults', { on: CODE }), {
      runId: 2,
      inputs: { wait },
    })
    await emulator.pass(1000)
    const said = emulator.say('/docs shorten it', { on: CODE, by: 'bob' })
    const given = emulator.act(said, { runId: 3, inputs: { conversation: 'skip' } })
    expectOutcome(await given, 'skipped', reason)
    await older
    expect(jobsOf(emulator)).toBe(1)
  })
})
