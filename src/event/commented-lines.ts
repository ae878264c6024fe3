import { asId, type JsonObject } from '../json.ts'

/** Lines of a file, counted from 1 as it was then; before the change where that is the side that was commented. */
export interface CommentedLines {
  readonly first: number
  readonly last: number
  readonly firstIsOld: boolean
  readonly lastIsOld: boolean
}

/** @returns undefined for a comment on the whole file */
export function parseCommentedLines(raw: JsonObject): CommentedLines | undefined {
  const now = asId(raw.line)
  const last = now ?? asId(raw.original_line)
  if (last === undefined) return undefined
  const lastIsOld = raw.side === 'LEFT'
  // Where the lines are gone since, only the original ones are there.
  const first = asId(now === undefined ? raw.original_start_line : raw.start_line)
  if (first === undefined) return { first: last, last, firstIsOld: lastIsOld, lastIsOld }
  return { first, last, firstIsOld: raw.start_side === 'LEFT', lastIsOld }
}

const OLD = ' before the change'

/** With a comma before, to follow the path. */
export function describeCommentedLines(lines: CommentedLines | undefined): string {
  if (lines === undefined) return ''
  const { first, last, firstIsOld, lastIsOld } = lines
  const [from, to] = [firstIsOld ? OLD : '', lastIsOld ? OLD : '']
  if (from !== to) return `, from line ${first}${from} to line ${last}${to}`
  return first === last ? `, line ${last}${to}` : `, lines ${first} to ${last}${to}`
}
