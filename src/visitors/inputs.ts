import { extname } from 'node:path'
import { BadInput } from '../core/errors.ts'
import { code } from '../core/text.ts'
import type { ServiceAccess } from '../http/service.ts'
import { choice, flag, numberIn, optionalNumberIn, type RawInputs } from '../inputs/read.ts'
import { readAccess } from '../inputs/service.ts'
import { type Extension, FORMATS, isExtension } from './format.ts'
import { PERIODS, type Period, parseDate, presetPeriod } from './period.ts'

/** The inputs of `visitors`, checked and typed (contract 7). */
export interface VisitorsInputs {
  readonly access: ServiceAccess
  readonly period: Period
  readonly file: string
  readonly format: Extension
  readonly pageSize: number
  /** `Infinity` for all. */
  readonly maxRows: number
  readonly top: number
  readonly compare: boolean
  readonly timeoutMs: number
}

/** What the service allows. */
const MAX_PAGE_SIZE = 250

/** Each costs a line of the summary and a place in two outputs. */
const MAX_TOP = 250

/** A day; no runner waits longer than that. */
const MAX_TIMEOUT_MINUTES = 1440

/**
 * @param now in ms since the epoch: the periods end with the day before
 * @throws {BadInput} on the first input that cannot be used
 */
export function readVisitorsInputs(inputs: RawInputs, now: number): VisitorsInputs {
  const access = readAccess(inputs)
  const maxRows = { min: 1, max: 10_000_000, whole: true, unit: 'rows' }
  const pageSize = { min: 1, max: MAX_PAGE_SIZE, whole: true, unit: 'rows' }
  const top = { min: 1, max: MAX_TOP, whole: true, unit: 'pages' }
  const timeout = { min: 0.01, max: MAX_TIMEOUT_MINUTES, unit: 'minutes' }
  return {
    access,
    period: readPeriod(inputs, now),
    ...readFile(inputs),
    pageSize: numberIn(inputs, 'page-size', pageSize, MAX_PAGE_SIZE),
    maxRows: optionalNumberIn(inputs, 'max-rows', maxRows) ?? Number.POSITIVE_INFINITY,
    top: numberIn(inputs, 'top', top, 10),
    compare: flag(inputs, 'compare', false),
    timeoutMs: numberIn(inputs, 'timeout-minutes', timeout, 10) * 60_000,
  }
}

function readPeriod(inputs: RawInputs, now: number): Period {
  const [from, to] = [readDate(inputs, 'date-from'), readDate(inputs, 'date-to')]
  if (from === undefined && to === undefined)
    return presetPeriod(choice(inputs, 'period', PERIODS, '30d'), now)
  if (inputs('period') !== undefined) {
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
  throw new BadInput('date-from', 'is not before `date-to`', 'Let `date-to` be the day after the last one.')
}

function readDate(inputs: RawInputs, name: string): number | undefined {
  const text = inputs(name)
  const date = text === undefined ? undefined : parseDate(text)
  if (text === undefined || date !== undefined) return date
  throw new BadInput(
    name,
    `is ${code(text, 60)}, which no calendar has`,
    'Write a UTC day such as `2026-07-01`, or a time such as `2026-07-01T06:00:00Z`.',
  )
}

function readFile(inputs: RawInputs): Pick<VisitorsInputs, 'file' | 'format'> {
  const file = inputs('file') ?? 'visitors.csv'
  const format = extname(file).toLowerCase()
  const endings = Object.keys(FORMATS).map((ending) => code(ending))
  if (!isExtension(format)) {
    throw new BadInput(
      'file',
      `is ${code(file, 60)}, whose ending tells no format`,
      `Let it end in ${endings.slice(0, -1).join(', ')} or ${endings.at(-1)}.`,
    )
  }
  if (!/\p{Cc}/u.test(file)) return { file, format }
  throw new BadInput('file', 'holds a control character', 'Write the path alone, on one line.')
}
