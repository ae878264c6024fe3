import { expect, test } from 'vitest'
import { commented, dispatched } from './helpers/events.ts'
import { expectOutcome, ISSUE, openSandbox, promptsOf } from './helpers/sandbox.ts'

const KEY_OF_NEXT_QUARTER = { DOCS_AGENT_API_KEY: 'test-key-of-the-next-quarter' }

test('after the key of a thread is lost, a request by the id of the job brings the conversation back', async () => {
  const sandbox = await openSandbox()
  const first = commented(sandbox, '/docs explain retries')
  const { outputs } = expectOutcome(await sandbox.run('comment-command.yml', first.event), 'pull-request')
  sandbox.emulator.service.apiKey = KEY_OF_NEXT_QUARTER.DOCS_AGENT_API_KEY

  const inputs = { 'job-id': outputs['job-id'] ?? '', 'issue-number': String(ISSUE), prompt: 'Shorten it' }
  const again = await sandbox.run('job-id.yml', dispatched(inputs), { secrets: KEY_OF_NEXT_QUARTER })
  expect(expectOutcome(again, 'pull-request').outputs['job-action']).toBe('continued')
  const next = commented(sandbox, '/docs add an example')
  const third = await sandbox.run('comment-command.yml', next.event, { secrets: KEY_OF_NEXT_QUARTER })
  expect(expectOutcome(third, 'pull-request').outputs['job-action']).toBe('continued')
  expect(promptsOf(sandbox)).toEqual([
    [expect.stringContaining('explain retries'), 'Shorten it', 'add an example'],
  ])
})
