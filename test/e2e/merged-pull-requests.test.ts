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

interface Merged {
  readonly title: string
  readonly user?: string
  readonly file?: string
}

/** Merges a new pull request into main. @returns the commit that the merge leaves there */
function merge({ emulator }: Sandbox, number: number, { title, user = 'dave', file }: Merged): string {
  const files = [
    {
      filename: file ?? `src/${number}.ts`,
      additions: 40,
      deletions: 2,
      patch: `@@ -1 +1 @@\n-a\n+line ${number}`,
    },
  ]
  const headRepository = `${user}/app`
  emulator.github.addPullRequest({ number, title, user, files, ...(user === 'dave' && { headRepository }) })
  emulator.github.closePullRequest(number, { merged: true })
  return emulator.github.repository(REPOSITORY)?.pulls.get(number)?.mergeCommitSha ?? ''
}

/** The event of a push that brings these commits, the newest last. */
function push({ emulator }: Sandbox, commits: readonly string[]) {
  const after = commits.at(-1) ?? ''
  emulator.github.setCompare(BEFORE, after, {
    commits: commits.map((sha) => ({ sha, message: `Commit ${sha.slice(0, 7)}`, login: 'dave' })),
    files: [{ filename: 'src/direct.ts', additions: 1, deletions: 0, patch: '@@ -0,0 +1 @@\n+direct' }],
  })
  return pushed({ before: BEFORE, after })
}

test('a merged pull request of a fork gets its docs and a comment, and a command there continues the job', async () => {
  const sandbox = await openSandbox()
  const commit = merge(sandbox, 5, { title: 'Add a retry option', file: 'src/retry.ts' })
  const step = expectOutcome(await sandbox.run(EXAMPLE, push(sandbox, [commit])), 'pull-request')
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

test('a direct push gets its docs, and the result is in the summary alone', async () => {
  const sandbox = await openSandbox()
  const step = expectOutcome(await sandbox.run(EXAMPLE, push(sandbox, ['2'.repeat(40)])), 'pull-request')
  const [[prompt = ''] = []] = promptsOf(sandbox)
  for (const part of ['Push to main', 'Commit 2222222', 'src/direct.ts (+1 -0)', '+direct'])
    expect(prompt).toContain(part)
  expect(step.summary).toContain('[octo/app#77](https://github.com/octo/app/pull/77)')
  expect(step.outputs).toMatchObject({ 'comment-url': '', 'issue-number': '' })
})

test.each(['mintlify[bot]', 'renovate[bot]'])('the merged pull request of %s is left out', async (user) => {
  const sandbox = await openSandbox()
  const commit = merge(sandbox, 5, { title: 'Update', user })
  expectOutcome(await sandbox.run(EXAMPLE, push(sandbox, [commit])), 'skipped', 'agent-pull-request')
  expect(promptsOf(sandbox)).toEqual([])
  expect(commentsIn(sandbox, 5)).toEqual([])
})
