import { expect, test } from 'vitest'
import { parsePage } from '../../src/visitors/rows.ts'

const totals = { human: 3, ai: 2, total: 4 }
const row = { path: '/', human: 1, ai: 0, total: 1 }
const page = { totals, visitors: [row], hasMore: false }

const parse = (value: unknown) => parsePage(JSON.stringify(value))

test('a page of results, with the known fields only', () => {
  expect(parse({ ...page, extra: 1, visitors: [{ ...row, country: 'NZ' }] })).toEqual({
    totals,
    rows: [row],
    hasMore: false,
  })
})

test('half a character becomes one that UTF-8 has', () => {
  expect(
    parsePage(
      `{"totals":{"human":0,"ai":0,"total":0},"hasMore":false,"visitors":[{"path":"/\\ud83d","human":0,"ai":0,"total":0}]}`,
    ),
  ).toMatchObject({ rows: [{ path: '/\ufffd' }] })
})

test.each([
  ['', 'JSON'],
  ['<html>', 'JSON'],
  ['[]', 'JSON'],
  [JSON.stringify({ ...page, totals: undefined }), 'totals'],
  [JSON.stringify({ ...page, totals: { human: 1, ai: 1 } }), 'totals'],
  [JSON.stringify({ ...page, visitors: {} }), 'visitors'],
  [JSON.stringify({ ...page, hasMore: 'yes' }), 'hasMore'],
  ...[
    null,
    '/path',
    { ...row, path: undefined },
    { ...row, path: '' },
    { ...row, path: 7 },
    { ...row, human: '1' },
    { ...row, ai: -1 },
    { ...row, total: 1.5 },
    { ...row, total: null },
    { ...row, human: 1e300 },
  ].map((bad) => [JSON.stringify({ ...page, visitors: [row, bad] }), 'row 2']),
])('%s is refused', (text, fault) => {
  expect(parsePage(text ?? '')).toEqual({ fault: expect.stringContaining(fault ?? '') })
})
