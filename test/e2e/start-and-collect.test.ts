import { expect, test } from 'vitest'
import { commented, scheduled } from './helpers/events.ts'
import type { WorkflowRun } from './helpers/log.ts'
import { expectOutcome, ISSUE, mains, openWorld, reactionsTo, told } from './helpers/world.ts'

const EXAMPLE = 'start-and-collect.yml'
const SWEEP = scheduled('7,27,47 * * * *')

/** What the sweep counted; it is a step of the sub-action, and nothing else runs. */
function counted(run: WorkflowRun): Readonly<Record<string, string>> {
  const [step, ...others] = mains(run)
  expect([step?.step, others, run.exitCode]).toEqual(['OWNER/docs-agent/collect@v1', [], 0])
  return step?.outputs ?? {}
}

test('a run starts the job and ends; a sweep reports it once it has ended', async () => {
  const world = await openWorld()
  world.emulator.service.script.push({ reads: 1 })
  const { event, id } = commented(world, '/docs explain retries')
  const start = expectOutcome(await world.run(EXAMPLE, event), 'started')
  expect(reactionsTo(world, id)).toEqual(['eyes'])

  expect(counted(await world.run(EXAMPLE, SWEEP))).toMatchObject({ finished: '0', active: '1', failed: '0' })
  const { result = '', ...counts } = counted(await world.run(EXAMPLE, SWEEP))
  expect(counts).toEqual({ finished: '1', active: '0', failed: '0' })
  expect(JSON.parse(result)).toMatchObject([
    { 'job-id': start.outputs['job-id'], thread: ISSUE, outcome: 'pull-request' },
  ])
  expect(told(world)).toEqual([expect.stringMatching(/^\*\*✅ .*octo\/app#77.* for @alice/)])
  expect(reactionsTo(world, id)).toEqual(['rocket'])
  expect(counted(await world.run(EXAMPLE, SWEEP))).toMatchObject({ finished: '0', active: '0', failed: '0' })
})
