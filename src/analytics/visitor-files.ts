import { stringify } from 'csv-stringify/sync'

export type Cell = string | number | null
export type Extension = '.csv' | '.json' | '.ndjson'

export interface Records {
  readonly columns: readonly string[]
  readonly size: number
  /** One after another, because a site can have many: the cells of a row, in the order of the columns. */
  rows(): Iterable<readonly Cell[]>
}

/** RFC 4180 in UTF-8. @param hasMark begins with a byte order mark, by which Excel knows UTF-8 */
function csv(records: Records, hasMark: boolean): string {
  const parts = [csvOf([records.columns])]
  for (const rows of inChunks(records)) parts.push(csvOf(rows))
  return `${hasMark ? '\ufeff' : ''}${parts.join('')}`
}

const csvOf = (rows: readonly (readonly Cell[])[]): string =>
  stringify(
    rows.map((row) => row.map(defused)),
    {
      record_delimiter: 'windows',
      // Spreadsheets run cells that begin with `=`, `+`, `-` or `@`, …
      escape_formulas: true,
      // … and where the comma is for decimals they split unquoted cells at semicolons.
      quoted_match: [/[;\t]/],
      // The record delimiter has two characters; a cell that holds one of them needs quotation marks too.
      quote_record_delimiter: true,
    },
  )

/** Some spreadsheets run a formula behind white space or invisible characters, too. */
const defused = (cell: Cell): Cell =>
  typeof cell === 'string' && /^[\s\p{Cc}\p{Cf}]/u.test(cell) ? `'${cell}` : cell

/** Rows of a chunk: all at once take much memory. */
const CHUNK = 1000

function* inChunks({ rows }: Records): Generator<readonly (readonly Cell[])[]> {
  let chunk: (readonly Cell[])[] = []
  for (const row of rows()) {
    chunk.push(row)
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = []
  }
  yield chunk
}

function jsonLines({ columns, rows }: Records): readonly string[] {
  const lines: string[] = []
  for (const row of rows()) {
    lines.push(JSON.stringify(Object.fromEntries(columns.map((column, at) => [column, row[at]]))))
  }
  return lines
}

export const VISITOR_FORMATS: Readonly<Record<Extension, (records: Records, hasMark: boolean) => string>> = {
  '.csv': csv,
  '.json': (records) => (records.size === 0 ? '[]\n' : `[\n${jsonLines(records).join(',\n')}\n]\n`),
  '.ndjson': (records) =>
    jsonLines(records)
      .map((line) => `${line}\n`)
      .join(''),
}

export const EXTENSIONS: readonly Extension[] = ['.csv', '.json', '.ndjson']
