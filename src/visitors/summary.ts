import { codePath, pathLabel } from '../analytics/paths.ts'
import type { FileReport } from '../analytics/run.ts'
import { describePeriod } from '../period.ts'
import { type Columns, count, duration, fence, grouped, table } from '../text.ts'
import { type Comparison, changeOf, changesSection } from './comparison.ts'
import { FIGURES, type Figures, type Row } from './rows.ts'

/** What an export found. */
export interface Export {
  /** In the file. */
  readonly rows: number
  /** Of the whole site, as the service counts them: pages do not add up to them. */
  readonly totals: Figures
  /** Most visited first. */
  readonly top: readonly Row[]
  /** Whether the file holds all rows: `max-rows` can cut it. */
  readonly complete: boolean
  /** Rows left out because they came twice. */
  readonly repeated: number
  readonly comparison: Comparison | undefined
}

/** Everything that outputs, log and summary show. */
export type Report = Export & FileReport

/** The step summary: three figures with their change, the chart, the table, the largest changes, the small print. */
export function summaryOf(report: Report): string {
  const { totals, rows, top, comparison } = report
  const parts = [
    `## ${totals.total === 0 ? 'No visitors' : count(totals.total, 'visitor')} from ${describePeriod(report.period)}`,
    figures(report),
    rows === 0 ? 'The service knows no page with visitors in this time.' : `### ${topTitle(report)}`,
    chart(top),
    rows === 0 ? '' : topPages(top, comparison),
    comparison === undefined ? '' : changesSection(comparison, report.complete),
    smallPrint(report),
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

const figureCells = (row: Figures): string[] => FIGURES.map((name) => grouped(row[name]))

function figures({ totals, comparison, period }: Report): string {
  const rows = [[describePeriod(period), ...figureCells(totals).map((figure) => `**${figure}**`)]]
  if (comparison !== undefined) {
    const { totals: before } = comparison
    rows.push([describePeriod(comparison.period), ...figureCells(before)])
    rows.push(['Change', ...FIGURES.map((name) => changeOf(totals[name], before[name]))])
  }
  return table({ Visitors: 'left', Human: 'right', AI: 'right', All: 'right' }, rows)
}

function topTitle({ rows, top, complete }: Report): string {
  if (rows === 1 && complete) return 'The one page with visitors'
  if (rows === top.length && complete) return `All ${rows} pages with visitors`
  const of = complete ? ` of ${grouped(rows)}` : ''
  return top.length === 1 ? `The most visited page${of}` : `The ${top.length} most visited pages${of}`
}

function topPages(top: readonly Row[], comparison: Comparison | undefined): string {
  const columns: Columns = { '': 'right', Page: 'left', Human: 'right', AI: 'right', All: 'right' }
  const cells = (row: Row, i: number) => [grouped(i + 1), codePath(row.path), ...figureCells(row)]
  if (comparison === undefined) return table(columns, top.map(cells))
  const change = ({ path, total }: Row): string => {
    const before = comparison.pathTotals.get(path) ?? (comparison.complete ? 0 : undefined)
    return before === undefined ? '' : changeOf(total, before)
  }
  const rows = top.map((row, i) => [...cells(row, i), change(row)])
  return table({ ...columns, Change: 'right' }, rows)
}

function smallPrint({ rows, file, requests, durationMs, complete, totals }: Report): string {
  const cut = complete ? '' : ' (the first ones only: `max-rows`)'
  const both = totals.human + totals.ai > totals.total ? ' · All counts a visitor who is both once' : ''
  return `<sub>${count(rows, 'row')}${cut} in ${codePath(file)} · ${count(requests, 'request')} · ${duration(durationMs)}${both}</sub>`
}

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
