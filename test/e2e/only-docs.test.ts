import { expect, test } from 'vitest'
import { pulled } from './helpers/events.ts'
import { expectNothing, mainsOf, openSandbox } from './helpers/sandbox.ts'

const DOCS = 77

async function changed(files: readonly string[], user = 'mintlify[bot]') {
  const sandbox = await openSandbox()
  sandbox.emulator.github.addPullRequest({
    number: DOCS,
    user,
    files: files.map((filename) => ({ filename, patch: '@@ -1 +1 @@\n-a\n+b' })),
  })
  return { sandbox, run: await sandbox.run('only-docs.yml', pulled(sandbox, 'opened', DOCS)) }
}

/** More than GitHub lists on a page. */
const MANY = Array.from({ length: 40 }, (_, index) => `docs/${index}.md`)

// What the check says stands in test/house/path-guard.test.ts: act may lose what a script prints right before it ends.
test.each([
  ['passes', 'one page', ['docs/retries.md'], 'success'],
  ['passes', 'many pages', MANY, 'success'],
  ['fails', 'code', ['docs/retries.md', 'src/retry.ts'], 'failure'],
  ['fails', 'code beside many pages', [...MANY, 'src/retry.ts'], 'failure'],
])('the check %s if the agent changes %s', async (_, __, files, result) => {
  const { run } = await changed(files)
  expect(
    mainsOf(run).map((step) => step.result),
    run.text,
  ).toEqual([result])
  expect(run.exitCode).toBe(result === 'success' ? 0 : 1)
})

test('a pull request of a person is not checked', async () => {
  const { sandbox, run } = await changed(['src/retry.ts'], 'alice')
  expectNothing(sandbox, run)
})
