import { expect, test } from 'vitest'
import type { Emulator } from '../../emulator/emulator.ts'
import type { FeedbackEntry } from '../../emulator/service/analytics/readers.ts'
import { HOSTILE_TEXTS } from '../../emulator/service/analytics/texts.ts'
import { clients, emulate } from './helpers.ts'

const JANUARY = 'dateFrom=2026-01-01&dateTo=2026-01-31'
const KINDS = [
  ['feedback', 'feedback'],
  ['assistant', 'conversations'],
  ['searches', 'searches'],
] as const

type Row = Readonly<Record<string, unknown>>

async function page(emulator: Emulator, path: string, query = '') {
  const { status, body } = await clients(emulator).service(
    'GET',
    `/v1/analytics/docs/${path}?${JANUARY}${query}`,
  )
  expect(status).toBe(200)
  return body
}

/** All rows, as a careful client reads them, and in how many pages; at most `most` of these. */
async function all(emulator: Emulator, path: string, field: string, query = '', most = 20) {
  const rows: Row[] = []
  let cursor: unknown = ''
  for (let pages = 1; ; pages += 1) {
    const body = await page(emulator, path, `${query}${cursor === '' ? '' : `&cursor=${cursor}`}`)
    rows.push(...(body[field] as Row[]))
    cursor = body.nextCursor
    if (path !== 'searches') expect(body.hasMore).toBe(cursor !== null)
    if (cursor === null || pages === most) return { rows, pages }
  }
}

test.each(KINDS)(
  '%s: all pages together hold every row once, with and without a gap',
  async (path, field) => {
    const emulator = await emulate()
    emulator.service.readers = { feedback: 45, conversations: 45, searches: 45 }
    const { rows, pages } = await all(emulator, path, field, '&limit=20')
    expect(new Set(rows.map((row) => row.id ?? row.searchQuery)).size).toBe(45)
    expect(pages).toBe(3)
    emulator.service.readers = { ...emulator.service.readers, paging: 'gap' }
    expect(await all(emulator, path, field, '&limit=20')).toEqual({ rows, pages: 4 })
  },
)

test.each(KINDS)('%s: rows fall into the period, and follow from the seed', async (path, field) => {
  const [one, same, other] = [await emulate(), await emulate(), await emulate({ seed: 2 })]
  const { rows } = await all(one, path, field)
  expect(rows.length).toBeGreaterThan(40)
  for (const { createdAt, timestamp, lastSearchedAt } of rows) {
    const time = createdAt ?? timestamp ?? lastSearchedAt
    if (time) expect(time).toMatch(/^2026-01-(?!31)/)
  }
  expect(await all(same, path, field)).toEqual({ rows, pages: expect.any(Number) })
  expect((await all(other, path, field)).rows).not.toEqual(rows)
})

test.each(KINDS)('%s: cursors that repeat, empty pages and pages without end', async (path, field) => {
  const emulator = await emulate()
  const misbehave = async (paging: 'repeat-cursor' | 'empty-page' | 'endless') => {
    emulator.service.readers = { paging }
    return all(emulator, path, field, '&limit=50', 4)
  }
  expect(await misbehave('endless')).toMatchObject({ pages: 4, rows: { length: 200 } })
  expect((await misbehave('repeat-cursor')).pages).toBe(4)
  const first = await page(emulator, path, '&limit=1')
  expect((await page(emulator, path, `&limit=1&cursor=${first.nextCursor}`)).nextCursor).toBe(
    first.nextCursor,
  )

  emulator.service.readers = { paging: 'empty-page' }
  const empty = await page(emulator, path)
  expect(empty[field]).toEqual([])
  if (path === 'searches') expect(empty.nextCursor).not.toBeNull()
  else expect(empty).toMatchObject({ hasMore: true, nextCursor: null })
})

test.each([
  ['feedback', 'limit=101'],
  ['feedback', 'cursor=what'],
  ['feedback', 'source=other'],
  ['feedback', 'status=pending,other'],
  ['feedback/by-page', 'limit=0'],
  ['assistant', 'limit=1001'],
  ['assistant', 'cursor=01J'],
  ['searches', 'limit=x'],
  ['searches', 'dateFrom=soon'],
  ['views', 'limit=251'],
])('%s refuses %s', async (path, query) => {
  const { service } = clients(await emulate())
  const { status, body } = await service('GET', `/v1/analytics/docs/${path}?${query}`)
  expect([status, body.details]).toEqual([400, [{ message: expect.any(String) }]])
})

