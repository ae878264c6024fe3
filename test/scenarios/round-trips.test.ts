import { expect, test } from 'vitest'
import { roundTrips, SITUATIONS } from '../helpers/round-trips.ts'

/** Contract 5.8, by which requests went out before the answers to others were there. */
test.each(SITUATIONS)('5.8 $name', async (situation) => {
  const figures = await roundTrips(situation)
  for (const part of ['before', 'result', 'after', 'requests'] as const)
    expect(figures[part], part).toBeLessThanOrEqual(situation.limits[part])
})
