import { expect, test } from 'vitest'
import { onlyError, peakMiB, visitorsScene } from '../helpers/analytics.ts'
import { IN_BUNDLE } from '../helpers/world.ts'

const DATES = { 'date-from': '2026-07-01', 'date-to': '2026-08-01' }

test('7.1 as many requests as pages of results, each with both dates', async () => {
  const { run, queries, text, emulator } = visitorsScene({ rows: 25 })
  const result = await run({ ...DATES, 'page-size': '10' })
  expect(result).toMatchObject({ exitCode: 0, annotations: [], outputs: { requests: '3', rows: '25' } })
  const dates = { dateFrom: '2026-07-01', dateTo: '2026-08-01', limit: '10' }
  expect(queries()).toEqual(['0', '10', '20'].map((offset) => ({ ...dates, offset })))
  expect(emulator.requests[0]).toMatchObject({
    method: 'GET',
    path: '/v1/analytics/docs/visitors',
    headers: {
      authorization: 'Bearer test-key',
      'user-agent': expect.stringMatching(/^docs-agent-action\/\d/),
    },
  })
  expect(text('visitors.csv')?.split('\r\n')).toHaveLength(1 + 25 + 1)
})

test.runIf(IN_BUNDLE)(
  '7.1 25,000 rows are 100 requests and less than 200 MiB of memory',
  { tags: 'bundle' },
  async () => {
    const site = visitorsScene({ rows: 25_000 })
    expect(await peakMiB(site)).toBeLessThan(200)
    expect(site.emulator.requests).toHaveLength(100)
    expect(site.text('visitors.csv')?.match(/\r\n/g)).toHaveLength(25_001)
  },
)

test('7 max-rows cuts the file and asks for no more than it takes', async () => {
  const { run, queries, text } = visitorsScene({ rows: 60 })
  const { outputs, log } = await run({ 'page-size': '10', 'max-rows': '25' })
  expect(outputs).toMatchObject({ rows: '25', complete: 'false', requests: '3' })
  expect(text('visitors.csv')?.match(/\r\n/g)?.length).toBeGreaterThanOrEqual(26)
  expect(log).toContain('cut by max-rows')
  const few = await run({ 'max-rows': '5', file: 'few.json' })
  expect(few.outputs).toMatchObject({ rows: '5', complete: 'false', requests: '1' })
  expect(queries().at(-1)).toMatchObject({ limit: '5' })
})

test.each([
  [27, '10', '25'],
  [18, '10', '15'],
  [7, '4', '6'],
])(
  '7 of %i rows, pages of %s and max-rows %s cut the last page: the file is not complete',
  async (rows, size, most) => {
    const { run, text } = visitorsScene({ rows })
    const { outputs, log } = await run({ 'page-size': size, 'max-rows': most, file: 'v.json' })
    expect(outputs).toMatchObject({ rows: most, complete: 'false' })
    expect(log).toContain('cut by max-rows')
    expect(JSON.parse(text('v.json') ?? '')).toHaveLength(Number(most))
  },
)

test('7.3 rows that shift between pages are written once, and a warning counts them', async () => {
  const { run, text } = visitorsScene({ rows: 30, shiftEvery: 1 })
  const result = await run({ 'page-size': '10', file: 'v.json' })
  const paths = JSON.parse(text('v.json') ?? '').map(({ path }: { path: string }) => path)
  expect(paths).toHaveLength(30)
  expect(new Set(paths).size).toBe(30)
  // Every page of results after the first begins with the last row of the one before.
  expect(result).toMatchObject({ exitCode: 0, outputs: { rows: '30', requests: '4', complete: 'true' } })
  expect(result.annotations).toEqual([
    { level: 'warning', message: expect.stringMatching(/^3 rows came twice and are in the file once/) },
  ])
})

test('7.3 a page that only repeats ends nothing, and the file stays whole', async () => {
  const { run, text } = visitorsScene({ rows: 6, shiftEvery: 2 })
  const result = await run({ 'page-size': '1', file: 'v.json' })
  expect(result, result.log).toMatchObject({ exitCode: 0, outputs: { rows: '6', complete: 'true' } })
  expect(JSON.parse(text('v.json') ?? '')).toHaveLength(6)
})

test('7.3 an empty page that claims more is a bad response', async () => {
  const { run, emulator, files } = visitorsScene({ rows: 30, emptyPage: true })
  const result = await run()
  expect(onlyError(result)).toContain(
    'more visitors follow after page 1 of its results, but that page brings nothing new',
  )
  expect(emulator.requests).toHaveLength(1)
  expect(files()).toEqual([])
})

test.each([
  ['10', 2],
  ['2', 2],
  // One row alone can have moved down.
  ['1', 3],
])('7.3 the same page of %s again and again is a bad response', async (size, requests) => {
  const { run, emulator, files } = visitorsScene({ rows: 30, samePage: true })
  const result = await run({ 'page-size': size })
  expect(onlyError(result)).toContain('more visitors follow')
  expect(result.outputs).toMatchObject({ complete: 'false', rows: '' })
  expect(emulator.requests).toHaveLength(requests)
  expect(files()).toEqual([])
})

test.each([{ kind: 'reset' }, { kind: 'status', status: 500 }] as const)(
  '7.1 %o passes, and the rows are whole',
  async (fault) => {
    const { run, emulator } = visitorsScene({ rows: 25 })
    emulator.faults.add({ skip: 1, fault })
    const { exitCode, outputs, log } = await run({ 'page-size': '10' })
    expect({ exitCode, ...outputs }).toMatchObject({
      exitCode: 0,
      rows: '25',
      requests: '4',
      complete: 'true',
    })
    expect(log).toContain('The run tries again in 1 s.')
  },
)
