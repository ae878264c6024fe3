import { expect, test } from 'vitest'
import { MAX_PAGES } from '../../src/analytics/client.ts'
import { type Batch, type Limits, listing, type Page, type Row } from '../../src/visitors/rows.ts'
import { row } from './helpers.ts'

const totals = { human: 0, ai: 0, total: 0 }
const rowsFrom = (start: number, count: number): Row[] =>
  Array.from({ length: count }, (_, i) => row(`/${start + i}`, 1))

/** A site of `size` pages, and the offsets that it was asked for. */
function site(size: number, pageSize: number) {
  const offsets: number[] = []
  const read = async (offset: number): Promise<Page> => {
    offsets.push(offset)
    const rows = rowsFrom(offset, Math.max(0, Math.min(pageSize, size - offset)))
    return { totals, rows, hasMore: offset + pageSize < size }
  }
  return { offsets, read }
}

async function all(read: (offset: number) => Promise<Page>, limits: Partial<Limits> = {}): Promise<Batch[]> {
  const batches: Batch[] = []
  const given = { pageSize: 10, maxRows: Number.POSITIVE_INFINITY, ...limits }
  for await (const batch of listing(read, given)) batches.push(batch)
  return batches
}

const pathsOf = (batches: readonly Batch[]) => batches.flatMap(({ rows }) => rows.map(({ path }) => path))

test.each([
  [0, 1],
  [1, 1],
  [9, 1],
  [10, 1],
  [11, 2],
  [100, 10],
  [101, 11],
])('7.1 %i rows take %i requests', async (size, requests) => {
  const { read, offsets } = site(size, 10)
  const batches = await all(read)
  expect(offsets).toEqual(Array.from({ length: requests }, (_, i) => i * 10))
  expect(pathsOf(batches)).toHaveLength(size)
  expect(batches.at(-1)?.complete).toBe(true)
})

test('7.1 no page is asked for before the one before was taken', async () => {
  const { read, offsets } = site(100, 10)
  const pages = listing(read, { pageSize: 10, maxRows: Number.POSITIVE_INFINITY })
  await pages.next()
  await new Promise(setImmediate)
  expect(offsets).toEqual([0])
  await pages.next()
  expect(offsets).toEqual([0, 10])
})

test.each([
  [5, 1, 5, false],
  [10, 1, 10, false],
  [15, 2, 15, false],
  [25, 3, 25, true],
  [26, 3, 25, true],
])('7 with max-rows %i: %i requests, %i rows, complete: %s', async (maxRows, requests, rows, complete) => {
  const { read, offsets } = site(25, 10)
  const batches = await all(read, { maxRows })
  expect(offsets).toHaveLength(requests)
  expect(pathsOf(batches)).toHaveLength(rows)
  expect(batches.at(-1)?.complete).toBe(complete)
})

test('7.3 a path that comes twice is given once and counted, also within one page', async () => {
  const pages = [
    { totals, rows: [row('/a', 1), row('/b', 1), row('/a', 2)], hasMore: true },
    { totals, rows: [row('/b', 3), row('/c', 1)], hasMore: false },
  ]
  const batches = await all(async (offset) => pages[offset / 3] ?? { totals, rows: [], hasMore: false }, {
    pageSize: 3,
  })
  expect(pathsOf(batches)).toEqual(['/a', '/b', '/c'])
  expect(batches.map(({ repeated }) => repeated)).toEqual([1, 1])
})

test('7.3 an empty page that claims more ends it at once', async () => {
  const offsets: number[] = []
  const read = async (offset: number) => {
    offsets.push(offset)
    return { totals, rows: offset === 0 ? rowsFrom(0, 10) : [], hasMore: true }
  }
  await expect(all(read)).rejects.toMatchObject({
    reason: 'bad-response',
    message: expect.stringContaining('page 2 of its results'),
  })
  expect(offsets).toEqual([0, 10])
})

test('7.3 pages that only repeat themselves end it after the third in a row', async () => {
  let requests = 0
  const read = async () => {
    requests++
    return { totals, rows: rowsFrom(0, 10), hasMore: true }
  }
  await expect(all(read)).rejects.toMatchObject({ reason: 'bad-response' })
  expect(requests).toBe(4)
})

test('7.3 rows without end are refused, unless max-rows ends them', async () => {
  let requests = 0
  const read = async (offset: number) => {
    requests++
    return { totals, rows: rowsFrom(offset, 10), hasMore: true }
  }
  await expect(all(read)).rejects.toMatchObject({ reason: 'bad-response' })
  expect(requests).toBe(MAX_PAGES)
  expect(pathsOf(await all(read, { maxRows: 25 }))).toHaveLength(25)
})
