import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { expectOutcome, expectResult } from './helpers/expect.ts'
import { onCommands } from './helpers/workflows.ts'
import { openWorld } from './helpers/world.ts'

/** The head must be quiet for two of the longest pauses. */
const INPUTS = { 'fix-attempts': '1', 'poll-interval-seconds': '15' }
/** Longer than the time between two readings in a row, and much less than the quiet time. */
const LATE_MS = 8000

test('a status that fails late goes back to the agent, whose second commit passes', async () => {
  const { people, runs, repository, prompts, answersIn } = await openWorld([onCommands(INPUTS)], {
    pendingStatus: 'build',
  })
  const headOf = async (number: number) =>
    (await people.owner.api.get<{ head: { sha: string } }>(`/repos/${repository}/pulls/${number}`)).head.sha
  const sets = (sha: string, context: string, state: 'failure' | 'success', description: string) =>
    people.owner.api.post(`/repos/${repository}/statuses/${sha}`, { context, state, description })

  const isPending = async (sha: string) =>
    (await people.owner.api.get<readonly unknown[]>(`/repos/${repository}/commits/${sha}/statuses`)).length >
    0

  const issue = await people.owner.opensIssue()
  const { id } = await runs.startedBy(() => people.writer.comments(issue, '/docs explain retries'))
  const number = await runs.meanwhile(id, async () => (await people.owner.openPullRequests())[0]?.number)
  const first = await headOf(number)
  await sets(first, 'build', 'success', 'it builds')
  await pause(LATE_MS)
  await sets(first, 'site', 'failure', 'retries.md has a broken link')

  await runs.meanwhile(id, () => prompts()[0]?.length === 2)
  const [[, fix = ''] = []] = prompts()
  expect(fix).toMatch(/^Checks of your pull request \S+#\d+ \(\S+\) fail\. Fix what fails/)
  expect(fix).toContain('Status: site (failure)\n\nsite:\n\nretries.md has a broken link')
  // Its commit begins with a pending status, which must not come after the one that the story sets.
  const second = await runs.meanwhile(id, async () => {
    const sha = await headOf(number)
    return sha !== first && (await isPending(sha)) && sha
  })
  await sets(second, 'site', 'success', 'all links work')
  await sets(second, 'build', 'success', 'it builds')

  const outputs = expectOutcome(await runs.ended(id), {
    outcome: 'pull-request',
    checks: 'success',
    fixes: '1',
  })
  const answers = await answersIn(issue)
  expectResult(answers, outputs['pr-link'])
  expect(answers[0]?.body).toContain(', after the agent fixed `site`.')
})
