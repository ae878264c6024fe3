import { stringify } from 'csv-stringify/sync'
import { endlessPages, MAX_PAGES } from '../analytics/client.ts'
import type { Parsed } from '../http/service.ts'
import { isObject, parseJson } from '../json.ts'

/** Visitors: people, AI, and the total, which counts a visitor once who is both. */
export interface Figures {
  readonly human: number
  readonly ai: number
  readonly total: number
}

/** In the order of all tables. */
export const FIGURES = ['human', 'ai', 'total'] as const satisfies readonly (keyof Figures)[]

/** The visitors of one page of the site. */
export interface Row extends Figures {
  readonly path: string
}

/** One page of results. */
export interface Page {
  /** Of the whole site. */
  readonly totals: Figures
  readonly rows: readonly Row[]
  readonly hasMore: boolean
}

export function parsePage(text: string): Parsed<Page> {
  const raw = parseJson(text)
  if (!isObject(raw)) return { fault: 'an answer that is not a JSON object' }
  const { totals, visitors, hasMore } = raw
  if (!isFigures(totals)) return { fault: 'an answer without usable `totals`' }
  if (typeof hasMore !== 'boolean') return { fault: 'an answer without `hasMore`' }
  if (!Array.isArray(visitors)) return { fault: 'an answer without a list of `visitors`' }
  const odd = visitors.findIndex((each) => !isRow(each))
  if (odd >= 0) return { fault: `an answer whose row ${odd + 1} is not a path with visitor counts` }
  return { totals: figures(totals), rows: visitors.map(row), hasMore }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const isFigures = (value: unknown): value is Figures =>
  isObject(value) && FIGURES.every((name) => isCount(value[name]))

const isRow = (value: unknown): value is Row =>
  isFigures(value) && 'path' in value && typeof value.path === 'string' && value.path !== ''

/** Known fields only, so that files have the same columns whatever the service adds. */
const figures = ({ human, ai, total }: Figures): Figures => ({ human, ai, total })

/** Half a surrogate pair cannot be written as UTF-8. */
const row = (each: Row): Row => ({ path: each.path.toWellFormed(), ...figures(each) })

/** What one page of results adds. */
export interface Batch {
  /** Rows with new paths. */
  readonly rows: readonly Row[]
  /** Rows left out because their path came before: rows shift when pages change ranks between two requests. */
  readonly repeated: number
  readonly totals: Figures
  /** This batch completes the list. */
  readonly complete: boolean
}

export interface Limits {
  readonly pageSize: number
  /** `Infinity` for all. */
  readonly maxRows: number
}

/** Pages of results in a row that may hold nothing but repeated rows. */
const MAX_REPEATED = 3

/**
 * The rows of a period, one page of results at a time. Requests a page only when the caller took the one before, and
 * none that is not needed. Keeps only the paths in memory.
 * @throws {ActionError} when the service claims more rows and sends none, or never stops
 */
export async function* listing(
  read: (offset: number) => Promise<Page>,
  { pageSize, maxRows }: Limits,
): AsyncGenerator<Batch, void> {
  const seen = new Set<string>()
  let repeatedPages = 0
  for (let pages = 1; ; pages++) {
    const page = await read((pages - 1) * pageSize)
    const left = maxRows - seen.size
    const fresh = page.rows.filter(({ path }) => {
      const known = seen.size
      return seen.add(path).size > known
    })
    yield {
      rows: fresh.slice(0, left),
      repeated: page.rows.length - fresh.length,
      totals: page.totals,
      complete: !page.hasMore && fresh.length <= left,
    }
    if (!page.hasMore || fresh.length >= left) return
    repeatedPages = fresh.length === 0 ? repeatedPages + 1 : 0
    if (page.rows.length === 0) throw endless(pages, 'that page is empty')
    if (repeatedPages >= MAX_REPEATED) throw endless(pages, 'the last pages repeat the same rows')
    if (pages >= MAX_PAGES) throw endless(pages, 'no site has that many pages')
  }
}

const endless = (pages: number, fault: string) =>
  endlessPages('visitors', pages, fault, 'run again later, or set `max-rows`')

/** How rows become the text of a file, a batch at a time. */
interface Format {
  readonly begin: string
  /** @param first whether no row was written before */
  rows(rows: readonly Row[], first: boolean): string
  /** @param empty whether no row was written at all */
  end(empty: boolean): string
}

/** RFC 4180 in UTF-8, without a byte order mark. */
const csv = (rows: readonly Row[], header: boolean): string =>
  stringify([...rows], {
    columns: ['path', ...FIGURES],
    header,
    record_delimiter: 'windows',
    // Spreadsheets run cells that begin with `=`, `+`, `-` or `@`, …
    escape_formulas: true,
    // … some of them also behind white space or invisible characters, …
    cast: { string: (value) => (/^[\s\p{Cc}\p{Cf}]/u.test(value) ? `'${value}` : value) },
    // … and where the comma is for decimals they split unquoted cells at semicolons.
    quoted_match: [/[;\t]/],
    // The record delimiter has two characters; a cell that holds one of them needs quotation marks too.
    quote_record_delimiter: true,
  })

/** By the file's extension. */
export const FORMATS = {
  '.csv': { begin: csv([], true), rows: (rows) => csv(rows, false), end: () => '' },
  '.json': {
    begin: '[',
    rows: (rows, first) =>
      rows.map((each, i) => `${first && i === 0 ? '\n' : ',\n'}${JSON.stringify(each)}`).join(''),
    end: (empty) => (empty ? ']\n' : '\n]\n'),
  },
  '.ndjson': {
    begin: '',
    rows: (rows) => rows.map((each) => `${JSON.stringify(each)}\n`).join(''),
    end: () => '',
  },
} as const satisfies Readonly<Record<string, Format>>

export type Extension = keyof typeof FORMATS

export const EXTENSIONS: readonly Extension[] = ['.csv', '.json', '.ndjson']
