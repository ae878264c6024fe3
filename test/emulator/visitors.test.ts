import { expect, test } from 'vitest'
import type { Emulator } from '../../emulator/emulator.ts'
import type { VisitorsPage } from '../../emulator/service/visitors.ts'
import { clients, emulate } from './helpers.ts'

const JANUARY = 'dateFrom=2026-01-01&dateTo=2026-01-31'

async function page(emulator: Emulator, query: string): Promise<VisitorsPage> {
  const { body } = await clients(emulator).service('GET', `/v1/analytics/docs/visitors?${query}`)
  return body as unknown as VisitorsPage
}

test('all pages together hold every row once, most visited first', async () => {
  const emulator = await emulate()
  emulator.service.site = { rows: 120 }
  const pages = await Promise.all([0, 50, 100].map((offset) => page(emulator, `${JANUARY}&offset=${offset}`)))
  expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, false])
  const rows = pages.flatMap(({ visitors }) => visitors)
  expect(new Set(rows.map(({ path }) => path)).size).toBe(120)
  expect(rows).toEqual(rows.toSorted((a, b) => b.total - a.total))
  expect(rows.map(({ path }) => path)).toContain('=cmd()')
  const totals = pages[0]?.totals ?? { human: 0, ai: 0, total: 0 }
  expect(totals.total).toBeLessThan(totals.human + totals.ai)
})

test('figures follow from seed and period alone', async () => {
  const [one, same, other] = [await emulate(), await emulate(), await emulate({ seed: 2 })]
  const first = await page(one, JANUARY)
  expect(await page(same, JANUARY)).toEqual(first)
  expect(await page(other, JANUARY)).not.toEqual(first)
  expect(await page(one, 'dateFrom=2025-12-02&dateTo=2026-01-01')).not.toEqual(first)
})

test('shifting rows repeat, endless pages never end, empty pages claim more', async () => {
  const emulator = await emulate()
  emulator.service.site = { rows: 20, shiftEvery: 1 }
  const [first, second] = [
    await page(emulator, `${JANUARY}&limit=10`),
    await page(emulator, `${JANUARY}&limit=10&offset=10`),
  ]
  expect(second.visitors[0]).toEqual(first.visitors[9])
  emulator.service.site = { rows: 20, endless: true }
  expect(await page(emulator, `${JANUARY}&offset=20000`)).toMatchObject({ hasMore: true })
  emulator.service.site = { rows: 20, emptyPage: true }
  expect(await page(emulator, JANUARY)).toMatchObject({ hasMore: true, visitors: [] })
})

test.each(['limit=251', 'limit=0', 'offset=-1', 'dateFrom=soon', 'dateFrom=2026-02-30T99:00'])(
  '%s is refused',
  async (query) => {
    const { service } = clients(await emulate())
    const { status, body } = await service('GET', `/v1/analytics/docs/visitors?${query}`)
    expect(status).toBe(400)
    expect(body.details).toHaveLength(1)
  },
)
