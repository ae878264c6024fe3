import { fence } from '../core/text.ts'
import { pathLabel } from './label.ts'
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
      plotReservedSpacePercent: 40,
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

/**
 * Columns of about 7 pixels. Mermaid shows no label at all when one of them takes more room than the bars leave, 540
 * pixels, so the longest label must fit with the widest characters.
 */
const LABEL_WIDTH = 40

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

const label = (path: string): string =>
  pathLabel(path, LABEL_WIDTH).replace(/["`#;{}<>\\]/g, (char) => LOOK_ALIKES[char] ?? '')
