import type { FileReport } from '../analytics/analytics-step.ts'
import { pageCode } from '../analytics/page-label.ts'
import { dateInMarkdown, periodInMarkdown } from '../period.ts'
import { code, count, duration, grouped, joined, table } from '../text.ts'
import { byPage, type Finding, type Kind } from './finding.ts'

export interface Insights {
  readonly kinds: readonly KindReport[]
}

export interface KindReport {
  readonly kind: Kind
  readonly findings: readonly Finding[]
  /** Also those that `top` leaves out. */
  readonly found: number
  readonly rows: number
}

export type Report = Insights & FileReport

/** Above the table of a kind, and where there is none. */
const WORDS: Readonly<Record<Kind, { readonly title: string; readonly nothing: string }>> = {
  feedback: { title: 'Feedback', nothing: 'no open feedback' },
  questions: { title: 'Questions without an answer', nothing: 'no unanswered question' },
  searches: { title: 'Searches without a click', nothing: 'no search without a click' },
}

export function summaryOf(report: Report): string {
  const { kinds, period } = report
  const shown = kinds.reduce((sum, { findings }) => sum + findings.length, 0)
  const parts = [
    `## ${shown === 0 ? 'No findings' : count(shown, 'finding')} from ${periodInMarkdown(period)}`,
    shown === 0 ? `Nothing was found: ${kinds.map(({ kind }) => WORDS[kind].nothing).join(', ')}.` : '',
    ...kinds.filter(({ findings }) => findings.length > 0).map(section),
    smallPrint(report),
  ]
  return `${joined('\n\n', ...parts)}\n`
}

function section({ kind, findings, found }: KindReport): string {
  const part = found > findings.length ? `${findings.length} of ${grouped(found)}` : grouped(found)
  return `### ${WORDS[kind].title} (${part})\n\n${kind === 'searches' ? searches(findings) : pages(findings)}`
}

const searches = (findings: readonly Finding[]): string =>
  table(
    { Searches: 'right', Term: 'left', Last: 'left' },
    findings.map(({ readers, text, day }) => [grouped(readers), quoted(text), dateInMarkdown(day)]),
  )

/** What readers wrote stands as a list below its page, because a column of its own is too narrow on a phone. */
function pages(findings: readonly Finding[]): string {
  const sorted = byPage(findings).toSorted((a, b) => b.readers - a.readers)
  const rows = sorted.map(({ page, readers, findings: onPage }) => {
    const items = onPage.map(
      ({ text, readers: each }) =>
        `<li>${quoted(text)}${each > 1 ? `\u00a0×\u00a0${grouped(each)}` : ''}</li>`,
    )
    return [grouped(readers), `${page === '' ? 'Not on a page' : pageCode(page)}<ul>${items.join('')}</ul>`]
  })
  return table({ Readers: 'right', 'Page and what they wrote': 'left' }, rows)
}

/** Characters of a text; the file has more. */
const TEXT_WIDTH = 160

const quoted = (text: string): string => code(text, TEXT_WIDTH) || 'no comment'

function smallPrint({ file, kinds, requests, durationMs }: Report): string {
  const read = kinds.map(({ kind, rows }) => `${kind} ${grouped(rows)}`).join(', ')
  return `<sub>Rows read: ${read} · ${code(file)} · ${count(requests, 'request')} · ${duration(durationMs)}</sub>`
}
