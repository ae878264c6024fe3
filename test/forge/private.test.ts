import { expect, test } from 'vitest'
import { expectOutcome, expectResult } from './helpers/expect.ts'
import { onCommands } from './helpers/workflows.ts'
import { openWorld } from './helpers/world.ts'

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
