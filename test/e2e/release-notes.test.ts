import { expect, test } from 'vitest'
import { released } from './helpers/events.ts'
import { expectNothing, expectOutcome, openWorld, promptsOf } from './helpers/world.ts'

const EXAMPLE = 'release-notes.yml'

test('a release becomes a changelog entry, and the summary has the link', async () => {
  const world = await openWorld()
  const step = expectOutcome(await world.run(EXAMPLE, released()), 'pull-request')
  const [[prompt = ''] = []] = promptsOf(world)
  for (const part of ['to the changelog', 'Release: Retries (v2.4.0)', 'New: `retry`.'])
    expect(prompt).toContain(part)
  expect(step.summary).toContain('[octo/app#77](https://github.com/octo/app/pull/77)')
  expect(step.outputs['comment-url']).toBe('')
})

test('a pre-release starts nothing', async () => {
  const world = await openWorld()
  expectNothing(world, await world.run(EXAMPLE, released({ prerelease: true })))
})
