import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { type Extension, FORMATS, type Row } from '../../src/visitors/rows.ts'
import { row } from './helpers.ts'

/** As the export writes it, in batches. */
function file(extension: Extension, ...batches: Row[][]): string {
  const format = FORMATS[extension]
  let rows = 0
  const parts = batches.map((batch) => {
    const text = format.rows(batch, rows === 0)
    rows += batch.length
    return text
  })
  return [format.begin, ...parts, format.end(rows === 0)].join('')
}

test('7.2 CSV has a header, CRLF and a line for each row', () => {
  expect(file('.csv', [row('/', 2, 1)], [row('/b', 0)])).toBe(
    'path,human,ai,total\r\n/,2,1,3\r\n/b,0,0,0\r\n',
  )
  expect(file('.csv', [])).toBe('path,human,ai,total\r\n')
})

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(1)',
  '\t=1',
  '\r=1',
  '\n=1',
  ' =1',
  '\u00a0=1',
  '\u200b=1',
  '\ufeff=1',
  '\uff1d1',
])('7.2 %j is no formula in a spreadsheet', (path) => {
  const records: string[][] = parse(file('.csv', [row(path, 1)]), { record_delimiter: '\r\n' })
  expect(records[1]?.[0]).toBe(`'${path}`)
})

test('7.2 a semicolon or a tab does not split a cell where they separate', () => {
  expect(file('.csv', [row('/a;=1', 1)])).toContain('"/a;=1",1')
  expect(file('.csv', [row('/a\t=1', 1)])).toContain('"/a\t=1",1')
})

test('7.2 JSON is one array, NDJSON a line for each row, and both have the paths as they are', () => {
  const [first, second] = [[row('=1', 1), row('/\u2028\n', 2)], [row('/c', 3)]]
  const all = [...first, ...second]
  expect(JSON.parse(file('.json', first, second))).toEqual(all)
  expect(JSON.parse(file('.json', []))).toEqual([])
  const lines = file('.ndjson', first, second).split('\n')
  expect(lines.pop()).toBe('')
  expect(lines.map((line) => JSON.parse(line))).toEqual(all)
  expect(file('.ndjson', [])).toBe('')
})
