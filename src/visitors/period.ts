/** A stretch of time, in ms since the epoch (UTC). */
export interface Period {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

export const DAY_MS = 86_400_000

/** The presets of the input `period`, made of whole UTC days. */
export const PERIODS = ['7d', '30d', '90d', 'last-week', 'last-month'] as const
export type PeriodName = (typeof PERIODS)[number]

/** `7d` and its like end today, exclusive; a week is Monday to Sunday, a month that of the calendar. */
export function presetPeriod(name: PeriodName, now: number): Period {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  if (name === 'last-week') {
    const sinceMonday = (new Date(today).getUTCDay() + 6) % 7
    const monday = today - sinceMonday * DAY_MS
    return { from: monday - 7 * DAY_MS, to: monday }
  }
  if (name === 'last-month') {
    const [year, month] = [new Date(today).getUTCFullYear(), new Date(today).getUTCMonth()]
    return { from: Date.UTC(year, month - 1), to: Date.UTC(year, month) }
  }
  return { from: today - Number.parseInt(name, 10) * DAY_MS, to: today }
}

/** The stretch of the same length right before. */
export function periodBefore({ from, to }: Period): Period {
  return { from: from - (to - from), to: from }
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?$/

/** ISO 8601 as a day or a day with a time, which is UTC unless it says otherwise. Undefined for what no calendar has. */
export function parseDate(text: string): number | undefined {
  const day = parseDay(text)
  if (day !== undefined) return day
  const [, dayText = '', hour, minute, second = '0', fraction = '', zone = 'Z'] = DATE_TIME.exec(text) ?? []
  const midnight = parseDay(dayText)
  const offset = offsetMs(zone)
  if (midnight === undefined || offset === undefined) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'))
  return midnight + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + ms - offset
}

function parseDay(text: string): number | undefined {
  const [, year, month, day] = DATE.exec(text) ?? []
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day))
  // `Date.UTC` takes 30 February for 2 March, and the years 0 to 99 for those of the last century.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? ms : undefined
}

/** `+02:00`, `+0200` or `+02`, in ms. */
function offsetMs(zone: string): number | undefined {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? []
  if (sign === undefined) return 0
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** `2026-07-01`, or with the time where it is not midnight UTC. */
export function isoDate(ms: number): string {
  const text = new Date(ms).toISOString()
  return ms % DAY_MS === 0 ? text.slice(0, 10) : text.replace('.000Z', 'Z')
}

/** `2026-07-01 to 2026-07-31`: for people, the last of whole days is named as such. */
export function describePeriod({ from, to }: Period): string {
  if (from % DAY_MS !== 0 || to % DAY_MS !== 0) return `${isoDate(from)} to ${isoDate(to)}`
  return to - from === DAY_MS ? isoDate(from) : `${isoDate(from)} to ${isoDate(to - DAY_MS)}`
}
