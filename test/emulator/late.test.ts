import { expect, test } from 'vitest'
import { simulatedClock } from '../../emulator/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { ask, emulate } from './helpers.ts'

// Answers that are right a while later.

test('a list shows what was, and what is read by its own address what is', async () => {
  const { clock, app, github, listed } = emulate({ listLag: 10_000 })
  github.addIssue({ number: 1 })
  const [kept, gone] = ['a', 'b'].map((body) => github.addComment(1, { login: 'bob', body }).id)
  clock.now += 60_000
  expect(await listed('/issues/1/comments', 'body')).toEqual(['a', 'b'])
  await app(`PATCH /issues/comments/${kept}`, { body: 'c' })
  await app(`DELETE /issues/comments/${gone}`)
  const { body: added } = await app('POST /issues/1/comments', { body: 'd' })
  const lists = ['/issues/1/comments', '/issues/comments?sort=updated&direction=asc']
  clock.now += 9999
  for (const list of lists) expect([list, await listed(list, 'body')]).toEqual([list, ['a', 'b']])
  expect((await app(`GET /issues/comments/${kept}`)).body.body).toBe('c')
  expect((await app(`GET /issues/comments/${gone}`)).status).toBe(404)
  expect((await app(`GET /issues/comments/${added.id}`)).status).toBe(200)
  clock.now += 1
  for (const list of lists) expect([list, await listed(list, 'body')]).toEqual([list, ['c', 'd']])
})

test('between two changes a list shows the first one alone', async () => {
  const { clock, github, listed } = emulate({ listLag: 10_000 })
  github.addIssue({ number: 1 })
  github.addComment(1, { login: 'bob', body: 'a' })
  clock.now += 4000
  github.addComment(1, { login: 'bob', body: 'b' })
  clock.now += 6000
  expect(await listed('/issues/1/comments', 'body')).toEqual(['a'])
  clock.now += 4000
  expect(await listed('/issues/1/comments', 'body')).toEqual(['a', 'b'])
})

// Pages are counted anew for each request: docs.github.com/rest/using-the-rest-api/using-pagination-in-the-rest-api
test('a comment that is deleted between two pages moves the later ones to the page before', async () => {
  const { app, github, listed } = emulate()
  github.addIssue({ number: 1 })
  const ids = Array.from({ length: 5 }, () => github.addComment(1, { login: 'bob', body: 'x' }).id)
  const page = (nth: number) => listed(`/issues/1/comments?per_page=2&page=${nth}`, 'id')
  expect(await page(1)).toEqual(ids.slice(0, 2))
  await app(`DELETE /issues/comments/${ids[0]}`)
  expect([await page(2), await page(1)]).toEqual([ids.slice(3, 5), ids.slice(1, 3)])
})

test('a list takes its time for each entry that a page may have, and more than ten seconds for none', async () => {
  const clock = simulatedClock()
  const emulator = createEmulator(clock)
  const times = Number.POSITIVE_INFINITY
  const fault = { kind: 'delay', ms: 0, perEntryMs: 110 } as const
  emulator.faults.add({ match: { method: 'GET', path: /\/pulls$/ }, times, fault })
  const took = async (path: string) => {
    const since = clock.now()
    const { status } = await ask(emulator, `GET /repos/octo/app${path}`)
    return [status, clock.now() - since]
  }
  expect(await took('/pulls?per_page=10')).toEqual([200, 1100])
  expect(await took('/pulls')).toEqual([200, 3300])
  expect(await took('/pulls?per_page=100')).toEqual([504, 10_000])
  expect(await took('/issues?per_page=100')).toEqual([200, 0])
})