test('feedback has the fields of its source, and is filtered by source and status', async () => {
  const emulator = await emulate()
  const { rows } = await all(emulator, 'feedback', 'feedback')
  expect(new Set(rows.map(({ source }) => source)).size).toBe(4)
  for (const row of rows) {
    expect('code' in row).toBe(row.source === 'code_snippet')
    expect('contact' in row).toBe(row.source === 'contextual')
  }
  expect(rows.some(({ contact }) => String(contact).includes('@'))).toBe(true)
  const open = await all(emulator, 'feedback', 'feedback', '&source=contextual&status=pending,in_progress')
  expect(open.rows).toEqual(
    rows.filter(
      ({ source, status }) => source === 'contextual' && /pending|in_progress/.test(String(status)),
    ),
  )
})

test('feedback by page counts the same entries', async () => {
  const emulator = await emulate()
  const { rows } = await all(emulator, 'feedback', 'feedback')
  const { feedback, hasMore } = await page(emulator, 'feedback/by-page', '&limit=100')
  const pages = feedback as { path: string; thumbsDown: number; total: number }[]
  expect(pages.reduce((sum, { total }) => sum + total, 0)).toBe(rows.length)
  expect(pages.reduce((sum, { thumbsDown }) => sum + thumbsDown, 0)).toBe(
    rows.filter(({ helpful }) => helpful === false).length,
  )
  expect([hasMore, pages]).toEqual([false, pages.toSorted((a, b) => b.total - a.total)])
  expect(await page(emulator, 'feedback/by-page')).toMatchObject({ hasMore: true, feedback: { length: 10 } })
})

test('searches are ordered by hits; some were in vain; views are as visitors', async () => {
  const emulator = await emulate()
  const { rows } = await all(emulator, 'searches', 'searches')
  expect(rows).toEqual(rows.toSorted((a, b) => Number(b.hits) - Number(a.hits)))
  expect(rows.filter(({ topClickedPage }) => topClickedPage === null).length).toBeGreaterThan(10)
  expect(await page(emulator, 'searches')).not.toHaveProperty('hasMore')
  expect(await page(emulator, 'views')).toMatchObject({
    totals: {},
    views: { length: 37, 0: { path: expect.any(String), total: expect.any(Number) } },
    hasMore: false,
  })
})

test('readers write every hostile text that there is, and a megabyte where asked to', async () => {
  const emulator = await emulate()
  emulator.service.readers = { searches: 80, conversations: 80 }
  for (const [path, field] of [
    ['searches', 'searchQuery'],
    ['assistant', 'query'],
  ] as const) {
    const { rows } = await all(emulator, path, path === 'assistant' ? 'conversations' : 'searches')
    expect(rows.map((row) => row[field])).toEqual(expect.arrayContaining([...HOSTILE_TEXTS]))
  }
  emulator.service.readers = { feedback: 5, hugeComment: true }
  const [first] = (await all(emulator, 'feedback', 'feedback', '&status=pending')).rows
  expect(String(first?.comment).length).toBeGreaterThan(1_000_000)
})

test('given rows stand as they are, where their time lies in the period', async () => {
  const emulator = await emulate()
  const entry = (id: string, createdAt: string | null): FeedbackEntry => ({
    id,
    path: '/a',
    comment: 'x',
    createdAt,
    source: 'agent',
    status: 'pending',
  })
  emulator.service.readers = {
    feedback: [
      entry('in', '2026-01-01T00:00:00Z'),
      entry('out', '2026-01-31T00:00:00Z'),
      entry('undated', null),
    ],
  }
  expect((await all(emulator, 'feedback', 'feedback')).rows.map(({ id }) => id)).toEqual(['in', 'undated'])
})

test('all analytics share one limit of 100 requests an hour', async () => {
  let now = Date.UTC(2026, 0, 31)
  const emulator = await emulate({ now: () => now })
  const { service } = clients(emulator)
  const paths = ['visitors', 'views', 'feedback', 'feedback/by-page', 'assistant']
  const read = async (path: string) => (await service('GET', `/v1/analytics/docs/${path}`)).status
  for (let i = 0; i < 20; i += 1)
    expect(await Promise.all(paths.map(read))).toEqual([200, 200, 200, 200, 200])
  expect(await read('searches')).toBe(429)
  now += 3_600_001
  expect(await read('searches')).toBe(200)
})
