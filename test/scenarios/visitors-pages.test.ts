import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import type { VisitorRow } from '../../emulator/service/visitors.ts'
import { row, visitorsScene } from '../helpers/analytics.ts'

const DATES = { 'date-from': '2026-07-01', 'date-to': '2026-08-01' }
const JULY = Date.UTC(2026, 6, 1)

/** A site with these visitors in July, and those in the month before. */
const scene = (now: readonly VisitorRow[], before: readonly VisitorRow[] = []) =>
  visitorsScene({ rows: 0, visited: (from) => (from === JULY ? now : before) })

async function exported(now: readonly VisitorRow[], inputs = {}, before: readonly VisitorRow[] = []) {
  const { run, text } = scene(now, before)
  const result = await run({ ...DATES, file: 'v.json', ...inputs })
  expect(result.exitCode, result.log).toBe(0)
  return { ...result, rows: JSON.parse(text('v.json') ?? 'null') }
}

const SPELLINGS = [
  ...['/guides', '/guides/', '/guides/index', 'guides', '/guides?utm=x', '/%67uides'],
  ...['https://acme.com/docs/guides', 'https://acme.com/docs/guides/index'],
]

test('7.3 one page is one row under one name, in file, chart, tables and top-paths alike', async () => {
  const now = [
    ...SPELLINGS.map((path) => row(path, 10, 1)),
    row('/api', 20),
    row('https://acme.com/docs/', 12),
  ]
  const { rows, outputs, summary, log } = await exported(now)
  expect(rows).toEqual([row('/guides', 80, 8), row('/api', 20), row('/', 12)])
  expect(outputs).toMatchObject({ rows: '3', 'top-paths': '/guides\n/api\n/', complete: 'true' })
  expect(summary).toContain('  x-axis ["1  /guides  88", "2  /api  20", "3  /  12"]')
  expect(summary).toContain('| `/guides`<br>80 human, 8 AI | **88** |')
  const said =
    '7 rows with another spelling of a page, such as `/guides/`, are added to it: a visitor of both counts twice.'
  expect(summary).toContain(`\n- ${said}\n`)
  expect(log).toContain(`\n  ${said.replaceAll('`', '')}\n`)
})

test.each(['', '/', ' ', '/index', 'https://acme.com'])('7.3 %j is the first page', async (path) => {
  const { rows } = await exported([row(path, 10), row('/guides', 3)])
  expect(rows).toEqual([row('/', 10), row('/guides', 3)])
})

test('7.3 rows without a path are left out and counted, and the others stay', async () => {
  const nameless = { human: 1, ai: 0, total: 1 }
  const now = [row('/a', 20), { ...nameless, path: null }, nameless, row('/b', 10)]
  const { rows, annotations } = await exported(now)
  expect(rows).toEqual([row('/a', 20), row('/b', 10)])
  expect(annotations).toEqual([{ level: 'warning', message: '2 rows without a path are not in the file.' }])
  const one = await exported([{ ...nameless, path: null }])
  expect(one.annotations).toEqual([{ level: 'warning', message: '1 row without a path is not in the file.' }])
})

const MADE_FROM_OPENAPI = [
  ...['/api/a&b', '/api/users:list', '/api/c++', '/api/stop!', '/api/list[id]', '/api/`rm`', '/de/schlüssel'],
  ...['/ja/はじめに', '/a_b~c/%E3%81%AF.md', `/${'x'.repeat(99)}`],
]

test('7.3 top-paths has the paths that the provider makes, and what it leaves out is counted', async () => {
  const odd = [`/${'x'.repeat(100)}`, '/a b"c"', '/@octo/notes', '/[link](https://example.com)', '/{a}']
  const safe = MADE_FROM_OPENAPI.map((path) => row(path, 10))
  const few = [row('/few', 9, 90)]
  const { outputs, summary, log } = await exported([...safe, ...odd.map((path) => row(path, 10)), ...few], {
    top: '30',
  })
  expect(outputs['top-paths']?.split('\n').toSorted()).toEqual(
    [
      ...MADE_FROM_OPENAPI.slice(0, 5),
      '/api/%60rm%60',
      '/de/schlüssel',
      '/ja/はじめに',
      '/a_b~c/は.md',
      `/${'x'.repeat(99)}`,
      '/a%20b%22c%22',
      '/%7Ba%7D',
    ].toSorted(),
  )
  const said =
    '4 paths of the summary are not in `top-paths`: visited by fewer than ten people, or of a form that a prompt should not hold.'
  expect(summary).toContain(`\n- ${said}\n`)
  expect(log).toContain(said.replaceAll('`', ''))
  const all = await exported([row('/a', 10)])
  expect(all.summary).not.toContain('not in `top-paths`')
})

test('9.3 what visitors put into a path is masked in every place', async () => {
  const now = [
    row('/reset/jane@example.com', 30),
    row('/reset/joe%40example.com', 20),
    row('/c/4111111111111111', 1),
  ]
  const { rows, outputs, summary, log } = await exported(now, { 'summary-file': 's.md' })
  expect(rows).toEqual([row('/reset/[email]', 50), row('/c/[number]', 1)])
  expect(JSON.stringify([outputs, summary, log])).not.toMatch(/jane|joe|4111/)
})

const BEFORE = [
  row('/', 150),
  row('/gone', 90, 10),
  row('/less', 60),
  row('/few', 9),
  row('/same', 30),
  row('/less/', 5),
]
const NOW = [row('/', 170), row('/new', 40), row('/less', 20), row('/same', 30)]

test('7.5 with compare, the file has what was before and what changed, and the pages that nobody visits any more', async () => {
  const { rows, outputs, summary } = await exported(NOW, { compare: 'true' }, BEFORE)
  expect(rows).toEqual([
    { ...row('/', 170), before: 150, change: 20 },
    { ...row('/new', 40), before: 0, change: 40 },
    { ...row('/less', 20), before: 65, change: -45 },
    { ...row('/same', 30), before: 30, change: 0 },
    { ...row('/gone', 0), before: 100, change: -100 },
    { ...row('/few', 0), before: 9, change: -9 },
  ])
  const sum = (of: 'total' | 'before' | 'change') =>
    rows.reduce((all: number, one: Record<string, number>) => all + (one[of] ?? 0), 0)
  expect([sum('total'), sum('before'), sum('change')]).toEqual([260, 354, -94])
  expect(outputs).toMatchObject({ rows: '6', 'lost-paths': '/gone\n/less', 'new-paths': '' })
  expect(summary).toContain(
    '- 1 path of the summary is not in `lost-paths`: visited by fewer than ten people, or',
  )
  expect(summary).toContain(
    '- `new-paths` is empty: only a `navigation-file` tells new pages from what strangers ask for.',
  )
})

test('7.5 the CSV file has the same columns, and a difference is a number', async () => {
  const { run, text } = scene(NOW, BEFORE)
  await run({ ...DATES, compare: 'true', 'byte-order-mark': 'true' })
  const csv = text('visitors.csv') ?? ''
  expect(csv.startsWith('\ufeffpath,human,ai,total,before,change\r\n/,170,0,170,150,20\r\n')).toBe(true)
  const read: Record<string, string>[] = parse(csv, { columns: true, bom: true })
  expect(read.map(({ change }) => Number(change))).toEqual([20, 40, -45, 0, -100, -9])
})

test('7.5 where rows are cut, what is not known is empty', async () => {
  const inputs = { compare: 'true', 'max-rows': '2', 'page-size': '2' }
  const { rows, outputs } = await exported(NOW, inputs, BEFORE)
  expect(rows).toEqual([
    { ...row('/', 170), before: 150, change: 20 },
    { ...row('/new', 40), before: null, change: null },
  ])
  expect(outputs).toMatchObject({ 'lost-paths': '', complete: 'false' })
})

test('7.5 a month before without data makes no page new or lost', async () => {
  const { rows, outputs, summary } = await exported(NOW, { compare: 'true' })
  expect(rows).toHaveLength(4)
  expect(outputs).toMatchObject({ 'lost-paths': '', 'new-paths': '' })
  expect(summary).toContain('- The service knows no visitors of the period before, so no page counts as new.')
})

test('7.5 a month without data: all pages of the one before are lost, and the file says so', async () => {
  const { rows, outputs } = await exported([], { compare: 'true' }, [row('/a', 20), row('/b', 10)])
  expect(rows).toEqual([
    { ...row('/a', 0), before: 20, change: -20 },
    { ...row('/b', 0), before: 10, change: -10 },
  ])
  expect(outputs).toMatchObject({ total: '0', 'lost-paths': '/a\n/b' })
})

test('7.5 the summary is a file, too, where it is asked for', async () => {
  const { run, text, files } = scene(NOW)
  const { summary } = await run({ ...DATES, 'summary-file': 'docs/visitors.md' })
  expect(text('docs/visitors.md')).toBe(summary)
  expect(summary).toContain('```mermaid\n')
  expect(files()).toEqual(['docs', 'docs/visitors.md', 'visitors.csv'])
})
