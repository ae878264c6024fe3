import { messageOf } from '../errors.ts'
import { code, count, duration, oneLine, plainText } from '../text.ts'
import { link } from '../thread/words.ts'
import type { Collected } from './sweep.ts'

/** The step summary: the counts, what ended and how, and what is still open and since when. */
export function collectSummary(collected: readonly Collected[], now: number): string {
  const of = <K extends Collected['kind']>(kind: K) =>
    collected.filter((one): one is Extract<Collected, { kind: K }> => one.kind === kind)
  const [finished, active, failed] = [of('finished'), of('active'), of('failed')]
  const sections = [
    `## 📥 ${collectSentence(finished.length, active.length, failed.length)}`,
    table(
      ['Thread', 'Job', 'Outcome', 'Pull request'],
      finished.map(({ request, ending }) => [
        `#${request.thread}`,
        code(request.marker.job),
        ending.outcome,
        ending.job?.prLink ? link(ending.job.prLink) : '',
      ]),
    ),
    table(
      ['Still open in', 'Job', 'Status', 'Since'],
      active.map(({ request, job }) => [
        `#${request.thread}`,
        code(job.id),
        code(job.status),
        duration(now - request.marker.from),
      ]),
    ),
    table(
      ['Not reported in', 'Job', 'Why'],
      failed.map(({ request, error }) => [
        `#${request.thread}`,
        code(request.marker.job),
        code(oneLine(plainText(messageOf(error)))),
      ]),
    ),
  ]
  return `${sections.filter(Boolean).join('\n\n')}\n`
}

/** The same sentence for log and summary. */
export function collectSentence(finished: number, active: number, failed: number): string {
  const failures = failed === 0 ? '' : `, ${failed} could not be reported`
  return `${count(finished, 'job')} reported, ${active} still at work${failures}`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
