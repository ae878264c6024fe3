import * as v from 'valibot'
import type { Ending } from './outcome.ts'

/**
 * One request or fix that went to the agent, or may have: when that was by GitHub's clock, as seconds in base 36, and three
 * characters that tell it from others of the same second. A record has room for many, and their order as text is that of time.
 */
export const ASK = v.pipe(v.string(), v.regex(/^[\da-z]{9}$/))

/** A record carries as many, so this is the highest limit, too. */
export const MOST_ASKS = 50

export const DAY_MS = 24 * 60 * 60_000
/** Six digits of base 36 last until 2088. */
const FIRST_SECOND = Date.UTC(2020, 0, 1) / 1000
/** How far GitHub's own clocks may be apart. */
const APART_MS = 60_000

const digits = (n: number, length: number): string => n.toString(36).padStart(length, '0')

/** @param now in ms since the epoch @param random at least 0, less than 1 */
export function askAt(now: number, random: number): string {
  // Rounded up: a place is not free before the whole day has passed.
  const second = Math.floor(now / 1000) + 1 - FIRST_SECOND
  return digits(second, 6) + digits(Math.floor(random * 36 ** 3), 3)
}

const timeOf = (ask: string): number => (Number.parseInt(ask.slice(0, 6), 36) + FIRST_SECOND) * 1000

/** What the record in one comment says of asks, its own and those that it carries for comments that are gone. */
export interface RecordedAsks {
  readonly commentId: number
  readonly asks: readonly string[]
  /** The one that its run is about to send; undefined for none. */
  readonly next: string | undefined
}

/** The run's own ask, once it is written and before it is sent. */
export interface OwnAsk {
  readonly ask: string
  /** The comment that was created for it; undefined for a fix, which is written into an older comment. */
  readonly commentId: number | undefined
}

/**
 * When the agent may be asked again, in ms since the epoch; undefined for now. A run looks before it writes its ask, and, with
 * `own`, once more before it sends it. Of two runs that want the last place, the one with the newer comment gives way: all runs
 * see the same ids of comments. A fix has no new comment, so it gives way to all.
 */
export function nextPlace(
  limit: number,
  records: readonly RecordedAsks[],
  now: number,
  own?: OwnAsk,
): number | undefined {
  const givesWay = ({ commentId, next }: RecordedAsks, ask: string): boolean =>
    ask === next && own?.commentId !== undefined && commentId > own.commentId
  const counted = new Set(
    records.flatMap((record) => record.asks.filter((ask) => ask !== own?.ask && !givesWay(record, ask))),
  )
  const ofDay = [...counted].filter((ask) => timeOf(ask) > now - DAY_MS && timeOf(ask) <= now + APART_MS)
  const leaving = ofDay.toSorted().at(-limit)
  return leaving === undefined ? undefined : timeOf(leaving) + DAY_MS
}

/** The place in the day of one ask of the agent, which the record of its request names before it goes out. */
export interface DailyPlace {
  /** Before the record is written: takes the place in it. @returns how the run ends where the day has none left */
  take(): Promise<Ending | undefined>
  /** Once the record is written. @returns the same, where another run took the last place meanwhile */
  confirm(): Promise<Ending | undefined>
  /** It went out, or may have, which can be long after it was written. */
  redate(): void
  /** It surely was not sent, so it does not count. */
  giveBack(): void
}
