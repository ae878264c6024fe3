import type { Ending } from '../../core/outcome.ts'

/** A record carries the times of as many asks, so this is the highest limit, too. */
export const MOST_ASKS = 50

export const DAY_MS = 24 * 60 * 60_000

/**
 * When the agent may be asked again, in ms since the epoch; undefined for now.
 * @param asks when requests and fixes went to the agent, or may have, in ms since the epoch by GitHub's clock
 */
export function nextPlace(limit: number, asks: readonly number[], now: number): number | undefined {
  const ofDay = [...new Set(asks)].filter((time) => Math.abs(now - time) < DAY_MS)
  const leaving = ofDay.toSorted((a, b) => a - b).at(-limit)
  return leaving === undefined ? undefined : leaving + DAY_MS
}

/** What the day allows. */
export interface Day {
  /** Before the agent is asked. @returns how the run ends where it was asked so often; two runs at once may both be let in */
  full(): Promise<Ending | undefined>
  /** The agent is asked, or may have been: the next record says so. */
  count(): void
}
