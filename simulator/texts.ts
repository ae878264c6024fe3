import { renderMarkdown } from '../emulator/github/render.ts'
import type { Dice } from './dice.ts'
import { REPOSITORY } from './world.ts'

/** Words that can be found again in a prompt, at places that GitHub shows and at places that it hides. */
const INLINE: readonly [Make, ...Make[]] = [
  (word) => word(),
  (word) => `${word()} <!-- ${word()} --> ${word()}`,
  (word) => `\`<!-- ${word()} -->\` ${word()}`,
  (word) => `[${word()}](https://example.com "${word()}")`,
  (word) => `![${word()}](https://example.com/a.png) ${word()}`,
  (word) => `**${word()}** ~~${word()}~~ <b title="${word()}">${word()}</b>`,
  (word) => `${word()}\n===\n${word()}`,
  (word) => `a &lt;!-- ${word()} --&gt; b`,
]

const BLOCKS: readonly [Make, ...Make[]] = [
  (word) => `<!--\n${word()}\n\n${word()}\n-->\n\n${word()}`,
  (word) => `<details><summary>${word()}</summary>\n\n${word()}\n\n</details>`,
  (word) => `\`\`\`html\n<!-- ${word()} -->\n<p title="${word()}">\n\`\`\``,
  (word) => `[unused]: https://example.com "${word()}"\n\n${word()}`,
  (word) => `| ${word()} | b |\n| --- | --- |\n| ${word()} | <!-- ${word()} --> |`,
  (word) => `# ${word()}\n\n- ${word()}\n  - ${word()} <!-- ${word()}\n    ${word()} -->`,
  (word) => `> ${word()}\n> <!-- ${word()} -->\n\n${word()}`,
  (word) => `${word()}\n\n<!-- ${word()}`,
]

type Make = (word: () => string) => string

const wordOf = (dice: Dice) => () => `word-${dice.whole(100_000_000, 999_999_999)}`

/** A line of a comment. */
export const inlineText = (dice: Dice): string => dice.pick(INLINE)(wordOf(dice))

/** The body of an issue; the last block may hide all that follows. */
export const bodyText = (dice: Dice): string =>
  [dice.pick(INLINE), dice.pick(BLOCKS), dice.pick(BLOCKS)].map((make) => make(wordOf(dice))).join('\n\n')

export const wordsIn = (text: string): string[] => text.match(/word-\d{9}/g) ?? []

export interface Words {
  readonly shown: readonly string[]
  readonly hidden: readonly string[]
}

const known = new Map<string, Words>()

/** The words of a text, as GitHub's page shows or hides them. */
export function wordsOnPage(markdown: string): Words {
  const before = known.get(markdown)
  if (before !== undefined) return before
  const page = renderMarkdown(markdown, { repository: REPOSITORY }).replace(/<[^>]*>/g, '')
  const onPage = new Set(wordsIn(page))
  const all = wordsIn(markdown)
  const words = {
    shown: all.filter((word) => onPage.has(word)),
    hidden: all.filter((word) => !onPage.has(word)),
  }
  if (known.size > 1000) known.clear()
  known.set(markdown, words)
  return words
}
