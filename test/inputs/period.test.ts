import { expect, test } from 'vitest'
import { readVisitorsInputs } from '../../src/analytics/visitors.ts'
import { DAY_MS, describePeriod, isoDate, parseDate, periodOf } from '../../src/inputs/period.ts'

/** A Wednesday afternoon. */
const NOW = Date.parse('2026-07-15T14:30:00Z')

const days = ({ from, to }: { from: number; to: number }) => `${isoDate(from)} ${isoDate(to)}`

test.each([
  ['7d', NOW, '2026-07-08 2026-07-15'],
  ['last-week', Date.parse('2026-07-12T23:59:59Z'), '2026-06-29 2026-07-06'],
  ['last-week', Date.parse('2026-07-13T00:00:00Z'), '2026-07-06 2026-07-13'],
  ['last-month', NOW, '2026-06-01 2026-07-01'],
  ['last-month', Date.parse('2026-01-31T12:00:00Z'), '2025-12-01 2026-01-01'],
] as const)('7.6 %s at %i is made of whole UTC days', (name, now, expected) => {
  expect(days(periodOf(name, now))).toBe(expected)
})

test.each([
  ['2024-02-29', '2024-02-29'],
  ['2026-07-01T06:00Z', '2026-07-01T06:00:00Z'],
  ['2026-07-01T06:00:30.25Z', '2026-07-01T06:00:30.250Z'],
  ['2026-07-01T06:00:30,25Z', '2026-07-01T06:00:30.250Z'],
  ['2026-07-01T01:00:00+02:00', '2026-06-30T23:00:00Z'],
  ['2026-07-01T22:00:00-0230', '2026-07-02T00:30:00Z'],
  ['2026-07-01T02:00+02', '2026-07-01'],
])('7.6 the date %s is %s', (text, expected) => {
  expect(isoDate(parseDate(text) ?? Number.NaN)).toBe(expected)
})

test.each([
  [DAY_MS, '2026-07-15'],
  [2 * DAY_MS, '2026-07-15 to 2026-07-16'],
  [DAY_MS / 2, '2026-07-15 to 2026-07-15T12:00:00Z'],
])('7.5 %i ms from midnight on read as %s: whole days end with the last one', (ms, expected) => {
  const from = Date.UTC(2026, 6, 15)
  expect(describePeriod({ from, to: from + ms })).toBe(expected)
})

test('7 visitors are those of 30 days, and the pages shown are ten, unless it is said', () => {
  const inputs: Readonly<Record<string, string>> = { 'project-id': 'docs', 'api-key': 'test-key' }
  const { period, top } = readVisitorsInputs((name) => inputs[name] ?? '', NOW)
  expect([days(period), top]).toEqual(['2026-06-15 2026-07-15', 10])
})

test.each([
  ...['2026-02-29', '2026-02-30', '2026-13-01', '2026-00-10', '2026-04-31', '2026-7-1', '20260701'],
  ...['01.07.2026', 'yesterday', '2026-07-01T24:00:00Z', '2026-07-01T06:60:00Z', '2026-02-30T06:00:00Z'],
  ...['2026-07-01T06:00:00+99:00', '2026-07-01T06', '1782864000', ''],
])('7.6 %j is no date', (text) => {
  expect(parseDate(text)).toBeUndefined()
})
