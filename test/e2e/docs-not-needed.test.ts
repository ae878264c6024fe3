import { expect, test } from 'vitest'
import { pulled } from './helpers/events.ts'
import { expectNothing, mainsOf, openSandbox } from './helpers/sandbox.ts'

const BUMP = 31

async function openedBy(user: string) {
  const sandbox = await openSandbox()
  const { github } = sandbox.emulator
  github.addPullRequest({ number: BUMP, user })
  const run = await sandbox.run('docs-not-needed.yml', pulled(sandbox, 'opened', BUMP))
  const statuses = github.statuses(github.pull(BUMP).head.sha)
  return { sandbox, run, statuses: statuses.map(({ context, state }) => `${context}: ${state}`) }
}

test.each(['dependabot[bot]', 'mintlify[bot]'])('a pull request of %s is green at once', async (login) => {
  const { run, statuses } = await openedBy(login)
  expect([run.exitCode, mainsOf(run).map(({ result }) => result)], run.text).toEqual([0, ['success']])
  expect(statuses).toEqual(['docs: success'])
})

test.each(['alice', 'octo-app[bot]'])('a pull request of %s gets no status', async (login) => {
  const { sandbox, run, statuses } = await openedBy(login)
  expectNothing(sandbox, run)
  expect(statuses).toEqual([])
})
