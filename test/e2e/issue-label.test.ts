import { expect, test } from 'vitest'
import { labelled } from './helpers/events.ts'
import { commentsIn, expectNothing, expectOutcome, openSandbox, promptsOf } from './helpers/sandbox.ts'

const EXAMPLE = 'issue-label.yml'

test('the label asks for the docs of an issue', async () => {
  const sandbox = await openSandbox()
  expectOutcome(await sandbox.run(EXAMPLE, labelled('docs')), 'pull-request')
  const [[prompt = ''] = []] = promptsOf(sandbox)
  for (const part of ['that this issue asks for', 'Issue #12: Retries', 'Nobody explains them.'])
    expect(prompt).toContain(part)
  expect(commentsIn(sandbox)).toEqual([expect.stringMatching(/octo\/app#77.* for @alice/)])
})

test('another label starts nothing', async () => {
  const sandbox = await openSandbox()
  expectNothing(sandbox, await sandbox.run(EXAMPLE, labelled('bug')))
})
