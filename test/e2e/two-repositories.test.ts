import { expect, test } from 'vitest'
import { commented } from './helpers/events.ts'
import { commentsIn, expectOutcome, openSandbox } from './helpers/sandbox.ts'

test('the App’s token serves the thread and the docs’ pull request in the other repository', async () => {
  const token = 'a token for octo/app, octo/docs'
  const sandbox = await openSandbox({ docsRepository: 'octo/docs', tokenCoversDocs: true, token })
  const { event } = commented(sandbox, '/docs explain the new retry option')
  const secrets = { DOCS_APP_KEY: 'test-app-key' }
  const run = await sandbox.run('two-repositories.yml', event, { secrets })
  expect(expectOutcome(run, 'pull-request').outputs).toMatchObject({
    'pr-link': 'https://github.com/octo/docs/pull/77',
    checks: 'success',
  })
  expect(commentsIn(sandbox)).toEqual([expect.stringMatching(/^\*\*✅ .*octo\/docs#77.* for @alice/)])
  const docs = sandbox.emulator.github.repository('octo/docs')
  expect(docs?.pulls.get(77)?.requestedReviewers).toEqual(['alice'])
  expect(docs?.issues.get(77)?.labels).toEqual(['documentation'])
})
