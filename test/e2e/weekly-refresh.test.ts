import { expect, test } from 'vitest'
import { scheduled } from './helpers/events.ts'
import {
  commentsIn,
  expectOutcome,
  mainsOf,
  openSandbox,
  promptsOf,
  type Sandbox,
  trackingIssues,
} from './helpers/sandbox.ts'

const EXAMPLE = 'weekly-refresh.yml'
const MONDAY = scheduled('17 6 * * 1')
const DAY_MS = 86_400_000

function merge({ emulator }: Sandbox, number: number, title: string, agoMs: number, user = 'dave'): void {
  const files = [{ filename: `src/${number}.ts`, patch: `@@ -1 +1 @@\n-a\n+line ${number}` }]
  emulator.github.addPullRequest({ number, title, user, files })
  emulator.github.closePullRequest(number, { merged: true, at: Date.now() - agoMs })
}

test('merges and what readers missed go into one prompt, and the result to an issue', async () => {
  const sandbox = await openSandbox()
  merge(sandbox, 20, 'Remove the legacy client', 10 * DAY_MS)
  merge(sandbox, 21, 'Add a retry option', 2 * DAY_MS)
  merge(sandbox, 22, 'Rename the timeout', DAY_MS)
  merge(sandbox, 23, 'Update the docs', DAY_MS, 'mintlify[bot]')
  const run = await sandbox.run(EXAMPLE, MONDAY)
  const { outputs } = expectOutcome(run, 'pull-request')

  const [insights, root, ...others] = mainsOf(run)
  expect([insights?.step, root?.step, others]).toEqual([
    'OWNER/docs-agent/insights@v1',
    'OWNER/docs-agent@v1',
    [],
  ])
  expect(insights?.outputs.complete).toBe('true')
  expect(Number(insights?.outputs.findings)).toBeGreaterThan(0)

  const [[prompt = ''] = []] = promptsOf(sandbox)
  const [request = '', ...parts] = prompt.split('\n=== begin ')
  const reference = parts.join('\n')
  expect(request).not.toContain('retry option')
  for (const part of [
    ': 2\n- #22: Rename the timeout\n- #21: Add a retry option\n',
    'src/21.ts',
    'File: insights.md',
  ])
    expect(reference).toContain(part)
  expect(reference).toContain('Question that the assistant did not answer')
  expect(reference).not.toMatch(/#20|#23/)

  const [issue, ...more] = trackingIssues(sandbox, 'Docs refresh')
  expect([outputs['issue-number'], more]).toEqual([String(issue?.number), []])
  expect(commentsIn(sandbox, issue?.number)).toEqual([
    expect.stringMatching(/^\*\*✅ .* opened \[octo\/app#77\].* for #21 and #22/),
  ])
})

test('without analytics the refresh goes on', async () => {
  const sandbox = await openSandbox()
  merge(sandbox, 21, 'Add a retry option', DAY_MS)
  const analytics = { host: 'service', path: /\/analytics\// } as const
  const refused = { kind: 'status', status: 403, body: { error: 'Not in your plan' } } as const
  sandbox.emulator.faults.add({ match: analytics, fault: refused, times: Number.POSITIVE_INFINITY })
  const run = await sandbox.run(EXAMPLE, MONDAY)
  expectOutcome(run, 'pull-request')
  expect(mainsOf(run)[0]).toMatchObject({
    result: 'failure',
    annotations: [expect.stringContaining('error: ')],
  })
  const [[prompt = ''] = []] = promptsOf(sandbox)
  expect(prompt).toContain('- #21: Add a retry option')
  expect(prompt).not.toContain('File: ')
})

test('a week without merges asks for what readers missed, and a week without either asks nothing', async () => {
  const sandbox = await openSandbox()
  expectOutcome(await sandbox.run(EXAMPLE, MONDAY), 'pull-request')
  const [[prompt = ''] = []] = promptsOf(sandbox)
  expect(prompt).toContain('Question that the assistant did not answer')
  sandbox.emulator.service.readers = { feedback: [], conversations: [], searches: [] }
  const empty = await sandbox.run(EXAMPLE, MONDAY)
  expectOutcome(empty, 'skipped', 'no-changes')
  expect(promptsOf(sandbox)).toEqual([[prompt]])
})
