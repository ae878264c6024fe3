import { pageLabel } from '../analytics/page-label.ts'
import type { Row } from '../analytics/visitor-rows.ts'
import { fence, grouped } from '../text.ts'

/** More bars are hard to read. */
const MAX_BARS = 20

/** Mermaid shows no label at all when one of them needs more than the 390 pixels beside the bars. */
const LABEL_WIDTH = 26

/**
 * '' if there is nothing to draw. Mermaid has no stacked bars, but draws one series over the other: all
 * visitors go behind, the human ones in front, so what shows of the first are those that only AI accounts
 * for. Names carry the figure, because Mermaid's axis of values draws a bar for a page without visitors, and
 * its labels in bars hide behind the second series.
 */
export function chart(rows: readonly Row[]): string {
  const bars = rows.slice(0, MAX_BARS)
  const longest = Math.max(0, ...bars.map(({ total }) => total))
  if (longest === 0) return ''
  const config = {
    xyChart: {
      width: 600,
      height: 50 + 30 * bars.length,
      plotReservedSpacePercent: 35,
      titleFontSize: 16,
      xAxis: { labelFontSize: 15 },
      yAxis: { showLabel: false, showTick: false, showAxisLine: false, showTitle: false },
    },
    themeVariables: { xyChart: { plotColorPalette: '#d29922, #1f6feb', backgroundColor: 'transparent' } },
  }
  const names = bars.map(({ path, total }, i) => `"${i + 1}  ${label(path)}  ${grouped(total)}"`)
  const lines = [
    `%%{init: ${JSON.stringify(config)}}%%`,
    'xychart-beta horizontal',
    '  title "Visitors: human (blue), only AI (orange)"',
    `  x-axis [${names.join(', ')}]`,
    `  y-axis 0 --> ${longest}`,
    `  bar [${bars.map(({ total }) => total).join(', ')}]`,
    `  bar [${bars.map(({ human, total }) => Math.min(human, total)).join(', ')}]`,
  ]
  return fence(lines.join('\n'), 'mermaid')
}

/** What Mermaid's strings cannot hold (their end, Markdown, entity codes, directives, tags), and look-alikes of each. */
const [UNSAFE, LOOK_ALIKES] = ['"`#;{}<>\\', "″'＃；()‹›＼"]

const label = (path: string): string =>
  pageLabel(path, LABEL_WIDTH).replace(/["`#;{}<>\\]/g, (char) => LOOK_ALIKES.charAt(UNSAFE.indexOf(char)))
