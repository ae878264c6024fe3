import { codePath } from '../analytics/paths.ts'
import { describePeriod, type Period } from '../period.ts'
import { code, count, duration, grouped, table } from '../text.ts'
import { byPage, type Finding, type Kind } from './finding.ts'

/** What a run found: everything that outputs, log and summary show. */
export interface Report {
  readonly period: Period
  /** The file's path from the workspace. */
  readonly file: string
  readonly kinds: readonly KindReport[]
  readonly requests: number
  readonly durationMs: number
}

export interface KindReport {
  readonly kind: Kind
  /** In the file, ranked. */
  readonly findings: readonly Finding[]
  /** All that were found, also those that `top` leaves out. */
  readonly found: number
  /** Rows that were read. */
  readonly rows: number
}

/** Characters of a text; the file has more. */
const TEXT_WIDTH = 160

/** The step summary: a table for each kind, most readers first (contract 9.4). */
export function summaryOf(report: Report): string {
  const { kinds, period } = report
  const shown = kinds.reduce((sum, { findings }) => sum + findings.length, 0)
  const parts = [
    `## ${shown === 0 ? 'No findings' : count(shown, 'finding')} from ${describePeriod(period)}`,
    shown === 0 ? `Nothing was found: ${kinds.map(({ kind }) => NOTHING[kind]).join(', ')}.` : '',
    ...kinds.filter(({ findings }) => findings.length > 0).map(section),
    smallPrint(report),
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

const TITLES: Readonly<Record<Kind, string>> = {
  feedback: 'Feedback',
  questions: 'Questions without an answer',
  searches: 'Searches without a click',
}

const NOTHING: Readonly<Record<Kind, string>> = {
  feedback: 'no open feedback',
  questions: 'no unanswered question',
  searches: 'no search without a click',
}

function section({ kind, findings, found }: KindReport): string {
  const part = found > findings.length ? `${findings.length} of ${grouped(found)}` : grouped(found)
  return `### ${TITLES[kind]} (${part})\n\n${kind === 'searches' ? searches(findings) : pages(findings)}`
}

const searches = (findings: readonly Finding[]): string =>
  table(
    { Searches: 'right', Term: 'left', Last: 'left' },
    findings.map(({ readers, text, day }) => [grouped(readers), quoted(text), day]),
  )

/** A row for each page, and for each finding without a page. */
function pages(findings: readonly Finding[]): string {
  const rows = [
    ...byPage(findings.filter(({ page }) => page !== '')),
    ...findings
      .filter(({ page }) => page === '')
      .map((finding) => ({ page: '', readers: finding.readers, findings: [finding] })),
  ].toSorted((a, b) => b.readers - a.readers)
  return table(
    { Readers: 'right', Page: 'left', 'What they wrote': 'left' },
    rows.map(({ page, readers, findings: onPage }) => [
      grouped(readers),
      page === '' ? '–' : codePath(page),
      onPage
        .map(({ text, readers: each }) => `${quoted(text)}${each > 1 ? ` × ${grouped(each)}` : ''}`)
        .join('<br>'),
    ]),
  )
}

const quoted = (text: string): string => code(text, TEXT_WIDTH) || 'no comment'

function smallPrint({ file, kinds, requests, durationMs }: Report): string {
  const read = kinds.map(({ kind, rows }) => `${kind} ${grouped(rows)}`).join(', ')
  return `<sub>Rows read: ${read} · ${codePath(file)} · ${count(requests, 'request')} · ${duration(durationMs)}</sub>`
}
