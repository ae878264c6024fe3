import { expect, test } from 'vitest'
import { createEmulator } from '../../emulator/emulator.ts'
import type { Forge } from '../../src/github/forge.ts'
import { forgeOf } from '../trigger/helpers.ts'

const NO_LIST = 'one that is no list'
const SOMETHING_ELSE = { kind: 'wrongType', type: 'application/json', body: '{"total":0}' } as const

async function repositoryComments(forge: Forge) {
  for await (const page of forge.listRepositoryComments('2020-01-01T00:00:00Z')) return page
  return []
}

test.each<[string, (forge: Forge) => Promise<unknown>]>([
  ['comments of the repository', repositoryComments],
  ['newest comments', (forge) => forge.recentComments()],
  ['files of a pull request', (forge) => forge.pullRequestFiles(12, 300)],
  ['pull requests of a commit', (forge) => forge.pullRequestsOf('a'.repeat(40))],
  ['closed pull requests', (forge) => forge.closedPullRequests('main', 1)],
])('a list of %s that is no list is an error that people can read', async (_, read) => {
  const emulator = createEmulator()
  emulator.github.addPullRequest({ number: 12 })
  const forge = await forgeOf(emulator)
  emulator.faults.add({ match: { host: 'github', method: 'GET' }, fault: SOMETHING_ELSE })
  await expect(read(forge)).rejects.toThrow(NO_LIST)
})

test('3.9 so is the list that should show whether a lost issue was created', async () => {
  const emulator = createEmulator()
  const forge = await forgeOf(emulator)
  const lost = { kind: 'status', status: 502, when: 'after' } as const
  emulator.faults.add({ match: { host: 'github', method: 'POST', path: /\/issues$/ }, fault: lost })
  emulator.faults.add({ match: { host: 'github', method: 'GET', path: /\/issues$/ }, fault: SOMETHING_ELSE })
  await expect(forge.createIssue('Docs', 'x')).rejects.toThrow(NO_LIST)
  expect(emulator.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
})
