import { expect, test } from 'vitest'
import { expectOutcome } from './helpers/expect.ts'
import { onCommands, type Workflow } from './helpers/workflows.ts'
import { openWorld } from './helpers/world.ts'

const ON_MERGE: Workflow = {
  on: { push: { branches: ['main'] } },
  steps: [{ with: { prompt: 'Bring the docs up to date.', 'poll-interval-seconds': '1' } }],
}

test('the docs follow a merged pull request, and the agent’s own sets nothing off', async () => {
  const { people, run, answersIn, prompts } = await openWorld([ON_MERGE])
  const number = await people.writer.opensPullRequest('retry-option')
  const ended = await run(() => people.owner.merges(number), 'push')
  const outputs = expectOutcome(ended, { outcome: 'pull-request', 'issue-number': String(number) })
  const [[prompt = ''] = []] = prompts()
  for (const part of [
    'Bring the docs up to date.',
    'Add retry-option',
    'It adds retry-option.',
    'retry-option.md',
  ])
    expect(prompt).toContain(part)
  expect(await answersIn(number)).toMatchObject([
    { body: expect.stringContaining(`](${outputs['pr-link']})`) },
  ])

  const [own] = await people.owner.openPullRequests()
  const loop = await run(() => people.owner.merges(own?.number ?? 0), 'push')
  expectOutcome(loop, { outcome: 'skipped', reason: 'agent-pull-request' })
  expect(prompts()).toHaveLength(1)
})

test('a pull request from a fork counts once it is merged; before that, secrets are withheld', async () => {
  const { people, run, prompts, answersIn } = await openWorld([ON_MERGE, onCommands()])
  const number = await people.stranger.opensPullRequest('fork-option', await people.stranger.forks())
  const command = await run(() => people.writer.comments(number, '/docs explain it'))
  expectOutcome(command, { outcome: 'skipped', reason: 'missing-secret' })
  expect(prompts()).toEqual([])

  expectOutcome(await run(() => people.writer.merges(number), 'push'), { outcome: 'pull-request' })
  expect(prompts()).toEqual([[expect.stringContaining('Add fork-option')]])
  expect(await answersIn(number)).toHaveLength(1)
})
