import { expect, test } from 'vitest'
import { pauseMs } from '../../../src/agent/pause.ts'

const [LOW, MIDDLE, HIGH] = [() => 0, () => 0.5, () => 1 - 2 ** -32]

test.each([
  [0, 2000],
  [10_000, 3000],
  [20_000, 4000],
  [50_000, 7000],
  [120_000, 14_000],
  [130_000, 15_000],
  [1_800_000, 15_000],
])('4.6 after %i ms the pause is %i ms', (waited, expected) => {
  expect(pauseMs(waited, 15_000, MIDDLE)).toBeCloseTo(expected)
})

test('4.6 it varies by a tenth at random, and never exceeds poll-interval-seconds', () => {
  expect(pauseMs(50_000, 15_000, LOW)).toBeCloseTo(6300)
  expect(pauseMs(50_000, 15_000, HIGH)).toBeCloseTo(7700)
  expect(pauseMs(1_800_000, 15_000, HIGH)).toBe(15_000)
  expect(pauseMs(1_800_000, 15_000, LOW)).toBeCloseTo(13_500)
  expect(pauseMs(0, 1000, HIGH)).toBe(1000)
})
