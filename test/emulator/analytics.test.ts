import { expect, test } from 'vitest'
import type { Emulator } from '../../emulator/emulator.ts'
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
