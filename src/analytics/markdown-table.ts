import { code } from '../text.ts'
import { pathLabel } from './path-text.ts'

/** The names of the columns, in order, with their alignment. */
export type Columns = Readonly<Record<string, 'left' | 'right'>>

/**
 * A table in GitHub's Markdown.
 * @param rows of cells that hold no bare `|` and no line break
 */
export function table(columns: Columns, rows: readonly (readonly string[])[]): string {
  const alignments = Object.values(columns).map((side) => (side === 'left' ? ':--' : '--:'))
  return [Object.keys(columns), alignments, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const PATH_WIDTH = 90

/** A path as a code span, in which nothing has a meaning in Markdown. */
export const codePath = (path: string): string => code(pathLabel(path, PATH_WIDTH)) || '(blank)'
