import { code, count, duration } from '../core/text.ts'
import { chart } from './chart.ts'
import type { Move } from './comparison.ts'
import { pathLabel } from './label.ts'
import type { Row } from './page.ts'
import { describePeriod } from './period.ts'
import type { Comparison, Report } from './report.ts'

/** The step summary as Markdown: three figures, with their change; the chart; the table; what moved; the small print. */
export function summaryOf(report: Report): string {
  const { totals, rows, top, comparison } = report
  const parts = [
    `## ${totals.total === 0 ? 'No visitors' : count(totals.total, 'visitor')} from ${describePeriod(report.period)}`,
    figures(report),
    rows === 0 ? 'The service knows no page with visitors in this time.' : `### ${topTitle(report)}`,
    chart(top),
    rows === 0 ? '' : table(top, comparison),
    comparison === undefined ? '' : moved(comparison, report.complete),
    smallPrint(report),
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

function figures({ totals, comparison, period }: Report): string {
  const number = (value: number) => `**${value.toLocaleString('en-US')}**`
  const head = ['| Visitors | Human | AI | All |', '| :-- | --: | --: | --: |']
  const now = `| ${describePeriod(period)} | ${number(totals.human)} | ${number(totals.ai)} | ${number(totals.total)} |`
  if (comparison === undefined) return [...head, now].join('\n')
  const { totals: was } = comparison
  const before = cells(describePeriod(comparison.period), plain(was.human), plain(was.ai), plain(was.total))
  const change = cells(
    'Change',
    changeOf(totals.human, was.human),
    changeOf(totals.ai, was.ai),
    changeOf(totals.total, was.total),
  )
  return [...head, now, before, change].join('\n')
}

function topTitle({ rows, top, complete }: Report): string {
  if (rows === 1 && complete) return 'The one page with visitors'
  if (rows === top.length && complete) return `All ${rows} pages with visitors`
  const of = complete ? ` of ${plain(rows)}` : ''
  return top.length === 1 ? `The most visited page${of}` : `The ${top.length} most visited pages${of}`
}

function table(top: readonly Row[], comparison: Comparison | undefined): string {
  const change = ({ path, total }: Row): string[] => {
    if (comparison === undefined) return []
    const before = comparison.pathTotals.get(path)
    return [before === undefined && !comparison.complete ? '' : changeOf(total, before ?? 0)]
  }
  const compared = comparison !== undefined
  return [
    cells('', 'Page', 'Human', 'AI', 'All', ...(compared ? ['Change'] : [])),
    cells('--:', ':--', '--:', '--:', '--:', ...(compared ? ['--:'] : [])),
    ...top.map((row, i) =>
      cells(plain(i + 1), page(row.path), plain(row.human), plain(row.ai), plain(row.total), ...change(row)),
    ),
  ].join('\n')
}

function moved({ movers, complete }: Comparison, nowComplete: boolean): string {
  if (movers.length === 0) return ''
  const partly = complete && nowComplete ? '' : '\n\nOf the pages that were read in both periods.'
  const line = ({ path, before, now }: Move) =>
    cells(
      page(path),
      plain(before),
      plain(now),
      signed(now - before),
      now === 0 ? 'gone' : changeOf(now, before),
    )
  return [
    `### What moved most${partly}\n`,
    cells('Page', 'Before', 'Now', 'Visitors', 'Change'),
    cells(':--', '--:', '--:', '--:', '--:'),
    ...movers.map(line),
  ].join('\n')
}

function smallPrint({ rows, file, requests, durationMs, complete, totals }: Report): string {
  const cut = complete ? '' : ' (the first ones only: `max-rows`)'
  const both = totals.human + totals.ai > totals.total ? ' · who came as both counts once in all' : ''
  return `<sub>${count(rows, 'row')}${cut} in ${page(file)} · ${count(requests, 'request')} · ${duration(durationMs)}${both}</sub>`
}

const PATH_WIDTH = 90

/** In a code span nothing of a path means anything. */
const page = (path: string): string => code(pathLabel(path, PATH_WIDTH)) || '(blank)'

const cells = (...texts: readonly string[]): string => `| ${texts.join(' | ')} |`

const plain = (value: number): string => value.toLocaleString('en-US')

/** With a real minus sign, which tables line up. */
function signed(value: number, digits = 0): string {
  const text = Math.abs(value).toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return `${value < 0 ? '−' : '+'}${text}`
}

/** `+12 %`, `−3.4 %`, `±0 %`, or `new` where there was nothing. */
export function changeOf(now: number, before: number): string {
  if (before === 0) return now === 0 ? '±0 %' : 'new'
  const percent = ((now - before) / before) * 100
  if (Math.abs(percent) < 0.05) return '±0 %'
  return `${signed(percent, Math.abs(percent) < 9.95 ? 1 : 0)} %`
}
