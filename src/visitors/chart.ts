import { fence, oneLine } from '../text.ts'
import type { Row } from './page.ts'

/** More bars than these are no longer read. */
const MAX_BARS = 20

/**
 * A bar of human and AI visitors for each page, as Mermaid that GitHub renders; '' where there is nothing to draw.
 *
 * The chart knows no stacked bars, but draws one series over the other: the sum goes behind, the human part in front.
 * It has no axis of values because bars begin at the axis, while its labels leave a margin before zero: with labels, a
 * page without visitors has a bar. The figures are in the table.
 */
export function chart(rows: readonly Row[]): string {
  const bars = rows.slice(0, MAX_BARS)
  const sums = bars.map(({ human, ai }) => human + ai)
  const longest = Math.max(0, ...sums)
  if (longest === 0) return ''
  const config = {
    xyChart: {
      width: 900,
      height: 50 + 34 * bars.length,
      yAxis: { showLabel: false, showTick: false, showAxisLine: false, showTitle: false },
    },
    themeVariables: { xyChart: { plotColorPalette: '#d29922, #1f6feb', backgroundColor: 'transparent' } },
  }
  const lines = [
    `%%{init: ${JSON.stringify(config)}}%%`,
    'xychart-beta horizontal',
    '  title "Human (blue) and AI (orange) visitors"',
    `  x-axis [${bars.map(({ path }, i) => `"${i + 1}  ${label(path)}"`).join(', ')}]`,
    `  y-axis 0 --> ${longest}`,
    `  bar [${sums.join(', ')}]`,
    `  bar [${bars.map(({ human }) => human).join(', ')}]`,
  ]
  return fence(lines.join('\n'), 'mermaid')
}

/** Wide characters take the room of two. */
const LABEL_WIDTH = 36

/**
 * What Mermaid takes for its own: the end of a string, Markdown in one, entity codes (`#…;`), directives (`%%{…}`)
 * and tags. Look-alikes take their place.
 */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  '"': '″',
  '`': "'",
  '#': '＃',
  ';': '；',
  '{': '(',
  '}': ')',
  '<': '‹',
  '>': '›',
  '\\': '＼',
}

function label(path: string): string {
  const plain = oneLine(path, 1000).replace(/\p{Cf}/gu, '')
  return cutMiddle(plain, LABEL_WIDTH).replace(/["`#;{}<>\\]/g, (char) => LOOK_ALIKES[char] ?? '')
}

/** At most `width` columns: the end of a path says more than its middle. */
export function cutMiddle(text: string, width: number): string {
  const characters = Array.from(text)
  if (widthOf(characters) <= width) return text
  const tail = Math.floor(width / 2)
  return `${takeWidth(characters, width - tail - 1).join('')}…${takeWidth(characters.toReversed(), tail).toReversed().join('')}`
}

/** Scripts whose characters are as wide as they are high, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

const widthOf = (characters: readonly string[]): number =>
  characters.reduce((sum, char) => sum + (WIDE.test(char) ? 2 : 1), 0)

/** As many from the start as fit. */
function takeWidth(characters: readonly string[], width: number): string[] {
  let room = width
  const end = characters.findIndex((char) => {
    room -= widthOf([char])
    return room < 0
  })
  return characters.slice(0, end < 0 ? characters.length : end)
}
