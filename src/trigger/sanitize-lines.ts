import { CONTAINERS } from './sanitize-blocks.ts'

const FENCE = new RegExp(`^(${CONTAINERS}(?:\`{3,}(?=[^\`]*$)|~{3,}))(.*)$`, 'gm')
const LANGUAGE = /^\s*[\w+#.-]{1,30}(?!\S)/

/** Of the line that opens a block of code only the language counts; nobody sees the rest. */
export const withoutInfo = (text: string): string =>
  text.replace(FENCE, (_, fence: string, info: string) => fence + (LANGUAGE.exec(info)?.[0] ?? ''))

/** A row of a table may have more cells than its head, and these are not shown. */
export function withoutExcessCells(text: string): string {
  let columns = Number.POSITIVE_INFINITY
  let before = ''
  const rows = text.split('\n').map((line) => {
    if (/^[ \t]*$/.test(line)) columns = Number.POSITIVE_INFINITY
    const cells = cellsOf(line)
    const heads = before.trim() === '' ? [] : cellsOf(before)
    if (isDelimiters(line, cells) && cells.length === heads.length) columns = cells.length
    before = line
    return cells.length > columns ? `${cells.slice(0, columns).join('|')}|` : line
  })
  return rows.join('\n')
}

/** The line below the head of a table: `| --- | :-: |`. Dashes alone make a heading of what is above them. */
const isDelimiters = (line: string, [first = '', ...rest]: readonly string[]): boolean =>
  /[|:]/.test(line) && /-:?$/.test(first.trimEnd()) && rest.every((cell) => /^:?-+:?$/.test(cell.trim()))

const NOTHING = new RegExp(`^${CONTAINERS}$`)

/** Parts between the bars, the first with what stands before it: bars count in code too, unless escaped. */
function cellsOf(line: string): string[] {
  const [first = '', ...rest] = line.trimEnd().split(/(?<!\\)\|/)
  const cells = rest.at(-1) === '' ? rest.slice(0, -1) : rest
  const [second, ...others] = cells
  return second !== undefined && NOTHING.test(first) ? [`${first}|${second}`, ...others] : [first, ...cells]
}
