import { expect, test } from 'vitest'
import { released } from './helpers/events.ts'
import { expectNothing, expectOutcome, openSandbox, promptsOf } from './helpers/sandbox.ts'

const EXAMPLE = 'release-notes.yml'

test('a release becomes a changelog entry, and the summary has the link', async () => {
  const sandbox = await openSandbox()
  const step = expectOutcome(await sandbox.run(EXAMPLE, released(sandbox)), 'pull-request')
  const [[prompt = ''] = []] = promptsOf(sandbox)
  for (const part of ['to the changelog', 'Release: Retries (v2.4.0)', 'New: `retry`.'])
    expect(prompt).toContain(part)
  expect(step.summary).toContain('[octo/app#77](https://github.com/octo/app/pull/77)')
  expect(step.outputs['comment-url']).toBe('')
})

test('a pre-release starts nothing', async () => {
  const sandbox = await openSandbox()
  expectNothing(sandbox, await sandbox.run(EXAMPLE, released(sandbox, { prerelease: true })))
})
