import { basename } from 'node:path'
import { codeSpan, count, duration, fence, grouped, joined, table } from '../base/text.ts'
import { periodInMarkdown } from '../inputs/period.ts'
import { pageCode, pageLabel } from './analytics.ts'
import { coverageTables } from './coverage-summary.ts'
import type { VisitorsReport } from './visitor-export.ts'
import { mostVisited, type Page, totalOf, type VisitedPages } from './visitor-pages.ts'
import { notesOf } from './visitors-notes.ts'

export function visitorsSummary(report: VisitorsReport): string {
  const { totals, pages, size, file, requests, durationMs, complete } = report
  const rows = report.records.size
  const cut = complete ? '' : ' (the first ones only: `max-rows`)'
  const isTwice = totals.human + totals.ai > totals.total
  const both = isTwice ? ' · A visitor who is human and AI counts once in All' : ''
  const top = mostVisited(report, size)
  const visitors = totals.total === 0 ? 'No visitors' : count(totals.total, 'visitor')
  const of = complete ? ` of ${grouped(pages.size)}` : ''
  let title = top.length === 1 ? `The most visited path${of}` : `The ${top.length} most visited paths${of}`
  if (complete && pages.size === top.length) title = `All ${pages.size} paths with visitors`
  if (complete && pages.size === 1) title = 'The one path with visitors'
  const parts = [
    `## ${visitors} from ${periodInMarkdown(report.period)}`,
    figuresTable(report),
    pages.size === 0 ? 'The service knows no page with visitors in this time.' : '',
    pages.size === 0 ? '' : `### ${title}`,
    chart(top),
    pages.size === 0 ? '' : pagesTable(report, top),
    changesTable(report),
    coverageTables(report),
    notesOf(report)
      .map((note) => `- ${note}`)
      .join('\n'),
    `<sub>${count(rows, 'row')}${cut} in ${codeSpan(basename(file))} · ${count(requests, 'request')} · ${duration(durationMs)}${both}</sub>`,
  ]
  return `${joined('\n\n', ...parts)}\n`
}

/** Two columns, here and below, so that a phone shows all of them. */
function figuresTable({ totals, comparison }: VisitorsReport): string {
  const names = { All: 'total', Human: 'human', AI: 'ai' } as const
  const rows = Object.entries(names).map(([name, field]) => {
    const [now, before] = [totals[field], comparison?.totals[field]]
    if (before === undefined) return [name, `**${grouped(now)}**`]
    return [`${name}<br>${grouped(before)} before`, `**${grouped(now)}**<br>${percentage(now, before)}`]
  })
  const before = comparison === undefined ? '' : `Before: ${periodInMarkdown(comparison.period)}.`
  return joined('\n\n', table({ Visitors: 'left', Number: 'right' }, rows), before)
}

function pagesTable({ comparison }: VisitorsReport, top: readonly Page[]): string {
  const rows = top.map(({ path, total, human, ai }) => {
    const before = comparison && totalOf(comparison, path)
    const difference = before === undefined ? '' : `<br>${percentage(total, before)}`
    return [
      `${pageCode(path)}<br>${grouped(human)} human, ${grouped(ai)} AI`,
      `**${grouped(total)}**${difference}`,
    ]
  })
  return table({ Path: 'left', All: 'right' }, rows)
}

/** '' where nothing changed. */
function changesTable(report: VisitorsReport): string {
  const { comparison, complete, size } = report
  const changes = comparison === undefined ? [] : largestChanges(report, comparison, size)
  if (comparison === undefined || changes.length === 0) return ''
  const partly = complete && comparison.complete ? '' : '\n\nOf the paths that both periods list.'
  const rows = changes.map(({ path, before, now }) => [
    `${pageCode(path)}<br>${grouped(before)} before, ${grouped(now)} now`,
    // A real minus sign, so that columns align.
    `**${now < before ? '−' : '+'}${grouped(Math.abs(now - before))}**`,
  ])
  return `### What moved most${partly}\n\n${table({ Path: 'left', Difference: 'right' }, rows)}`
}

/** More bars are hard to read. */
const MAX_BARS = 20

/**
 * Mermaid measures labels as scaled to the page, so a chart that is wider than a phone loses their beginnings there. It shows no
 * label at all where one of them needs more than the 240 pixels beside the bars.
 */
const CHART_WIDTH = 320
const LABEL_WIDTH = 20

/**
 * '' if there is nothing to draw. Mermaid has no stacked bars, but draws one series over the other: all
 * visitors go behind, the human ones in front, so what shows of the first are those that only AI accounts
 * for. Names carry the figure, because Mermaid's axis of values draws a bar for a page without visitors, and
 * its labels in bars hide behind the second series.
 */
export function chart(rows: readonly Page[]): string {
  const bars = rows.slice(0, MAX_BARS)
  const longest = Math.max(0, ...bars.map(({ total }) => total))
  if (longest === 0) return ''
  const config = {
    xyChart: {
      width: CHART_WIDTH,
      height: 50 + 24 * bars.length,
      plotReservedSpacePercent: 25,
      titleFontSize: 13,
      xAxis: { labelFontSize: 12 },
      yAxis: { showLabel: false, showTick: false, showAxisLine: false, showTitle: false },
    },
    themeVariables: { xyChart: { plotColorPalette: '#d29922, #1f6feb', backgroundColor: 'transparent' } },
  }
  const names = bars.map(({ path, total }, i) => {
    const label = pageLabel(path, LABEL_WIDTH)
    const shown = label.replace(/["`#;{}<>\\]/g, (char) => LOOK_ALIKES.charAt(UNSAFE.indexOf(char)))
    return `"${i + 1}  ${shown}  ${grouped(total)}"`
  })
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

/** Up or down, the largest change first. */
function largestChanges(now: VisitedPages, before: VisitedPages, size: number) {
  return [...new Set([...now.pages.keys(), ...before.pages.keys()])]
    .flatMap((path) => {
      const [to, from] = [totalOf(now, path), totalOf(before, path)]
      return to === undefined || from === undefined || to === from ? [] : [{ path, before: from, now: to }]
    })
    .toSorted((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before))
    .slice(0, size)
}

/** `+12 %`, `−3.4 %`, `±0 %`, or `new` where there was nothing before. */
function percentage(now: number, before: number): string {
  if (before === 0) return now === 0 ? '±0\u00a0%' : 'new'
  const percent = Math.abs((now - before) / before) * 100
  if (percent < 0.05) return '±0\u00a0%'
  const size = percent < 9.95 ? percent.toFixed(1) : grouped(Math.round(percent))
  return `${now < before ? '−' : '+'}${size}\u00a0%`
}
