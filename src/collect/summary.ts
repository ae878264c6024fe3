import { messageOf } from '../errors.ts'
import { pullRequestLink } from '../messages/outcome.ts'
import { code, count, duration, oneLine, plainText } from '../text.ts'
import { type Collected, ofKind } from './sweep.ts'

/** Rows of a table. GitHub drops a summary of more than 1 MiB. */
const MOST_ROWS = 500

/** The step summary: the counts, what ended and how, and what is still open and since when. */
export function collectSummary(collected: readonly Collected[], now: number): string {
  const sections = [
    `## 📥 ${collectSentence(collected)}`,
    table(
      ['Thread', 'Job', 'Outcome', 'Pull request'],
      ofKind(collected, 'finished').map(({ request, report }) => [
        `#${request.thread}`,
        code(request.record.job.id),
        report.outcome,
        report.job?.prLink ? pullRequestLink(report.job.prLink) : '',
      ]),
    ),
    table(
      ['Still open in', 'Job', 'Status', 'Asked', 'For'],
      ofKind(collected, 'active').map(({ request, job }) => [
        `#${request.thread}`,
        code(job.id),
        code(job.status),
        new Date(request.record.requestedAt).toISOString().replace(/T(..:..).*/, ' $1 UTC'),
        duration(now - request.record.requestedAt),
      ]),
    ),
    table(
      ['Not reported in', 'Job', 'Why'],
      ofKind(collected, 'failed').map(({ request, error }) => [
        `#${request.thread}`,
        code(request.record.job.id),
        code(plainText(oneLine(messageOf(error)))),
      ]),
    ),
  ]
  return `${sections.filter(Boolean).join('\n\n')}\n`
}

/** The same sentence for log and summary. */
export function collectSentence(collected: readonly Collected[]): string {
  const [finished, active, failed] = (['finished', 'active', 'failed'] as const).map(
    (kind) => ofKind(collected, kind).length,
  )
  const failures = failed === 0 ? '' : `, ${failed} could not be read or reported`
  return `${count(finished ?? 0, 'job')} reported, ${active} still at work${failures}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const shown = [line(head), line(head.map(() => '---')), ...rows.slice(0, MOST_ROWS).map(line)].join('\n')
  return rows.length > MOST_ROWS ? `${shown}\n\n… and ${rows.length - MOST_ROWS} more.` : shown
}
