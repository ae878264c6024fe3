import { expect, test } from 'vitest'
import { expectOutcome } from './helpers/expect.ts'
import { onCommands } from './helpers/workflows.ts'
import { openWorld } from './helpers/world.ts'

interface Status {
  readonly context: string
  readonly status: string
  readonly target_url: string
}

test('a command on a pull request leaves its verdict as a commit status', async () => {
  const permissions = { issues: 'write', 'pull-requests': 'write', contents: 'write' }
  const onStatus = { ...onCommands({ 'commit-status': 'docs' }), permissions }
  const { people, run, repository } = await openWorld([onStatus])
  const number = await people.writer.opensPullRequest('retry-option')
  const ended = await run(() => people.writer.comments(number, '/docs explain retries'))
  const outputs = expectOutcome(ended, { outcome: 'pull-request' })
  const pull = await people.owner.api.get<{ head: { sha: string } }>(`/repos/${repository}/pulls/${number}`)
  const statuses = await people.owner.api.get<readonly Status[]>(
    `/repos/${repository}/commits/${pull.head.sha}/statuses?sort=oldest`,
  )
  const own = statuses.filter(({ context }) => context === 'docs')
  expect(own.map(({ status }) => status).toSorted()).toEqual(['pending', 'success'])
  const success = own.find(({ status }) => status === 'success')
  expect(success?.target_url).toBe(outputs['pr-link'])
})
