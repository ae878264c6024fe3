import type { FileReport } from '../analytics/analytics-step.ts'
import { pageCode } from '../analytics/page-label.ts'
import type { Figures, Row, Visitors } from '../analytics/visitor-rows.ts'
import { type Period, periodInMarkdown } from '../period.ts'
import { code, count, duration, grouped, joined, table } from '../text.ts'
import { chart } from './chart.ts'
import { largestChanges, mostVisited, percentage, signed, totalOf } from './visitor-changes.ts'

interface Comparison extends Visitors {
  readonly period: Period
}

export interface Export extends Visitors {
  /** The most pages in the chart and in each table. */
  readonly size: number
  readonly comparison: Comparison | undefined
}

export type Report = Export & FileReport

const figureCells = ({ total, human, ai }: Figures): string[] => [total, human, ai].map(grouped)

export function summaryOf(report: Report): string {
  const { totals, rows, size } = report
  const top = mostVisited(report, size)
  const visitors = totals.total === 0 ? 'No visitors' : count(totals.total, 'visitor')
  const parts = [
    `## ${visitors} from ${periodInMarkdown(report.period)}`,
    figuresTable(report),
    rows.size === 0
      ? 'The service knows no page with visitors in this time.'
      : `### ${topTitle(report, top)}`,
    chart(top),
    rows.size === 0 ? '' : pagesTable(report, top),
    changesTable(report),
    smallPrint(report),
  ]
  return `${joined('\n\n', ...parts)}\n`
}

function figuresTable({ totals, comparison, period }: Report): string {
  const rows = [[periodInMarkdown(period), ...figureCells(totals).map((figure) => `**${figure}**`)]]
  if (comparison !== undefined) {
    const { totals: before } = comparison
    rows.push([periodInMarkdown(comparison.period), ...figureCells(before)])
    const differences = (['total', 'human', 'ai'] as const).map((name) =>
      percentage(totals[name], before[name]),
    )
    rows.push(['Difference', ...differences])
  }
  return table({ Period: 'left', All: 'right', Human: 'right', AI: 'right' }, rows)
}

function topTitle({ rows, complete }: Report, top: readonly Row[]): string {
  if (rows.size === 1 && complete) return 'The one page with visitors'
  if (rows.size === top.length && complete) return `All ${rows.size} pages with visitors`
  const of = complete ? ` of ${grouped(rows.size)}` : ''
  return top.length === 1 ? `The most visited page${of}` : `The ${top.length} most visited pages${of}`
}

/** Two columns, so that a phone shows all of it. */
function pagesTable({ comparison }: Report, top: readonly Row[]): string {
  const difference = ({ path, total }: Row): string => {
    const before = comparison && totalOf(comparison, path)
    return before === undefined ? '' : `<br>${percentage(total, before)}`
  }
  const rows = top.map((row) => [
    `${pageCode(row.path)}<br>${grouped(row.human)} human, ${grouped(row.ai)} AI`,
    `**${grouped(row.total)}**${difference(row)}`,
  ])
  return table({ Page: 'left', All: 'right' }, rows)
}

/** '' where nothing changed. */
function changesTable(report: Report): string {
  const { comparison, complete, size } = report
  const changes = comparison === undefined ? [] : largestChanges(report, comparison, size)
  if (comparison === undefined || changes.length === 0) return ''
  const partly = complete && comparison.complete ? '' : '\n\nOf the pages that both periods list.'
  const rows = changes.map(({ path, before, now }) => [
    `${pageCode(path)}<br>${grouped(before)} before, ${grouped(now)} now`,
    `**${signed(now - before)}**`,
  ])
  return `### What moved most${partly}\n\n${table({ Page: 'left', Difference: 'right' }, rows)}`
}

function smallPrint({ rows, file, requests, durationMs, complete, totals }: Report): string {
  const cut = complete ? '' : ' (the first ones only: `max-rows`)'
  const both = totals.human + totals.ai > totals.total ? ' · All counts a visitor who is both once' : ''
  return `<sub>${count(rows.size, 'row')}${cut} in ${code(file)} · ${count(requests, 'request')} · ${duration(durationMs)}${both}</sub>`
}
