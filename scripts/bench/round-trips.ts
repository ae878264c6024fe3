import { roundTrips, SITUATIONS } from '../../test/helpers/round-trips.ts'
import type { Report } from './table.ts'

/** Rounds of requests to GitHub in each part of a run (contract 5.8). */
export async function roundTripsReport(): Promise<Report> {
  const rows: Record<string, Awaited<ReturnType<typeof roundTrips>>> = {}
  for (const situation of SITUATIONS) rows[situation.name] = await roundTrips(situation)
  return {
    title: 'Round trips',
    note: 'Rounds of requests to GitHub, each answered after the one before it: before the agent is asked, from the end to the result, and after it.',
    rows,
    goals: SITUATIONS.flatMap(({ name, limits }) =>
      (['before', 'result', 'after', 'requests'] as const).map((part) => ({
        what: part === 'requests' ? `${name}: requests` : `${name}: rounds ${part}`,
        value: rows[name]?.[part] ?? 0,
        limit: limits[part],
      })),
    ),
  }
}
