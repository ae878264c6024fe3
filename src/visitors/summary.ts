import { codePath, table } from '../analytics/markdown-table.ts'
import { describePeriod } from '../period.ts'
import { count, duration, grouped } from '../text.ts'
import { chart } from './chart.ts'
import type { Change } from './comparison.ts'
import type { Comparison, Report } from './export.ts'
import type { Figures, Row } from './page.ts'

/** The step summary: three figures with their change, the chart, the table, the largest changes, the small print. */
export function summaryOf(report: Report): string {
  const { totals, rows, top, comparison } = report
  const parts = [
    `## ${totals.total === 0 ? 'No visitors' : count(totals.total, 'visitor')} from ${describePeriod(report.period)}`,
    figures(report),
    rows === 0 ? 'The service knows no page with visitors in this time.' : `### ${topTitle(report)}`,
    chart(top),
    rows === 0 ? '' : topPages(top, comparison),
    comparison === undefined ? '' : largestChanges(comparison, report.complete),
    smallPrint(report),
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

const FIGURES = ['human', 'ai', 'total'] as const satisfies readonly (keyof Figures)[]

function figures({ totals, comparison, period }: Report): string {
  const now = [describePeriod(period), ...FIGURES.map((name) => `**${grouped(totals[name])}**`)]
  const rows = [now]
  if (comparison !== undefined) {
    const { totals: before } = comparison
    rows.push([describePeriod(comparison.period), ...FIGURES.map((name) => grouped(before[name]))])
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
  const change = ({ path, total }: Row): string[] => {
    if (comparison === undefined) return []
    const before = comparison.pathTotals.get(path)
    return [before === undefined && !comparison.complete ? '' : changeOf(total, before ?? 0)]
  }
  return table(
    {
      ...({ '': 'right', Page: 'left', Human: 'right', AI: 'right', All: 'right' } as const),
      ...(comparison === undefined ? {} : { Change: 'right' }),
    },
    top.map((each, i) => [
      grouped(i + 1),
      codePath(each.path),
      ...FIGURES.map((name) => grouped(each[name])),
      ...change(each),
    ]),
  )
}

function largestChanges({ changes, complete }: Comparison, nowComplete: boolean): string {
  if (changes.length === 0) return ''
  const partly = complete && nowComplete ? '' : '\n\nOf the pages that both periods list.'
  const cells = ({ path, before, now }: Change) => [
    codePath(path),
    grouped(before),
    grouped(now),
    signed(now - before),
    now === 0 ? 'gone' : changeOf(now, before),
  ]
  const columns = { Page: 'left', Before: 'right', Now: 'right', Visitors: 'right', Change: 'right' } as const
  return `### What moved most${partly}\n\n${table(columns, changes.map(cells))}`
}

function smallPrint({ rows, file, requests, durationMs, complete, totals }: Report): string {
  const cut = complete ? '' : ' (the first ones only: `max-rows`)'
  const both = totals.human + totals.ai > totals.total ? ' · all counts visitors once that are both' : ''
  return `<sub>${count(rows, 'row')}${cut} in ${codePath(file)} · ${count(requests, 'request')} · ${duration(durationMs)}${both}</sub>`
}

/** With a real minus sign, so that columns align. */
function signed(value: number, digits = 0): string {
  const text = Math.abs(value).toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return `${value < 0 ? '−' : '+'}${text}`
}

/** `+12 %`, `−3.4 %`, `±0 %`, or `new` if there was nothing before. */
export function changeOf(now: number, before: number): string {
  if (before === 0) return now === 0 ? '±0 %' : 'new'
  const percent = ((now - before) / before) * 100
  if (Math.abs(percent) < 0.05) return '±0 %'
  return `${signed(percent, Math.abs(percent) < 9.95 ? 1 : 0)} %`
}
