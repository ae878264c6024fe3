import { expect, test } from 'vitest'
import { commented, pushed } from './helpers/events.ts'
import {
  commentsIn,
  expectOutcome,
  openSandbox,
  promptsOf,
  REPOSITORY,
  type Sandbox,
} from './helpers/sandbox.ts'

const EXAMPLE = 'merged-pull-requests.yml'
const BEFORE = '1'.repeat(40)

/** The event of a push that merges a new pull request, of a fork where a person opened it. */
function merge({ emulator }: Sandbox, number: number, title: string, user = 'dave') {
  const patch = `@@ -1 +1 @@\n-a\n+line ${number}`
  const files = [{ filename: 'src/retry.ts', additions: 40, deletions: 2, patch }]
  const headRepository = `${user}/app`
  emulator.github.addPullRequest({ number, title, user, files, ...(user === 'dave' && { headRepository }) })
  emulator.github.closePullRequest(number, { merged: true })
  const after = emulator.github.repository(REPOSITORY)?.pulls.get(number)?.mergeCommitSha ?? ''
  emulator.github.setCompare(BEFORE, after, { commits: [{ sha: after, message: title }] })
  return pushed({ before: BEFORE, after })
}

test('a merged pull request of a fork gets its docs and a comment, and a command there continues the job', async () => {
  const sandbox = await openSandbox()
  const push = merge(sandbox, 5, 'Add a retry option')
  const step = expectOutcome(await sandbox.run(EXAMPLE, push), 'pull-request')
  expect(step.outputs).toMatchObject({ 'issue-number': '5', 'job-action': 'created' })
  const [[prompt = ''] = []] = promptsOf(sandbox)
  for (const part of [
    'If they would notice nothing, change nothing.',
    'Add a retry option',
    'src/retry.ts (+40 -2)',
    '+line 5',
  ])
    expect(prompt).toContain(part)
  expect(commentsIn(sandbox, 5)).toEqual([expect.stringMatching(/^\*\*✅ .*octo\/app#77/)])

  const { event } = commented(sandbox, '/docs shorten it', 'alice', 5)
  const next = expectOutcome(await sandbox.run('comment-command.yml', event), 'pull-request')
  expect(next.outputs).toMatchObject({
    'job-action': 'continued',
    'job-id': step.outputs['job-id'],
    'pr-link': step.outputs['pr-link'],
  })
  expect(promptsOf(sandbox)).toEqual([[prompt, 'shorten it']])
})

test.each(['mintlify[bot]', 'renovate[bot]'])('the merged pull request of %s is left out', async (user) => {
  const sandbox = await openSandbox()
  const push = merge(sandbox, 5, 'Update', user)
  expectOutcome(await sandbox.run(EXAMPLE, push), 'skipped', 'agent-pull-request')
  expect(promptsOf(sandbox)).toEqual([])
  expect(commentsIn(sandbox, 5)).toEqual([])
})
