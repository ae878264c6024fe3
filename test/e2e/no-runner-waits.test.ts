import { expect, test } from 'vitest'
import { checked, commented, scheduled } from './helpers/events.ts'
import type { WorkflowRun } from './helpers/log.ts'
import {
  commentsIn,
  expectNothing,
  expectOutcome,
  mainsOf,
  openSandbox,
  promptsOf,
  reactionsTo,
  type Sandbox,
} from './helpers/sandbox.ts'

const EXAMPLE = 'no-runner-waits.yml'

/** The one step of a run, which is a sweep. */
function expectSweep(run: WorkflowRun) {
  const steps = mainsOf(run).map(({ step, annotations }) => ({ step, annotations }))
  expect(run.exitCode, run.text).toBe(0)
  expect(steps).toEqual([{ step: 'OWNER/docs-agent/collect@v1', annotations: [] }])
}

async function start(sandbox: Sandbox): Promise<number> {
  const { event, id } = commented(sandbox, '/docs explain retries')
  const run = await sandbox.run(EXAMPLE, event)
  expectOutcome(run, 'started')
  expect(mainsOf(run)).toHaveLength(1)
  // The agent opens its pull request, and ends.
  sandbox.emulator.service.tick()
  return id
}

test('CI wakes a sweep, which reports the job, sends failures back, and says that checks pass', async () => {
  const sandbox = await openSandbox()
  sandbox.emulator.github.checks.script.push([{ name: 'Links', conclusion: 'failure' }])
  sandbox.emulator.service.everyTurn = { durationMs: 0 }
  const id = await start(sandbox)
  expectSweep(await sandbox.run(EXAMPLE, checked(sandbox, 77)))
  expect(promptsOf(sandbox)).toEqual([
    [expect.stringContaining('explain retries'), expect.stringContaining('Links')],
  ])
  sandbox.emulator.service.tick()
  expectSweep(await sandbox.run(EXAMPLE, checked(sandbox, 77)))
  expect(commentsIn(sandbox)).toEqual([expect.stringMatching(/^\*\*✅ .*octo\/app#77.* for @alice.*passes/)])
  expect(reactionsTo(sandbox, id)).toEqual(['rocket'])
})

test('where no event comes, the schedule does the same', async () => {
  const sandbox = await openSandbox()
  sandbox.emulator.service.everyTurn = { durationMs: 0 }
  await start(sandbox)
  expectSweep(await sandbox.run(EXAMPLE, scheduled('17 6-18 * * 1-5')))
  expect(commentsIn(sandbox)).toEqual([expect.stringMatching(/^\*\*✅ .*octo\/app#77.* for @alice.*passes/)])
})

test.each([
  ['a person', 'carol', {}],
  ['Renovate', 'renovate[bot]', {}],
  ['a fork', 'mintlify[bot]', { head_repository: { full_name: 'mallory/app' } }],
])('CI of %s starts nothing', async (_, user, over) => {
  const sandbox = await openSandbox()
  sandbox.emulator.github.addPullRequest({ number: 30, user })
  expectNothing(sandbox, await sandbox.run(EXAMPLE, checked(sandbox, 30, over)))
})
