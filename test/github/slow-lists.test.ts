import { expect, test } from 'vitest'
import type { GitHub } from '../../src/github/github.ts'
import { pageOf, type Reply, range, scripted } from './helpers.ts'

const entry = (id: number) => ({
  ...{ id, number: id, body: 'x', issue_url: 'https://api.github.test/repos/octo/app/issues/12' },
})
const TIMED_OUT: Reply = { status: 502, json: { message: 'Server Error' }, takes: 9900 }

async function repositoryComments(github: GitHub) {
  const all: { readonly id: number }[] = []
  for await (const page of github.listRepositoryComments('2026-01-01T00:00:00Z')) all.push(...page)
  return all.map(({ id }) => id)
}

const LISTS: readonly (readonly [string, (github: GitHub) => Promise<readonly number[]>])[] = [
  ['comments', async (github) => (await github.listComments(12)).map(({ id }) => id)],
  ['comments of the repository', repositoryComments],
  ['issues', async (github) => (await github.openIssues()).map(({ number }) => number)],
]

test.each(LISTS)(
  '5.7 a list of %s is read of which each entry takes GitHub a third of a second',
  async (_, read) => {
    const { github } = await scripted((call): Reply => {
      const { entries, headers } = pageOf(call, 100, entry)
      return entries.length > 30 ? TIMED_OUT : { json: entries, headers, takes: 320 * entries.length }
    })
    expect(await read(github)).toEqual(range(1, 100))
  },
)
