import { expect, test } from 'vitest'
import { labelled } from './helpers/events.ts'
import { expectNothing, expectOutcome, openWorld, promptsOf, told } from './helpers/world.ts'

const EXAMPLE = 'issue-label.yml'

test('the label asks for the docs of an issue', async () => {
  const world = await openWorld()
  expectOutcome(await world.run(EXAMPLE, labelled('docs')), 'pull-request')
  const [[prompt = ''] = []] = promptsOf(world)
  for (const part of ['that this issue asks for', 'Issue #12: Retries', 'Nobody explains them.'])
    expect(prompt).toContain(part)
  expect(told(world)).toEqual([expect.stringMatching(/octo\/app#77.* for @alice/)])
})

test('another label starts nothing', async () => {
  const world = await openWorld()
  expectNothing(world, await world.run(EXAMPLE, labelled('bug')))
})

test('who may label, but not write, is refused', async () => {
  const world = await openWorld()
  world.emulator.github.setPermission('trudy', { permission: 'read', role_name: 'triage' })
  expectOutcome(await world.run(EXAMPLE, labelled('docs', 'trudy')), 'skipped', 'permission-denied')
  expect(promptsOf(world)).toEqual([])
})
