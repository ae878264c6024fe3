/** The first pause, and how it grows with the time waited (contract 4.6). */
const FIRST_MS = 2000
const GROWTH = 0.1
const SPREAD = 0.1

/**
 * Pause before the next read, in ms: 2 s and a tenth of the time already waited, at most `longestMs`, varied by a tenth
 * at random. A job that ends early is seen early, a long one is asked for as seldom as people chose.
 */
export function pauseMs(waitedMs: number, longestMs: number, random: () => number): number {
  // A clock that is set back makes the time waited negative, and must not make the pause so.
  const pause = Math.min(longestMs, FIRST_MS + Math.max(0, waitedMs) * GROWTH)
  return Math.min(longestMs, pause * (1 - SPREAD + 2 * SPREAD * random()))
}
