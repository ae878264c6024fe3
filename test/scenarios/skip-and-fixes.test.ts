import { expect, test } from 'vitest'
import type { RunResult } from '../../emulator/runner.ts'
import { fixes } from '../helpers/checked-world.ts'
import { CODE, codeWorld, happens, INPUTS, saidOf, WRITES } from '../helpers/code-world.ts'
import type { World } from '../helpers/world.ts'

// Contract 3.2, 4.12: a fix asks the agent, so a skip that stands stops it.

const FIXING = { ...INPUTS, 'fix-attempts': '2' }
const CHECKS = { host: 'github', method: 'GET', path: /\/check-runs$/ } as const

/** The checks of the docs fail, and as they are read, something happens. */
function meanwhile(happening: (emulator: World) => Promise<unknown>): World {
  const emulator = codeWorld({ docsRepository: 'octo/app', permissions: { ...WRITES, checks: 'read' } })
  emulator.github.checks.script.push([{ name: 'build', conclusion: 'failure' }], [{ name: 'build' }])
  emulator.service.everyTurn = { reads: 0 }
  const call = async () => void (await happening(emulator))
  emulator.faults.add({ match: CHECKS, fault: { kind: 'call', when: 'before', call } })
  return emulator
}

const says =
  (reason: string, on = CODE) =>
  (emulator: World) =>
    emulator.ask(`/docs skip${reason}`, { on, by: 'bob', runId: 900, inputs: { 'commit-status': 'docs' } })

test.each<[string, string, string]>([
  ['without a reason', '', 'no documentation is needed. bob says so'],
  ['with a reason', ' because only the tests change', 'bob says so: only the tests change'],
  ['with a reason that Markdown reads', ' because of *the* @team', 'bob says so: `*the* @team`'],
])('3.2 4.12 skipped %s while the checks run, no failure goes back', async (_, reason, words) => {
  const emulator = meanwhile(says(reason))
  const { outputs, log } = await happens(emulator, 'opened', { inputs: FIXING })
  expect(outputs).toMatchObject({ outcome: 'pull-request', checks: 'failure', fixes: '0' })
  expect(fixes(emulator)).toEqual([])
  expect(emulator.bodies(CODE).join()).toContain(words)
  expect(log).toContain('No further failures go back: no documentation is needed.')
  expect(saidOf(emulator).at(-1)).toMatch(/^success: Skipped by bob/)
})

test.each<[string, (emulator: World) => Promise<RunResult>]>([
  ['a status', (emulator) => emulator.ask('/docs status', { on: CODE, by: 'bob', runId: 900 })],
  ['a skip by a stranger', (emulator) => emulator.ask('/docs skip', { on: CODE, by: 'mona', runId: 900 })],
])('4.12 %s stops no fix', async (_, comes) => {
  const emulator = meanwhile(comes)
  const { outputs } = await happens(emulator, 'opened', { inputs: FIXING })
  expect(outputs).toMatchObject({ checks: 'success', fixes: '1' })
})

test('4.12 nor does a skip after which somebody asked again', async () => {
  const emulator = meanwhile(async () => undefined)
  await says('')(emulator)
  const inputs = { 'fix-attempts': '2' }
  const { outputs } = await emulator.ask('/docs explain', { on: CODE, inputs })
  expect(outputs).toMatchObject({ checks: 'success', fixes: '1' })
})
