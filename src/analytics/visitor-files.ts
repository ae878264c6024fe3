import { stringify } from 'csv-stringify/sync'

export type Cell = string | number | null
export type Extension = '.csv' | '.json' | '.ndjson'

export interface Records {
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, Cell>>[]
}

/** RFC 4180 in UTF-8. @param hasMark begins with a byte order mark, by which Excel knows UTF-8 */
function csv({ columns, rows }: Records, hasMark: boolean): string {
  return stringify([...rows], {
    bom: hasMark,
    columns: [...columns],
    header: true,
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
}

const jsonLines = ({ rows }: Records): readonly string[] => rows.map((row) => JSON.stringify(row))

export const FORMATS: Readonly<Record<Extension, (records: Records, hasMark: boolean) => string>> = {
  '.csv': csv,
  '.json': ({ rows, ...more }) =>
    rows.length === 0 ? '[]\n' : `[\n${jsonLines({ rows, ...more }).join(',\n')}\n]\n`,
  '.ndjson': (records) =>
    jsonLines(records)
      .map((line) => `${line}\n`)
      .join(''),
}

export const EXTENSIONS: readonly Extension[] = ['.csv', '.json', '.ndjson']
