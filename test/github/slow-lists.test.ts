import { expect, test } from 'vitest'
import type { GitHub } from '../../src/github/github.ts'
import { thrownBy } from '../helpers/agent.ts'
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

test.each(LISTS)('5.7 so is one of %s of which a page takes GitHub too long at first', async (_, read) => {
  let isCold = true
  const { github } = await scripted((call): Reply => {
    const { page, entries, headers } = pageOf(call, 75, entry)
    if (page === 2 && isCold) {
      isCold = false
      return TIMED_OUT
    }
    return { json: entries, headers }
  })
  expect(await read(github)).toEqual(range(1, 75))
})

test('5.1 a list that leads on by cursors is read to its end, and once', async () => {
  const at = (cursor: number) => `https://api.github.test/repos/octo/app/issues?per_page=30&after=c${cursor}`
  const { github, calls } = await scripted(({ path }) => {
    const cursor = Number(/after=c(\d)/.exec(path)?.[1] ?? 0)
    const headers = { link: `<${at(Math.min(cursor + 1, 2))}>; rel="next"` }
    return { json: [{ number: cursor + 1 }], headers }
  })
  expect((await github.openIssues()).map(({ number }) => number)).toEqual([1, 2, 3])
  expect(calls).toHaveLength(3)
})

test('5.7 a page that never comes is tried for two minutes', async () => {
  const { github, passed } = await scripted(() => ({ takes: 60_000, json: [] }))
  const detail = 'no answer within 10 s'
  expect(await thrownBy(github.listComments(12))).toMatchObject({ kind: 'away', detail })
  expect(passed()).toBeGreaterThanOrEqual(120_000)
  expect(passed()).toBeLessThanOrEqual(130_000)
})
