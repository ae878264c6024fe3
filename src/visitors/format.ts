import { stringify } from 'csv-stringify/sync'
import type { Row } from './rows.ts'

/** How rows become the text of a file, a batch at a time. */
export interface Format {
  readonly begin: string
  /** @param first whether no row was written before */
  rows(rows: readonly Row[], first: boolean): string
  /** @param empty whether no row was written at all */
  end(empty: boolean): string
}

const COLUMNS = ['path', 'human', 'ai', 'total'] as const satisfies readonly (keyof Row)[]

/** RFC 4180 in UTF-8, without a byte order mark. */
const csv = (rows: readonly Row[], header: boolean): string =>
  stringify([...rows], {
    columns: COLUMNS,
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

const json = ({ path, human, ai, total }: Row): string => JSON.stringify({ path, human, ai, total })

export const FORMATS = {
  '.csv': { begin: csv([], true), rows: (rows) => csv(rows, false), end: () => '' },
  '.json': {
    begin: '[',
    rows: (rows, first) => rows.map((row, i) => `${first && i === 0 ? '\n' : ',\n'}${json(row)}`).join(''),
    end: (empty) => (empty ? ']\n' : '\n]\n'),
  },
  '.ndjson': { begin: '', rows: (rows) => rows.map((row) => `${json(row)}\n`).join(''), end: () => '' },
} as const satisfies Readonly<Record<string, Format>>

export type Extension = keyof typeof FORMATS

export const EXTENSIONS: readonly Extension[] = ['.csv', '.json', '.ndjson']
