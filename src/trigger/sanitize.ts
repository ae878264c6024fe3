import { type CodeLines, certainCode } from './sanitize-code.ts'
import { withoutDefinitions } from './sanitize-definitions.ts'
import { withoutFootnotes } from './sanitize-footnotes.ts'
import { withoutAttributes, withoutHiddenHtml, withoutParentheses } from './sanitize-html.ts'
import { withoutExcessCells, withoutInfo } from './sanitize-lines.ts'
import { withoutAlternatives, withoutTitles } from './sanitize-links.ts'

/**
 * Takes out of Markdown what its readers on GitHub do not see, since the agent would read it as well (contract 4.2).
 * What is left may still be hostile: it stays inside a fence.
 *
 * Order matters: code is set aside, since nothing hides in it; invisible characters go next, so that they cannot break
 * up what the next steps look for; the rest is repeated until nothing changes, so that no removal puts together what
 * the next one would have taken.
 */
export function sanitize(markdown: string): string {
  const lines = markdown.replace(/\r\n?/g, '\n').split('\n')
  const code = certainCode(lines, withoutInvisible)
  const shown = shownOf(withPlaceholders(lines, code))
  return shown.replace(PLACEHOLDER, (_, number: string) => {
    const { from, to } = code[Number(number)] ?? { from: 0, to: 0 }
    return withoutInvisible(lines.slice(from, to).join('\n'))
  })
}

/** Characters for private use are invisible ones, so that no text can hold a placeholder of its own. */
const PLACEHOLDER = /\ue000(\d+)\ue000/g

function withPlaceholders(lines: readonly string[], code: readonly CodeLines[]): string {
  const parts: string[] = []
  let next = 0
  for (const [number, { from, to }] of code.entries()) {
    parts.push(...lines.slice(next, from).flatMap(visibleLine))
    if (to > from) parts.push(`\ue000${number}\ue000`)
    next = to
  }
  return [...parts, ...lines.slice(next).flatMap(visibleLine)].join('\n')
}

/** A line of nothing but invisible characters ends no paragraph, so nothing may be left of it that would. */
function visibleLine(line: string): string[] {
  const visible = withoutInvisible(line).replace(/[\u2028\u2029]/g, ' ')
  return /^[ \t]*$/.test(visible) && !/^[ \t]*$/.test(line) ? [] : [visible]
}

function shownOf(markdown: string): string {
  let text = markdown
  for (let pass = 1; ; pass++) {
    const shown = STEPS.reduce((rest, without) => without(rest), text)
    if (shown === text) return text.replace(/\n{3,}/g, '\n\n').trim()
    text = pass < MOST_PASSES ? shown : shown.replace(/[<[]/g, ' ')
  }
}

const STEPS: readonly ((text: string) => string)[] = [
  withoutHiddenHtml,
  withoutParentheses,
  withoutAttributes,
  withoutFootnotes,
  withoutDefinitions,
  withoutInfo,
  withoutExcessCells,
  withoutAlternatives,
  withoutTitles,
]

/** Nobody nests comments this deep in good faith; what is left then loses the characters that all hiding needs. */
const MOST_PASSES = 20

/**
 * Zero-width, bidirectional, filler, variation and tag characters are all "default ignorable" in Unicode; the
 * interlinear ones, the empty Braille pattern, those for private use and the controls are not.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Co}\u2800\ufff9-\ufffb]|(?![\n\t])\p{Cc}/gu

/** The text without the characters that nobody sees, for what is not Markdown: titles, names, patches. */
export const withoutInvisible = (text: string): string => text.toWellFormed().replace(INVISIBLE, '')
