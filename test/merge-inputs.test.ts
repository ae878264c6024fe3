import { expect, test } from 'vitest'
import { readChangesSince, readMergedLabels } from '../src/merge-inputs.ts'

const read = (value: string) => readChangesSince((name) => (name === 'changes-since' ? value : ''))
const labels = (value: string) => readMergedLabels((name) => (name === 'merged-labels' ? value : ''))

test.each([
  ['Last-Run', 'last-run'],
  ['7d', { days: 7 }],
  ['30D', { days: 30 }],
  ['2026-07-01', { at: Date.UTC(2026, 6, 1) }],
  ['2026-07-01T06:00+02:00', { at: Date.UTC(2026, 6, 1, 4) }],
] as const)('3.10 %o', (value, since) => {
  expect(read(value)).toEqual(since)
})

test.each(['0d', '1.5d', '12345d', '2026-02-30', '1969-01-01'])('3.10 %s is refused', (value) => {
  expect(() => read(value)).toThrow(/changes-since/)
})

test.each([
  ['', undefined],
  ['Feature, !Skip Docs\n\nbug', { included: ['feature', 'bug'], excluded: ['skip docs'] }],
  ['! internal', { included: [], excluded: ['internal'] }],
] as const)('3.11 %j', (value, expected) => {
  expect(labels(value)).toEqual(expected)
})

test.each(['feature, !'])('3.11 %j is refused: a `!` needs a label', (value) => {
  expect(() => labels(value)).toThrow(/`merged-labels` contains `!` without a label/)
})
