import { expect, test } from 'vitest'
import { BadInput } from '../../src/errors.ts'
import { readInsightsInputs } from '../../src/insights/insights.ts'
import { isoDate } from '../../src/period.ts'

/** A Wednesday. */
const NOW = Date.parse('2026-07-15T14:30:00Z')

const read = (inputs: Readonly<Record<string, string>>) => {
  const all: Readonly<Record<string, string>> = { 'project-id': 'docs', 'api-key': 'test-key', ...inputs }
  return readInsightsInputs((name) => all[name] ?? '', NOW)
}

test('9 the defaults', () => {
  const { period, ...inputs } = read({})
  expect([isoDate(period.from), isoDate(period.to)]).toEqual(['2026-07-06', '2026-07-13'])
  expect(inputs).toEqual({
    access: { apiKey: 'test-key', projectId: 'docs', baseUrl: 'https://api.mintlify.com' },
    file: 'insights.md',
    format: '.md',
    include: ['feedback', 'questions', 'searches'],
    minCount: 2,
    top: 20,
    timeoutMs: 600_000,
  })
})

test('9 kinds in any order, letter case and separator, each once', () => {
  expect(read({ include: 'Searches\nfeedback, searches' }).include).toEqual(['feedback', 'searches'])
})

test.each([
  ['include', { include: 'feedback, complaints' }],
  ['include', { include: ',' }],
  ['min-count', { 'min-count': '0' }],
  ['top', { top: '251' }],
  ['file', { file: 'insights.csv' }],
  ['period', { period: 'yesterday' }],
] as const)('9 %s in %o is refused by name, with a remedy', (name, inputs) => {
  expect(() => read(inputs)).toThrow(BadInput)
  expect(() => read(inputs)).toThrow(new RegExp(`^Input \`${name}\` .+\\. .+\\.$`))
})
