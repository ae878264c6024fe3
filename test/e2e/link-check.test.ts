import { expect, test } from 'vitest'
import { scheduled } from './helpers/events.ts'
import {
  commentsIn,
  expectNothing,
  expectOutcome,
  mainsOf,
  openSandbox,
  promptsOf,
  trackingIssues,
} from './helpers/sandbox.ts'

const EXAMPLE = 'link-check.yml'
const MONDAY = scheduled('43 6 * * 1')
const BROKEN = {
  'docs/guide.md': 'See [retries](./retries.md) and [the start](./start.mdx).\n',
  'docs/start.mdx': '# Start\n',
}
const WORKING = { ...BROKEN, 'docs/retries.md': '# Retries\n' }

test('the report of the link checker goes to the agent, and the result to an issue', async () => {
  const sandbox = await openSandbox()
  const step = expectOutcome(await sandbox.run(EXAMPLE, MONDAY, { files: BROKEN }), 'pull-request')
  const [issue, ...others] = trackingIssues(sandbox, 'Docs links')
  expect([step.outputs['issue-number'], others]).toEqual([String(issue?.number), []])
  const [[prompt = ''] = []] = promptsOf(sandbox)
  expect(prompt).toMatch(
    /Fix the broken links.*\n=== begin (\w+)\n.*File: link-check\.md.*<\.\/retries\.md> in docs\/guide\.md.*\n=== end \1/s,
  )
  expect(prompt).not.toContain('start.mdx')
  expect(commentsIn(sandbox, issue?.number)).toEqual([expect.stringMatching(/^\*\*✅ .*octo\/app#77/)])
})

test.each([
  ['no link is broken', WORKING, '0'],
  ['the checker itself fails', { ...BROKEN, 'lychee.toml': '[' }, '3'],
])('the agent is not asked when %s', async (_, files, exitCode) => {
  const sandbox = await openSandbox()
  const run = await sandbox.run(EXAMPLE, MONDAY, { files })
  const outputs = mainsOf(run).flatMap((step) => Object.entries(step.outputs))
  expect(outputs).toEqual([['exit_code', exitCode]])
  expectNothing(sandbox, { ...run, steps: [] })
})
