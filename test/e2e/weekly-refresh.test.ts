import { expect, test } from 'vitest'
import { scheduled } from './helpers/events.ts'
import { expectNothing, expectOutcome, ISSUE, mains, openWorld, promptsOf, told } from './helpers/world.ts'

const EXAMPLE = 'weekly-refresh.yml'
const MONDAY = scheduled('17 6 * * 1')
const vars = { DOCS_AGENT_ISSUE: String(ISSUE) }

test('the most visited pages are refreshed, and nothing is started while that pull request is open', async () => {
  const world = await openWorld()
  const run = await world.run(EXAMPLE, MONDAY, { vars })
  expectOutcome(run, 'pull-request')
  const [visitors] = mains(run)
  const paths = visitors?.outputs['top-paths']?.split('\n') ?? []
  expect([visitors?.step, visitors?.outputs.complete, paths.length]).toEqual([
    'OWNER/docs-agent/visitors@v1',
    'true',
    5,
  ])
  expect(promptsOf(world)).toEqual([[expect.stringContaining(paths.join('\n'))]])
  expect(told(world)).toEqual([expect.stringContaining('octo/app#77')])

  expectOutcome(await world.run(EXAMPLE, MONDAY, { vars }), 'skipped', 'pull-request-open')
  world.emulator.github.closePullRequest(77, { merged: true })
  expectOutcome(await world.run(EXAMPLE, MONDAY, { vars }), 'pull-request')
  expect(promptsOf(world)).toHaveLength(2)
})

test('without visitors there is nothing to ask for', async () => {
  const world = await openWorld()
  world.emulator.service.site = { rows: 0 }
  const run = await world.run(EXAMPLE, MONDAY, { vars })
  expect([run.exitCode, mains(run).map(({ step }) => step)]).toEqual([0, ['OWNER/docs-agent/visitors@v1']])
})

test('without the issue it does not run', async () => {
  const world = await openWorld()
  expectNothing(world, await world.run(EXAMPLE, MONDAY))
})
