import { withoutDefinitions } from './sanitize-definitions.ts'
import { withoutFootnotes } from './sanitize-footnotes.ts'
import { withoutAttributes, withoutHiddenHtml } from './sanitize-html.ts'
import { withoutExcessCells, withoutInfo } from './sanitize-lines.ts'
import { withoutAlternatives, withoutTitles } from './sanitize-links.ts'

/**
 * Takes out of Markdown what its readers on GitHub do not see, since the agent would read it as well (contract 4.2).
 * What is left may still be hostile: it stays inside a fence.
 *
 * Order matters: invisible characters go first, so that they cannot break up what the next steps look for; the rest is
 * repeated until nothing changes, so that no removal puts together what the next one would have taken.
 */
export function sanitize(markdown: string): string {
  let text = withoutInvisible(markdown.replace(/\r\n?/g, '\n'))
  for (let pass = 1; ; pass++) {
    const shown = STEPS.reduce((rest, without) => without(rest), text)
    if (shown === text) return text.replace(/\n{3,}/g, '\n\n').trim()
    text = pass < MOST_PASSES ? shown : shown.replace(/[<[]/g, ' ')
  }
}

const STEPS: readonly ((text: string) => string)[] = [
  withoutHiddenHtml,
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
