import { expect, test } from 'vitest'
import { VISITORS_OUTPUTS } from '../../src/analytics/visitors.ts'
import { onlyError, visitorsScene } from '../helpers/analytics.ts'

const DATES = { 'date-from': '2026-07-01', 'date-to': '2026-08-01' }

test('7 the outputs say what the file holds', { tags: 'bundle' }, async () => {
  const { run, text } = visitorsScene({ rows: 37 })
  const { outputs, exitCode, fileErrors } = await run({ ...DATES, file: 'out/deep/v.ndjson', top: '3' })
  expect({ exitCode, fileErrors }).toEqual({ exitCode: 0, fileErrors: [] })
  const rows = (text('out/deep/v.ndjson') ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(rows).toHaveLength(37)
  const top = rows.toSorted((a, b) => b.total - a.total).slice(0, 3)
  expect(JSON.parse(outputs['top-pages'] ?? '')).toEqual(top)
  expect(outputs['top-paths']?.split('\n')).toEqual(top.map(({ path }) => path))
  expect(outputs).toMatchObject({ 'lost-paths': '', 'new-paths': '', 'agent-file': '' })
  expect(outputs).toMatchObject({
    file: 'out/deep/v.ndjson',
    rows: '37',
    human: expect.stringMatching(/^\d+$/),
    ai: expect.stringMatching(/^\d+$/),
    total: expect.stringMatching(/^\d+$/),
    'date-from': '2026-07-01',
    'date-to': '2026-08-01',
    requests: '1',
    complete: 'true',
  })
  const { result = '', ...others } = outputs
  expect(Object.keys(others)).toEqual(Object.keys(VISITORS_OUTPUTS))
  expect(JSON.parse(result)).toEqual(others)
})

test.each([
  ['date-from', { 'date-from': '2026-02-30', 'date-to': '2026-03-02' }],
  ['file', { file: 'visitors.txt' }],
  ['file', { file: '../visitors.csv' }],
  ['period', { period: '7d', 'date-from': '2026-07-01', 'date-to': '2026-07-08' }],
  ['date-to', { 'date-from': '2026-07-01' }],
  ['date-from', { 'date-from': '2026-07-01', 'date-to': '2026-07-01' }],
  ['api-key', { 'api-key': '' }],
  ['byte-order-mark', { 'byte-order-mark': 'true', file: 'visitors.json' }],
  ['summary-file', { 'summary-file': 'summary.txt' }],
  ['summary-file', { 'summary-file': '../summary.md' }],
  ['agent-file', { 'agent-file': 'gaps.md' }],
  ['agent-file', { 'agent-file': 'a.md', 'summary-file': 'a.md', 'navigation-file': 'docs.json' }],
  ['navigation-file', { 'navigation-file': 'docs.json' }],
] as const)('7.6 bad input: one error that names %s, and no request (%o)', async (name, inputs) => {
  const { run, emulator, files } = visitorsScene({ rows: 5 })
  const result = await run(inputs)
  expect(onlyError(result)).toMatch(new RegExp(`^Input ${name} .+\\. .+\\.$`))
  expect(result.outputs).toMatchObject({ requests: '0', complete: 'false', file: '' })
  expect([emulator.requests, files()]).toEqual([[], []])
})

test('1.1 the key is masked and shows nowhere, also where the service echoes it', async () => {
  const { run, emulator } = visitorsScene({ rows: 5 })
  emulator.faults.add({
    fault: { kind: 'status', status: 400, body: { error: 'bad: test-key\n::error::x' } },
  })
  const result = await run()
  expect(result.masks).toContain('test-key')
  expect(onlyError(result)).toContain('bad: ***')
  const { log, summary, outputs } = result
  expect(log + summary + JSON.stringify(outputs)).not.toContain('test-key')
})
