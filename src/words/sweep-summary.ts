import { Cancelled, GitHubError, messageOf } from '../base/errors.ts'
import { codeSpan, count, duration, joined, minuteOf, oneLine, plainText, table } from '../base/text.ts'
import { type Job, namedLink } from '../record/job.ts'
import type { Report } from '../record/report.ts'
import { explainGitHub } from './explain.ts'
import { markdownLink, pullRequestLink } from './phrases.ts'

/** What became of a request in a sweep. */
export type SweepOutcome =
  | { readonly kind: 'finished'; readonly report: Report }
  | { readonly kind: 'active'; readonly job: Job }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Another run took it up, or reported it, since the sweep began. */
  | { readonly kind: 'taken' }

type Swept = SweepOutcome & {
  readonly request: {
    readonly thread: { readonly number: number }
    readonly record: { readonly requestedAt: number; readonly job: Pick<Job, 'id'> }
  }
}

/** @param now in ms since the epoch @param issues address of the repository's issues */
export function describeSweep(
  collected: readonly Swept[],
  { now, issues }: { readonly now: number; readonly issues: string },
) {
  const finished = collected.filter((one) => one.kind === 'finished')
  const active = collected.filter((one) => one.kind === 'active')
  const failed = collected.filter((one) => one.kind === 'failed')
  const failures = failed.length === 0 ? '' : `, ${failed.length} could not be read or reported`
  const sentence = `${count(finished.length, 'job')} reported, ${active.length} still working${failures}`
  const unusable = finished.filter(({ report }) => report.job?.unusableLink === true)
  const [failure, ...more] = failed
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`
  const sections = [
    `## 📥 ${sentence}`,
    section('Result', issues, finished, ({ report: { job, outcome } }) =>
      joined(
        ', ',
        namedLink(job) && pullRequestLink(namedLink(job)),
        outcome === 'pull-request' ? '' : outcome,
      ),
    ),
    section('Still open', issues, active, ({ request: { record }, job }) => {
      const asked = minuteOf(record.requestedAt)
      return `${codeSpan(job.status)}, asked ${asked}, ${duration(now - record.requestedAt)} ago`
    }),
    section('Not reported', issues, failed, (one) => codeSpan(resultOf(one))),
  ]
  return {
    sentence,
    lines: collected.map((one) => `  ${lineOf(one)}`),
    warnings: [
      ...unusable.map(
        ({ request: { record, thread } }) =>
          `The service sent an unusable link to the pull request of job ${record.job.id} of #${thread.number}: look at the job in the dashboard.`,
      ),
      ...(failure === undefined ? [] : [`${lineOf(failure)}${others} The next sweep tries again.`]),
    ],
    counts: { finished: finished.length, active: active.length, failed: failed.length },
    result: finished.map(({ request, report }) => ({
      'job-id': request.record.job.id,
      thread: request.thread.number,
      outcome: report.outcome,
      'pr-link': namedLink(report.job),
    })),
    summary: `${sections.filter(Boolean).join('\n\n')}\n`,
  }
}

function lineOf(one: Swept): string {
  const { thread, record } = one.request
  return `#${thread.number}  ${record.job.id}  ${resultOf(one)}`
}

function resultOf(one: Swept): string {
  switch (one.kind) {
    case 'finished':
      return `${one.report.outcome}  ${namedLink(one.report.job)}`.trim()
    case 'active':
      return one.job.status
    case 'taken':
      return 'another run took it up meanwhile'
    case 'failed': {
      const { error, request } = one
      if (error instanceof Cancelled) return 'The run was cancelled.'
      // What GitHub says, such as "Not Found", does not tell what to do.
      const isOfGitHub = error instanceof GitHubError
      const doing = `read or answer #${request.thread.number}`
      const why = isOfGitHub ? explainGitHub(error, doing, 'issues: write') : messageOf(error)
      return plainText(oneLine(why, 500))
    }
  }
}

/** Rows of a table. GitHub drops a summary of more than 1 MiB. */
const MOST_ROWS = 500

/** A table of two columns, so that a phone shows all of it; '' without rows. */
function section<C extends Swept>(
  title: string,
  issues: string,
  collected: readonly C[],
  cell: (one: C) => string,
): string {
  if (collected.length === 0) return ''
  const rows = collected.slice(0, MOST_ROWS).map((one) => {
    const { thread, record } = one.request
    const link = markdownLink(`#${thread.number}`, `${issues}/${thread.number}`)
    return [`${cell(one)}<br>${codeSpan(record.job.id)}`, link]
  })
  const more = collected.length > MOST_ROWS ? `\n\n… and ${collected.length - MOST_ROWS} more.` : ''
  return `${table({ [title]: 'left', Thread: 'left' }, rows)}${more}`
}
