import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Extension, VISITOR_FORMATS } from '../../src/analytics/visitor-files.ts'
import type { Row } from '../../src/analytics/visitor-rows.ts'
import { runs, textOf } from '../helpers/property.ts'

const COLUMNS = ['path', 'human', 'ai', 'total'] as const

const fileOf = (format: Extension, rows: readonly Row[], hasMark = false): string =>
  VISITOR_FORMATS[format](
    {
      columns: COLUMNS,
      size: rows.length,
      rows: () => rows.map((each) => COLUMNS.map((name) => each[name])),
    },
    hasMark,
  )

const PIECES =
  '= + - @ , ; " \' / 1+1 cmd| ＝ ＋ － ＠ | % DDE \t \r \n \r\n \ufeff \u200b \u00a0 \0 \u061c \u00ad'
const paths = textOf([' ', ...PIECES.split(' ')], 8).map((path) => path.toWellFormed() || '/')
const visitors = fc.nat({ max: Number.MAX_SAFE_INTEGER })
const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record({ path: paths, human: visitors, ai: visitors, total: visitors }),
  { maxLength: 6 },
)
test('7.2 every row of a CSV file comes back, a defused cell with one apostrophe more', () => {
  fc.assert(
    fc.property(rows, (all) => {
      const text = fileOf('.csv', all)
      const read: string[][] = parse(text, { record_delimiter: '\r\n', relax_column_count: false })
      expect(read.shift()).toEqual(['path', 'human', 'ai', 'total'])
      expect(read.map(([, ...figures]) => figures)).toEqual(
        all.map(({ human, ai, total }) => [human, ai, total].map(String)),
      )
      for (const [i, [cell = '']] of read.entries()) {
        const path = all[i]?.path ?? ''
        expect([path, `'${path}`]).toContain(cell)
        if (/^[\w/']/.test(path)) expect(cell).toBe(path)
      }
    }),
    runs(500),
  )
})

/** What a spreadsheet may take for a formula, also behind what it does not show or cuts off (OWASP, CSV injection). */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u

test('7.2 no cell of a CSV file is one that a spreadsheet runs, whatever it splits cells at', () => {
  fc.assert(
    fc.property(rows, fc.constantFrom(',', ';', '\t'), (all, delimiter) => {
      const text = fileOf('.csv', all)
      const read: string[][] = parse(text, { delimiter, relax_column_count: true, relax_quotes: true })
      expect(read.flat().filter((cell) => FORMULA.test(cell))).toEqual([])
    }),
    runs(500),
  )
})

test.each([
  ...[
    '=1+1',
    '+1',
    '-1',
    '@SUM(1)',
    '\t=1',
    '\r=1',
    '\n=1',
    ' =1',
    '\u200b=1',
    '\u00a0=1',
    '\ufeff=1',
    '＝1',
  ],
  ...['/a;=1', ';=1', '/a\t=1', '/a,=1', '/a\n=1', '/a\r=1', '/a\r\n=1', '"=1', '/a";=1', '/a";"=1'],
])('7.2 a visitor who asks for %j leaves no formula in the CSV file', (path) => {
  const text = fileOf('.csv', [{ path, human: 1, ai: 1, total: 1 }])
  for (const delimiter of [',', ';', '\t']) {
    const read: string[][] = parse(text, { delimiter, relax_column_count: true, relax_quotes: true })
    expect(read.flat().filter((cell) => FORMULA.test(cell))).toEqual([])
  }
})

test('7.2 every row of a JSON or NDJSON file comes back, one per line', () => {
  fc.assert(
    fc.property(rows, (all) => {
      expect(JSON.parse(fileOf('.json', all))).toEqual(all)
      const lines = fileOf('.ndjson', all).split('\n')
      expect(lines.pop()).toBe('')
      expect(lines.map((line) => JSON.parse(line))).toEqual(all)
    }),
    runs(200),
  )
})

test('7.2 with a byte order mark, a CSV file is the same behind it, and a difference below 0 stays a number', () => {
  const one = [{ path: '/ä', human: 1, ai: 1, total: 1 }]
  expect(fileOf('.csv', one, true)).toBe(`\ufeff${fileOf('.csv', one)}`)
  expect(fileOf('.csv', [], true)).toBe('\ufeffpath,human,ai,total\r\n')
  const rows = () => [['/a', null, -3, '=1']]
  const records = { columns: ['path', 'before', 'change', 'tab'], size: 1, rows }
  expect(VISITOR_FORMATS['.csv'](records, false)).toBe("path,before,change,tab\r\n/a,,-3,'=1\r\n")
})
