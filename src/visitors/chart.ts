import { pathLabel } from '../analytics/path-text.ts'
import { fence } from '../text.ts'
import type { Row } from './page.ts'

/** More bars are hard to read. */
const MAX_BARS = 20

/**
 * A bar of human and AI visitors for each page, as Mermaid that GitHub renders; '' if there is nothing to draw.
 *
 * Mermaid has no stacked bars, but draws one series over the other: the sum goes behind, the human part in front. The
 * axis of values is hidden: with it, Mermaid draws a bar for a page without visitors. The table has the figures.
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
 * Columns of about 7 pixels. Mermaid shows no label at all when one of them needs more than the 540 pixels beside the
 * bars, so the longest label must fit with the widest characters.
 */
const LABEL_WIDTH = 40

/**
 * Look-alikes of what Mermaid's strings cannot hold: their end, Markdown, entity codes (`#…;`), directives (`%%{…}`)
 * and tags.
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
