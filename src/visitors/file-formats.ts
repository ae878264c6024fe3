import { stringify } from 'csv-stringify/sync'
import { FIGURES, type Row } from '../analytics/visitor-rows.ts'

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

const jsonLines = (rows: readonly Row[]): readonly string[] => rows.map((row) => JSON.stringify(row))

export const FORMATS = {
  '.csv': { begin: csv([], true), rows: (rows) => csv(rows, false), end: () => '' },
  '.json': {
    begin: '[',
    rows: (rows, first) => `${first ? '\n' : ',\n'}${jsonLines(rows).join(',\n')}`,
    end: (empty) => (empty ? ']\n' : '\n]\n'),
  },
  '.ndjson': { begin: '', rows: (rows) => `${jsonLines(rows).join('\n')}\n`, end: () => '' },
} as const satisfies Readonly<Record<string, Format>>

export type Extension = keyof typeof FORMATS

export const EXTENSIONS: readonly Extension[] = ['.csv', '.json', '.ndjson']
