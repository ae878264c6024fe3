import { extname } from 'node:path'
import { BadInput } from '../errors.ts'
import { choice, type GetInput, oneOf, readAccess, readTimeoutMs } from '../input-readers.ts'
import { PERIODS, type Period, type PeriodName, parseDate, periodOf } from '../period.ts'
import { code } from '../text.ts'

/** The inputs that `visitors` and `insights` share (contract 7, 9). The key may be '': see `requireKey`. */
export type AnalyticsInputs = Readonly<ReturnType<typeof readAnalyticsInputs>>

/** The range of `top`: each costs a line of the summary. */
export const TOP = { min: 1, max: 250, whole: true } as const

/**
 * @param now in ms since the epoch: named periods end with the day before
 * @throws {BadInput} on the first input that cannot be used
 */
export function readAnalyticsInputs<Format extends string>(
  input: GetInput,
  now: number,
  defaults: { readonly period: PeriodName; readonly file: string; readonly formats: readonly Format[] },
) {
  return {
    access: readAccess(input),
    period: readPeriod(input, now, defaults.period),
    ...readFile(input, defaults.file, defaults.formats),
    timeoutMs: readTimeoutMs(input, 0.01, 10),
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

/** @returns `format`: the file's extension in lower case */
function readFile<Format extends string>(input: GetInput, fallback: string, formats: readonly Format[]) {
  const file = input('file') || fallback
  const extension = extname(file).toLowerCase()
  const format = formats.find((known) => known === extension)
  if (format === undefined) {
    throw new BadInput(
      'file',
      `is ${code(file, 60)}, whose extension sets no format`,
      `Write a path that ends in ${oneOf(formats)}.`,
    )
  }
  if (!/\p{Cc}/u.test(file)) return { file, format }
  throw new BadInput('file', 'holds a control character', 'Write the path alone, on one line.')
}
