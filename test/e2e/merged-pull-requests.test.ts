import { expect, test } from 'vitest'
import { closed } from './helpers/events.ts'
import { expectNothing, expectOutcome, openWorld, promptsOf, told, type World } from './helpers/world.ts'

const EXAMPLE = 'merged-pull-requests.yml'
const NUMBER = 5

function addPull({ emulator }: World, merged: boolean, user = 'dave'): void {
  const files = [{ filename: 'src/retry.ts', additions: 40, deletions: 2, patch: '@@ -1 +1 @@\n-a\n+retry' }]
  emulator.github.addPullRequest({ number: NUMBER, title: 'Add a retry option', user, files })
  emulator.github.closePullRequest(NUMBER, { merged })
}

test('the docs follow a merged pull request, and its thread is told', async () => {
  const world = await openWorld()
  addPull(world, true)
  const run = await world.run(EXAMPLE, closed(NUMBER, { merged: true, author: 'dave' }))
  expectOutcome(run, 'pull-request')
  const [[prompt = ''] = []] = promptsOf(world)
  for (const part of [
    'where they would notice nothing',
    'Add a retry option',
    'src/retry.ts (+40 -2)',
    '+retry',
  ])
    expect(prompt).toContain(part)
  expect(told(world, NUMBER)).toEqual([expect.stringContaining('octo/app#77')])
})

test('one that was closed without a merge starts nothing', async () => {
  const world = await openWorld()
  addPull(world, false)
  expectNothing(world, await world.run(EXAMPLE, closed(NUMBER, { merged: false, author: 'dave' })))
})

test('the agent’s own are not followed', async () => {
  const world = await openWorld()
  addPull(world, true, 'mintlify[bot]')
  const run = await world.run(EXAMPLE, closed(NUMBER, { merged: true, author: 'mintlify[bot]' }))
  expectOutcome(run, 'skipped', 'agent-pull-request')
  expect(promptsOf(world)).toEqual([])
})
