import { expect, test } from 'vitest'
import { simulatedClock } from '../../emulator/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import type { Absence } from '../../emulator/service/turn.ts'
import { ask, emulate } from './helpers.ts'

// Answers that are right a while later.

const SHA = 'a'.repeat(40)
const JOB = '/v2/agent/docs/job'

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

test('the comments of a thread that no list shows yet are none', async () => {
  const { app, github } = emulate({ listLag: 10_000 })
  github.addIssue({ number: 1 })
  expect(await app('GET /issues/1/comments')).toMatchObject({ status: 200, list: [] })
})

test.each([
  ['issues', '/issues?state=all', 'number', [77], [77, 78]],
  ['pulls', '/pulls?state=closed', 'merged_at', [], ['2026-01-01T01:00:00Z']],
  ['commit-pulls', `/commits/${SHA}/pulls`, 'number', [], [77]],
  ['review-comments', '/pulls/77/comments', 'body', ['x'], ['x', 'y']],
] as const)('%s lag, and the others do not', async (kind, path, field, before, after) => {
  const { clock, github, listed } = emulate({ listLag: (list) => (list === kind ? 10_000 : 0) })
  github.addPullRequest({ number: 77 })
  github.addReviewComment(77, { login: 'bob', body: 'x' })
  clock.now += 3_600_000
  github.addReviewComment(77, { login: 'bob', body: 'y' })
  github.closePullRequest(77, { merged: true })
  github.setCommitPulls(SHA, [77])
  github.addPullRequest({ number: 78 })
  expect((await listed(path, field)).toSorted()).toEqual(before)
  clock.now += 10_000
  expect((await listed(path, field)).toSorted()).toEqual(after)
})

test('a list of pull requests shows late who is to review one', async () => {
  const { clock, app, github, listed } = emulate({ listLag: 10_000 })
  github.setPermission('dana', 'write')
  github.addPullRequest({ number: 77 })
  clock.now += 60_000
  await app('POST /pulls/77/requested_reviewers', { reviewers: ['dana'] })
  expect(await listed('/pulls', 'requested_reviewers')).toEqual([[]])
  clock.now += 10_000
  expect(await listed('/pulls', 'requested_reviewers')).toMatchObject([[{ login: 'dana' }]])
})

test('checks and statuses appear, and end, as much later as their lists lag', async () => {
  const { clock, app, github } = emulate({ listLag: 10_000 })
  const takesMs = 60_000
  github.addChecks(SHA, [
    { name: 'a', takesMs },
    { name: 'b', kind: 'status', takesMs },
  ])
  const shown = async () => [
    (await app(`GET /commits/${SHA}/check-runs`)).body,
    (await app(`GET /commits/${SHA}/status`)).body,
  ]
  clock.now += 9999
  expect(await shown()).toMatchObject([{ total_count: 0 }, { total_count: 0 }])
  clock.now += 1
  expect(await shown()).toMatchObject([{ check_runs: [{ status: 'queued' }] }, { state: 'pending' }])
  clock.now += 59_999
  expect(await shown()).toMatchObject([{ check_runs: [{ status: 'in_progress' }] }, { state: 'pending' }])
  clock.now += 1
  expect(await shown()).toMatchObject([{ check_runs: [{ status: 'completed' }] }, { state: 'success' }])
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

test.each<[Absence, readonly number[]]>([
  [{}, [404, 200, 200, 200]],
  [{ reads: 2 }, [404, 404, 200, 200]],
  [{ afterReads: 1 }, [200, 404, 200, 200]],
  [{ afterMs: 20_000, reads: 1 }, [200, 200, 404, 200]],
  [{ ms: 15_000 }, [404, 404, 200, 200]],
  [{ afterMs: 5000, ms: 15_000 }, [200, 404, 200, 200]],
])('a job that is there answers 404 for a while (%j), and is found again', async (notFound, statuses) => {
  const { clock, emulator } = emulate()
  emulator.service.script.push({ reads: 1, notFound }, {})
  const { id } = (await ask(emulator, `POST ${JOB}`, { prompt: 'x' })).body
  const read = () => ask(emulator, `GET ${JOB}/${id}`)
  const seen = []
  for (let n = 0; n < 4; n += 1) {
    seen.push(await read())
    clock.now += 10_000
  }
  expect(seen.map(({ status }) => status)).toEqual(statuses)
  // A read that found nothing is none of the turn's.
  expect(seen.flatMap(({ body }) => body.status ?? []).slice(0, 2)).toEqual(['active', 'completed'])
  expect(seen.find(({ status }) => status === 404)?.body).toEqual({ error: 'Job not found' })
  expect((await ask(emulator, `POST ${JOB}/${id}/message`, { prompt: 'y' })).status).toBe(200)
  expect((await read()).status).toBe(200)
})
