import type { Deps } from '../deps.ts'
import { messageOf } from '../errors.ts'
import { ServiceError } from '../http/errors.ts'
import { pullRequestLink } from '../messages/report.ts'
import { code, count, duration, oneLine, plainText, table } from '../text.ts'
import { type Collected, ofKind } from './sweep.ts'

/** Reports what the sweep did: log, annotations, outputs and summary (contract 8.3). */
export async function report({ core, now }: Deps, collected: readonly Collected[]): Promise<void> {
  const finished = ofKind(collected, 'finished')
  for (const one of collected) core.info(`  ${lineOf(one)}`)
  core.info(collectSentence(collected))
  for (const { request, report: done } of finished) {
    if (done.job?.unusableLink !== true) continue
    const job = `job ${request.record.job.id} of #${request.thread}`
    core.warning(`The service sent an unusable link for ${job}: look at it in the dashboard.`)
  }
  const [failure, ...more] = ofKind(collected, 'failed')
  if (failure !== undefined) {
    const others = more.length === 0 ? '' : ` (and ${more.length} more)`
    core.warning(`${lineOf(failure)}${others} The next sweep tries again.`)
  }

  core.setOutput('finished', String(finished.length))
  core.setOutput('active', String(ofKind(collected, 'active').length))
  core.setOutput('failed', String(ofKind(collected, 'failed').length))
  const result = finished.map(({ request, report: done }) => ({
    'job-id': request.record.job.id,
    thread: request.thread,
    outcome: done.outcome,
    'pr-link': done.job?.prLink ?? '',
  }))
  core.setOutput('result', JSON.stringify(result))
  await core.addSummary(collectSummary(collected, now()))
}

function lineOf(one: Collected): string {
  const { thread, record } = one.request
  return `#${thread}  ${record.job.id}  ${resultOf(one)}`
}

function resultOf(one: Collected): string {
  switch (one.kind) {
    case 'finished':
      return `${one.report.outcome}  ${one.report.job?.prLink ?? ''}`.trim()
    case 'active':
      return one.job.status
    case 'taken':
      return 'another run took it up meanwhile'
    case 'failed':
      return plainText(oneLine(messageOf(one.error)))
  }
}

/** The error of the service, when every read failed with one: then the service cannot be used. */
export function serviceTrouble(collected: readonly Collected[]): ServiceError | undefined {
  const errors = ofKind(collected, 'failed').map(({ error }) => error)
  const [first] = errors
  const all = errors.length === collected.length && errors.every((error) => error instanceof ServiceError)
  return all && first instanceof ServiceError ? first : undefined
}

/** Rows of a table. GitHub drops a summary of more than 1 MiB. */
const MOST_ROWS = 500

/** The step summary: the counts, what ended and how, and what is still open and since when. */
function collectSummary(collected: readonly Collected[], now: number): string {
  const sections = [
    `## 📥 ${collectSentence(collected)}`,
    section(
      ['Thread', 'Job', 'Outcome', 'Pull request'],
      ofKind(collected, 'finished').map(({ request, report }) => [
        `#${request.thread}`,
        code(request.record.job.id),
        report.outcome,
        report.job?.prLink ? pullRequestLink(report.job.prLink) : '',
      ]),
    ),
    section(
      ['Still open in', 'Job', 'Status', 'Asked', 'For'],
      ofKind(collected, 'active').map(({ request, job }) => [
        `#${request.thread}`,
        code(job.id),
        code(job.status),
        new Date(request.record.requestedAt).toISOString().replace(/T(..:..).*/, ' $1 UTC'),
        duration(now - request.record.requestedAt),
      ]),
    ),
    section(
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
function collectSentence(collected: readonly Collected[]): string {
  const [finished, active, failed] = (['finished', 'active', 'failed'] as const).map(
    (kind) => ofKind(collected, kind).length,
  )
  const failures = failed === 0 ? '' : `, ${failed} could not be read or reported`
  return `${count(finished ?? 0, 'job')} reported, ${active} still working${failures}`
}

function section(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const columns = Object.fromEntries(titles.map((title) => [title, 'left' as const]))
  const more = rows.length > MOST_ROWS ? `\n\n… and ${rows.length - MOST_ROWS} more.` : ''
  return `${table(columns, rows.slice(0, MOST_ROWS))}${more}`
}
