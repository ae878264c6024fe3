import { extname } from 'node:path'
import { BadInput } from '../errors.ts'
import type { ServiceAccess } from '../http/service.ts'
import { choice, type GetInput, numberIn } from '../input-readers.ts'
import { PERIODS, type Period, type PeriodName, parseDate, periodOf } from '../period.ts'
import { readAccess } from '../service-access.ts'
import { code } from '../text.ts'

/** The inputs that `visitors` and `insights` share (contract 7, 9). The key may be '': see `requireKey`. */
export interface AnalyticsInputs<Format extends string = string> {
  readonly access: ServiceAccess
  readonly period: Period
  readonly file: string
  /** The file's extension in lower case. */
  readonly format: Format
  readonly timeoutMs: number
}

export interface AnalyticsDefaults<Format extends string> {
  readonly period: PeriodName
  readonly file: string
  readonly formats: readonly Format[]
}

/** A day; no runner waits longer than that. */
const MAX_TIMEOUT_MINUTES = 1440

/** The range of `top`: each costs a line of the summary. */
export const TOP = { min: 1, max: 250, whole: true } as const

/**
 * @param now in ms since the epoch: named periods end with the day before
 * @throws {BadInput} on the first input that cannot be used
 */
export function readAnalyticsInputs<Format extends string>(
  input: GetInput,
  now: number,
  defaults: AnalyticsDefaults<Format>,
): AnalyticsInputs<Format> {
  const timeout = { min: 0.01, max: MAX_TIMEOUT_MINUTES, unit: 'minutes' }
  return {
    access: readAccess(input),
    period: readPeriod(input, now, defaults.period),
    ...readFile(input, defaults),
    timeoutMs: numberIn(input, 'timeout-minutes', timeout, 10) * 60_000,
  }
}

function readPeriod(input: GetInput, now: number, fallback: PeriodName): Period {
  const [from, to] = [readDate(input, 'date-from'), readDate(input, 'date-to')]
  if (from === undefined && to === undefined) {
    return periodOf(choice(input, 'period', PERIODS, fallback), now)
  }
  if (input('period') !== '') {
    throw new BadInput(
      'period',
      'is given together with dates',
      'Keep `period`, or `date-from` and `date-to`.',
    )
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
  throw new BadInput(
    name,
    `is ${code(text, 60)}, which is not a date`,
    'Write a UTC day such as `2026-07-01`, or a time such as `2026-07-01T06:00:00Z`.',
  )
}

function readFile<Format extends string>(
  input: GetInput,
  { file: fallback, formats }: AnalyticsDefaults<Format>,
): Pick<AnalyticsInputs<Format>, 'file' | 'format'> {
  const file = input('file') || fallback
  const extension = extname(file).toLowerCase()
  const format = formats.find((known) => known === extension)
  if (format === undefined) {
    const known = formats.map((each) => code(each))
    throw new BadInput(
      'file',
      `is ${code(file, 60)}, whose extension sets no format`,
      `Write a path that ends in ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.`,
    )
  }
  if (!/\p{Cc}/u.test(file)) return { file, format }
  throw new BadInput('file', 'holds a control character', 'Write the path alone, on one line.')
}
