import { expect, test } from 'vitest'
import { pulled } from './helpers/events.ts'
import { expectNothing, expectOutcome, openSandbox, promptsOf, type Sandbox } from './helpers/sandbox.ts'

const EXAMPLE = 'docs-with-the-code.yml'
const CODE = 30
const file = (filename: string) => ({ filename, patch: `@@ -1 +1 @@\n-a\n+${filename}` })

async function withCode() {
  const sandbox = await openSandbox()
  sandbox.emulator.github.addPullRequest({
    number: CODE,
    user: 'alice',
    labels: ['docs'],
    files: [file('retry.ts')],
  })
  return sandbox
}

const statesOf = ({ emulator: { github } }: Sandbox) =>
  github.statuses(github.pull(CODE).head.sha).map(({ context, state }) => `${context}: ${state}`)

test('a pull request with the label gets its docs, a push sends what it changed, and the end of the code is told', async () => {
  const sandbox = await withCode()
  const { github } = sandbox.emulator
  expectOutcome(await sandbox.run(EXAMPLE, pulled(sandbox, 'opened', CODE)), 'pull-request')
  expect(statesOf(sandbox)).toEqual(['docs: pending', 'docs: success'])
  expect(github.pull(77).requestedReviewers).toEqual(['alice'])

  github.push(CODE, { files: [file('retry.ts'), file('limit.ts')], commit: [file('limit.ts')] })
  expectOutcome(await sandbox.run(EXAMPLE, pulled(sandbox, 'synchronize', CODE)), 'pull-request')
  expect(statesOf(sandbox)).toEqual(['docs: pending', 'docs: success'])
  const [[whole = '', more = ''] = []] = promptsOf(sandbox)
  expect(whole).toContain('+retry.ts')
  expect(more).toContain('+limit.ts')
  expect(more).not.toContain('+retry.ts')

  github.closePullRequest(CODE, { merged: true })
  const closed = await sandbox.run(EXAMPLE, pulled(sandbox, 'closed', CODE))
  expectOutcome(closed, 'skipped', 'pull-request-closed')
  expect(github.comments(77).at(-1)?.body).toContain('octo/app#30 is merged')
})

test.each([
  ['a draft', { draft: true }],
  ['one without the label', { labels: [] }],
  ['one from a fork', { head: { ref: 'code', sha: '1'.repeat(40), repo: { full_name: 'dave/app' } } }],
])('%s starts nothing', async (_, over) => {
  const sandbox = await withCode()
  expectNothing(sandbox, await sandbox.run(EXAMPLE, pulled(sandbox, 'synchronize', CODE, over)))
})
