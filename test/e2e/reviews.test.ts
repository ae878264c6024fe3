import { expect, test } from 'vitest'
import { reviewed } from './helpers/events.ts'
import { commentsIn, expectNothing, expectOutcome, openSandbox, promptsOf } from './helpers/sandbox.ts'

const EXAMPLE = 'comment-command.yml'

test('a review that begins with the command is one request', async () => {
  const sandbox = await openSandbox()
  const { event, number } = reviewed(sandbox, '/docs tighten this')
  expectOutcome(await sandbox.run(EXAMPLE, event), 'pull-request')
  expect(promptsOf(sandbox)).toEqual([[expect.stringContaining('tighten this')]])
  expect(commentsIn(sandbox, number)).toEqual([expect.stringContaining('for @alice')])
})

test('a review that is no command starts nothing at all', async () => {
  const sandbox = await openSandbox()
  expectNothing(sandbox, await sandbox.run(EXAMPLE, reviewed(sandbox, 'Looks good').event))
})
