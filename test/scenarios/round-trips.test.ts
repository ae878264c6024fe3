import { expect, test } from 'vitest'
import { roundTrips, SITUATIONS } from '../../scripts/bench/round-trips.ts'

/** Contract 5.8, by which requests went out before the answers to others were there. */
test.each(SITUATIONS)('5.8 $name', async (situation) => {
  const { before, result, after } = await roundTrips(situation)
  expect(before).toBeLessThanOrEqual(situation.limits.before)
  expect(result).toBeLessThanOrEqual(situation.limits.result)
  expect(after).toBeLessThanOrEqual(situation.limits.after)
})
