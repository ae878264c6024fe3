import { expect, test } from 'vitest'
import { createEmulator } from '../../emulator/emulator.ts'
import type { GitHub } from '../../src/github/github.ts'
import { githubOf } from '../helpers/emulated-github.ts'

const NO_LIST = 'one that is no list'
const SOMETHING_ELSE = { kind: 'wrongType', type: 'application/json', body: '{"total":0}' } as const

async function repositoryComments(github: GitHub) {
  for await (const page of github.listRepositoryComments('2020-01-01T00:00:00Z')) return page
  return []
}

test.each<[string, (github: GitHub) => Promise<unknown>]>([
  ['comments of the repository', repositoryComments],
  ['newest comments', (github) => github.recentComments()],
  ['files of a pull request', (github) => github.pullRequestFiles(12, 300)],
  ['pull requests of a commit', (github) => github.pullRequestsOf('a'.repeat(40))],
  ['closed pull requests', (github) => github.closedPullRequests('main', 1)],
])('a list of %s that is no list is an error that people can read', async (_, read) => {
  const emulator = createEmulator()
  emulator.github.addPullRequest({ number: 12 })
  const github = await githubOf(emulator)
  emulator.faults.add({ match: { host: 'github', method: 'GET' }, fault: SOMETHING_ELSE })
  await expect(read(github)).rejects.toThrow(NO_LIST)
})

test('3.9 so is the list that should show whether a lost issue was created', async () => {
  const emulator = createEmulator()
  const github = await githubOf(emulator)
  const lost = { kind: 'status', status: 502, when: 'after' } as const
  emulator.faults.add({ match: { host: 'github', method: 'POST', path: /\/issues$/ }, fault: lost })
  emulator.faults.add({ match: { host: 'github', method: 'GET', path: /\/issues$/ }, fault: SOMETHING_ELSE })
  await expect(github.createIssue('Docs', 'x')).rejects.toThrow(NO_LIST)
  expect(emulator.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
})
