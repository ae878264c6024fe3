import { expect, test } from 'vitest'
import { isoDate } from '../../src/period.ts'
import { readVisitorsInputs } from '../../src/visitors/visitors.ts'

const NOW = Date.parse('2026-07-15T14:30:00Z')

const read = (inputs: Readonly<Record<string, string>>) => {
  const all: Readonly<Record<string, string>> = { 'project-id': 'docs', 'api-key': 'test-key', ...inputs }
  return readVisitorsInputs((name) => all[name] ?? '', NOW)
}

test('7 the defaults', () => {
  const { period, ...inputs } = read({})
  expect([isoDate(period.from), isoDate(period.to)]).toEqual(['2026-06-15', '2026-07-15'])
  expect(inputs).toEqual({
    access: { apiKey: 'test-key', projectId: 'docs', baseUrl: 'https://api.mintlify.com' },
    file: 'visitors.csv',
    format: '.csv',
    pageSize: 250,
    maxRows: Number.POSITIVE_INFINITY,
    top: 10,
    compare: false,
    timeoutMs: 600_000,
  })
})

test('7 the extension of the file sets the format, in any letter case', () => {
  expect(read({ file: 'a/b.NDJSON' }).format).toBe('.ndjson')
  expect(read({ file: 'b.json' }).format).toBe('.json')
})

test.each([
  ['period', { period: 'fortnight' }],
  ['period', { period: '7d', 'date-from': '2026-07-01', 'date-to': '2026-07-08' }],
  ['date-to', { 'date-from': '2026-07-01' }],
  ['date-from', { 'date-to': '2026-07-01' }],
  ['date-from', { 'date-from': '2026-02-30', 'date-to': '2026-03-01' }],
  ['date-to', { 'date-from': '2026-02-01', 'date-to': 'today' }],
  ['date-from', { 'date-from': '2026-07-01', 'date-to': '2026-07-01' }],
  ['file', { file: 'visitors' }],
  ['file', { file: 'visitors.xlsx' }],
  ['file', { file: '.csv' }],
  ['file', { file: 'a\nb.csv' }],
  ['page-size', { 'page-size': '251' }],
  ['max-rows', { 'max-rows': '0' }],
  ['top', { top: '1e3' }],
  ['compare', { compare: 'yes' }],
  ['timeout-minutes', { 'timeout-minutes': '-1' }],
] as const)('7.6 %s in %o is refused by name, with a remedy', (name, inputs) => {
  expect(() => read(inputs)).toThrow(new RegExp(`^Input \`${name}\` .+\\. .+\\.$`, 's'))
})
