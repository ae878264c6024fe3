import { withoutIgnorable } from '../base/invisible.ts'

/** How a comment came, as GitHub says; `unknown` where it does not say. */
export type CommentChannel = 'page' | 'email' | 'unknown'

export const isQuoted = (line: string): boolean => /^\s*>/.test(line)
export const isBlank = (line: string): boolean => withoutIgnorable(line).trim() === ''

/**
 * Where the first paragraph ends that begins at `from`. Of a mail, nothing below it is surely its writer's: clients put
 * there what they answer, each in a form of its own.
 */
export function endOfParagraph(lines: readonly string[], from: number): number {
  const end = lines.findIndex((line, at) => at > from && (isBlank(line) || isQuoted(line)))
  return end < 0 ? lines.length : end
}

/** Whether there are words from this line on that are not marked as quoted. */
export const hasWords = (lines: readonly string[], from: number): boolean =>
  lines.slice(from).some((line) => !isBlank(line) && !isQuoted(line))
