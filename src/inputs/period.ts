import { BadInput } from '../base/errors.ts'
import { codeSpan } from '../base/text.ts'
import { choice, type GetInput } from './readers.ts'

/**
 * In ms since the epoch. `Date` does for days of UTC what Temporal will do once Node has it; its parser takes 30 February,
 * and times without a zone for the runner's own.
 */
export interface Period {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

export const DAY_MS = 86_400_000

const PERIODS = ['7d', '30d', '90d', 'last-week', 'last-month'] as const
type PeriodName = (typeof PERIODS)[number]

/** `7d`, `30d` and `90d` end today, exclusive; a week is Monday to Sunday, a month is a calendar month. */
export function periodOf(name: PeriodName, now: number): Period {
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

export function periodBefore({ from, to }: Period): Period {
  return { from: from - (to - from), to: from }
}

const TIME = /(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?/
const ZONE = /Z|([+-](?:[01]\d|2[0-3]))(?::?([0-5]\d))?/
const DATE = new RegExp(`^(\\d{4}-\\d{2}-\\d{2})(?:[T ](${TIME.source})(${ZONE.source})?)?$`, 'i')

/** A day or a time in ISO 8601, which is UTC unless it names a zone; undefined if it is not a date. */
export function parseDate(text: string): number | undefined {
  const [, day = '', time = '00:00', , hours, minutes = '00'] = DATE.exec(text) ?? []
  const midnight = Date.parse(`${day}T00:00Z`)
  // `Date.parse` reads 30 February as 2 March.
  if (Number.isNaN(midnight) || isoDate(midnight) !== day) return undefined
  return Date.parse(`${day}T${time.replace(',', '.')}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`)
}

/** `2026-07-01`, or with the time where it is not midnight UTC. */
export function isoDate(ms: number): string {
  const text = new Date(ms).toISOString()
  return ms % DAY_MS === 0 ? text.slice(0, 10) : text.replace('.000Z', 'Z')
}

/** `2026-07-01 to 2026-07-31`, for people: whole days end with the last one, not the day after. */
export function describePeriod({ from, to }: Period): string {
  if (from % DAY_MS !== 0 || to % DAY_MS !== 0) return `${isoDate(from)} to ${isoDate(to)}`
  return to - from === DAY_MS ? isoDate(from) : `${isoDate(from)} to ${isoDate(to - DAY_MS)}`
}

/** The same for Markdown: no narrow column breaks a date at its hyphens. */
export const periodInMarkdown = (period: Period): string => dateInMarkdown(describePeriod(period))

export const dateInMarkdown = (date: string): string => date.replaceAll('-', '\u2011')

/** The inputs `period`, `date-from` and `date-to`. @param now in ms since the epoch */
export function readPeriod(input: GetInput, now: number, fallback: PeriodName): Period {
  const [from, to] = [readDate(input, 'date-from'), readDate(input, 'date-to')]
  if (from === undefined && to === undefined) {
    return periodOf(choice(input, 'period', PERIODS, fallback), now)
  }
  if (input('period') !== '') {
    const remedy = 'Keep `period`, or `date-from` and `date-to`.'
    throw new BadInput('period', 'is given together with dates', remedy)
  }
  const [missing, given] = from === undefined ? ['date-from', 'date-to'] : ['date-to', 'date-from']
  if (from === undefined || to === undefined) {
    throw new BadInput(missing, `is missing beside \`${given}\``, 'Write both dates, or a `period`.')
  }
  if (from < to) return { from, to }
  throw new BadInput('date-from', 'is not before `date-to`', 'Set `date-to` to the day after the last one.')
}

function readDate(input: GetInput, name: string): number | undefined {
  const text = input(name)
  if (text === '') return undefined
  const date = parseDate(text)
  if (date !== undefined) return date
  const remedy = 'Write a UTC day such as `2026-07-01`, or a time such as `2026-07-01T06:00:00Z`.'
  throw new BadInput(name, `is ${codeSpan(text, 60)}, which is not a date`, remedy)
}
