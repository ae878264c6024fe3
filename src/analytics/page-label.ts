import { code, oneLine } from '../text.ts'

/** Longer paths are cut before anything is measured. */
const MAX_LENGTH = 4000

/** A path on one line of at most `width` columns, without invisible characters; '' if none is visible. */
export function pageLabel(path: string, width: number): string {
  const line = oneLine(path, MAX_LENGTH).replace(/\p{Cf}/gu, '')
  return cutMiddle(line.trim(), width)
}

/** The end of a path says more than its middle. */
export function cutMiddle(text: string, width: number): string {
  const characters = Array.from(text)
  if (widthOf(characters) <= width) return text
  let [start, end] = [characters.slice(0, width), characters.slice(-width)]
  while (widthOf(start) > Math.ceil(width / 2) - 1) start = start.slice(0, -1)
  while (widthOf(end) > Math.floor(width / 2)) end = end.slice(1)
  return [...start, '…', ...end].join('')
}

/** Most scripts have characters that are twice as wide as Latin ones. */
const WIDE = /[^\x20-\x7e\u00c0-\u017f]|[@%MWmw]/u

const widthOf = (characters: readonly string[]): number =>
  characters.reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0)

const CODE_WIDTH = 60

/** A path as a code span, in which nothing has a meaning in Markdown. */
export const pageCode = (path: string): string => code(pageLabel(path, CODE_WIDTH)) || '(blank)'
