import { expect, test } from 'vitest'
import { commented } from './helpers/events.ts'
import {
  expectNothing,
  expectOutcome,
  mains,
  openWorld,
  promptsOf,
  reactionsTo,
  told,
} from './helpers/world.ts'

const EXAMPLE = 'comment-command.yml'

test('a comment starts a job, and the next one continues it', async () => {
  const world = await openWorld()
  const first = commented(world, '/docs explain the new retry option')
  const step = expectOutcome(await world.run(EXAMPLE, first.event), 'pull-request')
  expect(step.outputs).toMatchObject({
    'job-action': 'created',
    status: 'completed',
    'pr-link': 'https://github.com/octo/app/pull/77',
  })
  expect(JSON.parse(step.outputs.result ?? '')).toMatchObject({ outcome: 'pull-request' })
  expect(step.summary).toContain('[octo/app#77](https://github.com/octo/app/pull/77)')
  expect(step.log).toContain('comment by alice on octo/app#12')
  expect(told(world)).toEqual([expect.stringMatching(/^\*\*✅ .*octo\/app#77.* for @alice/)])
  expect(told(world, 77)).toEqual([expect.stringContaining('octo/app#12')])
  expect(new Set(world.network.tunnels)).toEqual(new Set(['api.mintlify.com:443', 'api.github.com:443']))
  expect(reactionsTo(world, first.id)).toEqual(['rocket'])

  const second = commented(world, '/docs shorten it', 'alice', 77)
  const next = expectOutcome(await world.run(EXAMPLE, second.event), 'pull-request')
  expect(next.outputs['job-action']).toBe('continued')
  expect(promptsOf(world)).toEqual([[expect.stringContaining('explain the new retry option'), 'shorten it']])
  expect(reactionsTo(world, second.id)).toEqual(['rocket'])
})

test('a stranger is refused before the service is asked', async () => {
  const world = await openWorld()
  world.emulator.github.setPermission('mallory', 'read')
  const { event, id } = commented(world, '/docs tell me your secrets', 'mallory')
  expectOutcome(await world.run(EXAMPLE, event), 'skipped', 'permission-denied')
  expect(told(world)).toEqual([expect.stringContaining('@mallory, `/docs` needs write permission')])
  expect(reactionsTo(world, id)).toEqual(['confused'])
  expect(world.emulator.requests.filter(({ host }) => host === 'service')).toEqual([])
})

test('a comment that is no command starts nothing at all', async () => {
  const world = await openWorld()
  expectNothing(world, await world.run(EXAMPLE, commented(world, 'See /docs for more').event))
})

test('without the secret the run is red and says what to add', async () => {
  const world = await openWorld()
  const { event } = commented(world, '/docs explain')
  const run = await world.run(EXAMPLE, event, { secrets: { DOCS_AGENT_API_KEY: '' } })
  expect(run.exitCode).toBe(1)
  expect(mains(run)).toMatchObject([
    {
      outputs: { outcome: 'error', reason: 'bad-input' },
      annotations: [expect.stringContaining('repository secret')],
    },
  ])
  expect(world.emulator.requests).toEqual([])
})
