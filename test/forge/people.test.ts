import { expect, test } from 'vitest'
import { PEOPLE } from '../../scripts/forge/people.ts'
import { expectOutcome, expectResult } from './helpers/expect.ts'
import { onCommands } from './helpers/workflows.ts'
import { openWorld } from './helpers/world.ts'

test.for(['owner', 'dotted'] as const)('the %s may use it', async (role) => {
  const { people, run, answersIn } = await openWorld([onCommands()])
  const issue = await people.stranger.opensIssue()
  expectOutcome(await run(() => people[role].comments(issue, '/docs explain retries')), {
    outcome: 'pull-request',
  })
  expect((await answersIn(issue))[0]?.body).toContain(`@${PEOPLE[role]}`)
})

test('a stranger may not, and reads why once', async () => {
  const { people, run, answersIn, serviceRequests } = await openWorld([onCommands()])
  // The repository's permissions in an event on this issue are the writer's in some events.
  const issue = await people.writer.opensIssue()
  for (const request of ['/docs explain retries', '/docs please']) {
    const { cause, ...ended } = await run(() => people.stranger.comments(issue, request))
    expectOutcome(ended, { outcome: 'skipped', reason: 'permission-denied' })
    expect(await people.owner.reactionsTo(cause)).toEqual(['confused'])
  }
  expect(await answersIn(issue)).toMatchObject([{ body: expect.stringMatching(/mallory.*write/s) }])
  expect(serviceRequests()).toBe(0)
})

test('a stranger who reviews a writer’s pull request gets nothing from the writer’s permission', async () => {
  const { people, run, serviceRequests } = await openWorld([
    { on: 'pull_request_review_comment', steps: [{ with: { prompt: 'Explain retries.' } }] },
    { on: 'pull_request_review', steps: [{ with: { prompt: 'Explain retries.' } }] },
  ])
  const number = await people.writer.opensPullRequest('retries')
  const review = () => people.stranger.reviews(number, '/docs explain retries')
  expectOutcome(await run(review, 'pull_request_review_comment'), { outcome: 'skipped' })
  expect(serviceRequests()).toBe(0)
})

test('in a private repository, a command works as in a public one, and a merge ends the job’s conversation', async () => {
  const { people, run, answersIn, prompts } = await openWorld([onCommands()], { private: true })
  const issue = await people.owner.opensIssue()
  const first = await run(() => people.writer.comments(issue, '/docs explain retries'))
  const outputs = expectOutcome(first, { outcome: 'pull-request', 'job-action': 'created' })
  expectResult(await answersIn(issue), outputs['pr-link'])
  expect(prompts()).toEqual([[expect.stringContaining('The docs do not mention')]])

  const [pull] = await people.owner.openPullRequests()
  await people.owner.merges(pull?.number ?? 0)
  const second = await run(() => people.writer.comments(issue, '/docs mention the limit'))
  expectOutcome(second, { outcome: 'pull-request', 'job-action': 'created' })
  expect(prompts()).toHaveLength(2)
})
