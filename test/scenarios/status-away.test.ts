import { expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import { CODE, codeWorld, DELIVERED, happens, pushes, SECOND_PUSH, saidOf } from '../helpers/code-world.ts'
import { CREATE, expectOutcome, READ, type World } from '../helpers/world.ts'

// Contract H2, 4.13: a commit status that GitHub does not take holds nothing up.

const STATUS = { host: 'github', method: 'POST', path: /\/statuses\/[\da-f]{40}$/ } as const

const AWAY: [string, Fault, number][] = [
  ['fails', { kind: 'status', status: 502 }, 30],
  ['is reset', { kind: 'reset' }, 30],
  ['never comes', { kind: 'stall' }, 10],
]

test.each(AWAY)(
  'H2 4.13 the answer about the pending status %s: the thread has the job at once',
  async (_, fault, times) => {
    const emulator = codeWorld()
    const { now } = emulator.settings
    let acceptedAt = 0
    let readAt = 0
    let known: readonly (string | undefined)[] = []
    const accepts = () => {
      acceptedAt = now()
    }
    const look = () => {
      readAt = now()
      known = emulator.records(CODE).map((record) => ('job' in record ? record.job?.id : undefined))
    }
    emulator.faults.add({ match: CREATE, fault: { kind: 'call', when: 'after', call: accepts } })
    emulator.faults.add({ match: READ, fault: { kind: 'call', call: look } })
    const struck = emulator.faults.add({ match: STATUS, times, fault })
    const run = await emulator.ask('/docs explain', {
      on: CODE,
      inputs: { 'commit-status': 'docs', 'timeout-minutes': '1' },
    })
    struck.remove()
    expectOutcome(run, 'pull-request')
    expect(known).toEqual([run.outputs['job-id']])
    expect(readAt - acceptedAt).toBeLessThan(20_000)
  },
)

const QUICK = { 'commit-status': 'docs', 'poll-interval-seconds': '1' }

test.each<[string, (emulator: World) => Promise<unknown>]>([
  ['a command', (emulator) => emulator.ask('/docs explain', { on: CODE, inputs: QUICK })],
  ['an event', (emulator) => happens(emulator, 'opened', { inputs: QUICK })],
  ['a push', (emulator) => pushes(emulator, SECOND_PUSH, { inputs: QUICK })],
])('H5 4.13 of %s, a pending status that GitHub takes late comes before the end', async (_, happen) => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 0 })
  emulator.faults.add({ match: STATUS, fault: { kind: 'delay', ms: 9000 } })
  await happen(emulator)
  expect(saidOf(emulator)).toEqual(['pending: The docs agent is working', DELIVERED])
})
