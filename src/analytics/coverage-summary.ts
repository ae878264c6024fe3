import { basename } from 'node:path'
import { codeSpan, count, grouped, joined, table } from '../base/text.ts'
import { pageCode } from './analytics.ts'
import type { Coverage, SiteSection } from './sections.ts'
import type { VisitorsReport } from './visitor-export.ts'

/** The navigation beside the visitors; '' without one. Tables have two columns, so that a phone shows all of them. */
export function coverageTables({ coverage, navigation, size, file }: VisitorsReport): string {
  if (coverage === undefined || navigation === undefined) return ''
  if (navigation.pages.size === 0) return 'The navigation names no page, so nothing is joined with it.'
  return joined(
    '\n\n',
    sectionsTable(coverage.sections),
    unvisitedList(coverage, { pages: navigation.pages.size, size, file }),
    straysTable(coverage, size),
  )
}

/** More are hard to read; the file has all. */
const MOST_SECTIONS = 40

function sectionsTable(sections: readonly SiteSection[]): string {
  const rows = sections.slice(0, MOST_SECTIONS).map(({ title, pages, unvisited, human, ai }) => {
    const without = unvisited === 0 ? '' : `, ${grouped(unvisited)} without visitors`
    return [`${codeSpan(title)}<br>${count(pages, 'page')}${without}`, visits(human, ai, share(human, ai))]
  })
  const part = sections.length > MOST_SECTIONS ? ` (${MOST_SECTIONS} of ${sections.length})` : ''
  const heading = `### Visitors by section${part}\n\nA visitor of several pages counts in each of them.`
  return `${heading}\n\n${table({ Section: 'left', Visitors: 'right' }, rows)}`
}

/** No narrow column breaks it. */
const visits = (human: number, ai: number, more = ''): string =>
  `**${grouped(human)}**\u00a0human<br>${grouped(ai)}\u00a0AI${more}`

/** `20 % AI`, of the visits that count. */
const share = (human: number, ai: number): string =>
  ai === 0 ? '' : `<br>${Math.round((100 * ai) / (human + ai))}\u00a0%\u00a0AI`

interface Shown {
  /** Of the navigation. */
  readonly pages: number
  /** The most names. */
  readonly size: number
  readonly file: string
}

function unvisitedList({ unvisited }: Coverage, { pages, size, file }: Shown): string {
  if (unvisited === undefined || unvisited.length === 0) return ''
  const left = unvisited.length - size
  const more = left > 0 ? [`and ${grouped(left)} more in ${codeSpan(basename(file))}`] : []
  const items = [...unvisited.slice(0, size).map(pageCode), ...more].map((item) => `- ${item}`)
  return `### Pages without visitors (${grouped(unvisited.length)} of ${grouped(pages)})\n\n${items.join('\n')}`
}

function straysTable({ strays }: Coverage, size: number): string {
  if (strays.length === 0) return ''
  const part = strays.length > size ? `${size} of ${grouped(strays.length)}` : grouped(strays.length)
  const rows = strays.slice(0, size).map(({ path, human, ai }) => [pageCode(path), visits(human, ai)])
  const heading = `### Visited paths that are no page (${part})\n\nAt least ten people visited each. Where one was a page before, add a redirect.`
  return `${heading}\n\n${table({ Path: 'left', Visitors: 'right' }, rows)}`
}
