import { expect, test } from 'vitest'
import { pushed } from './helpers/events.ts'
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

/** The event of a push that merges a new pull request of a fork. */
function merge({ emulator }: Sandbox, number: number, title: string) {
  const patch = `@@ -1 +1 @@\n-a\n+line ${number}`
  const files = [{ filename: 'src/retry.ts', additions: 40, deletions: 2, patch }]
  emulator.github.addPullRequest({ number, title, user: 'dave', files, headRepository: 'dave/app' })
  emulator.github.closePullRequest(number, { merged: true })
  const after = emulator.github.repository(REPOSITORY)?.pulls.get(number)?.mergeCommitSha ?? ''
  emulator.github.setCompare(BEFORE, after, { files, commits: [{ sha: after, message: title }] })
  return pushed({ before: BEFORE, after })
}

test('a merged pull request of a fork gets its docs and a comment', async () => {
  const sandbox = await openSandbox()
  const push = merge(sandbox, 5, 'Add a retry option')
  const step = expectOutcome(await sandbox.run(EXAMPLE, push), 'pull-request')
  expect(step.outputs).toMatchObject({ 'issue-number': '5', 'job-action': 'created' })
  const [[prompt = ''] = []] = promptsOf(sandbox)
  for (const part of [
    'If they would notice nothing, change nothing.',
    'Add a retry option',
    '1 changed file',
    '+line 5',
  ])
    expect(prompt).toContain(part)
  expect(commentsIn(sandbox, 5)).toEqual([expect.stringMatching(/^\*\*✅ .*octo\/app#77/)])
})
