import { expect, test } from 'vitest'
import type { FaultMatch } from '../../emulator/faults.ts'
import { CREATE, expectOutcome, ownWorld, READ, type World } from '../helpers/world.ts'

// Contract 6.2: a run whose host was lost left its request behind, and no sweep comes.

const HOUR = 3_600_000
const WORKS = '⏳ The docs agent is working'

/** alice's run is lost with its host, right at such a request. */
async function lose(emulator: World, match: FaultMatch) {
  const run = emulator.given(emulator.say('/docs explain'), { runId: 1, post: false })
  await emulator.interrupted(run, match, { when: 'after' })
  expect(emulator.bodies()).toEqual([expect.stringContaining(WORKS)])
}

test.each([
  ['a request', '/docs shorten'],
  ['`status`', '/docs status'],
  ['`help`', '/docs help'],
])('6.2 %s reports the end of a job that no run waits for any more', async (_, command) => {
  const emulator = ownWorld()
  await lose(emulator, READ)
  await emulator.pass(2 * HOUR)
  await emulator.ask(command, { by: 'bob', runId: 2 })
  expect(emulator.bodies()[0]).toContain('The docs agent opened')
  expect(emulator.bodies().join()).not.toContain(WORKS)
  expect(emulator.service.jobs()).toHaveLength(1)
})

test('6.2 nobody takes what a run may still hold', async () => {
  const emulator = ownWorld()
  await lose(emulator, READ)
  await emulator.ask('/docs status', { by: 'bob', runId: 2 })
  expect(emulator.bodies()[0]).toContain(WORKS)
})

test('3.2 6.2 `status` says that it is not known whether the agent got a request, before and after it is given up', async () => {
  const emulator = ownWorld()
  await lose(emulator, CREATE)
  for (const runId of [2, 3]) {
    expectOutcome(await emulator.ask('/docs status', { by: 'bob', runId }), 'skipped', 'status')
    expect(emulator.lastWords()).toContain('It is not known whether the agent got the request of `alice`')
    expect(emulator.lastWords()).not.toContain('has no job')
    await emulator.pass(HOUR)
  }
  expect(emulator.bodies().join()).not.toContain(WORKS)
  expect(emulator.promptCounts()).toEqual([1])
})

test('6.2 what cannot be reported now changes nothing for the command that found it', async () => {
  const emulator = ownWorld()
  await lose(emulator, READ)
  await emulator.pass(2 * HOUR)
  emulator.faults.add({ match: READ, fault: { kind: 'status', status: 500 } })
  expectOutcome(await emulator.ask('/docs new shorten', { by: 'bob', runId: 2 }), 'pull-request')
})
