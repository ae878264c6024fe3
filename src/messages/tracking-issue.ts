import type { Outcome } from '../request/outcome.ts'
import { count } from '../text.ts'
import { pullRequestLink, type Report } from './report.ts'

/** The body of a tracking issue before its first refresh, without its record. */
export const trackingBody = (command: string): string =>
  `The docs agent refreshes the documentation here. Reply \`${command} …\` to ask for changes; close this issue to start afresh.\n\nLast refresh: none yet.`

/** The body with the last refresh; what people wrote around that line stays. @param now in ms since the epoch */
export function withLastRefresh(body: string, report: Report, now: number): string {
  const line = lastRefresh(report, now)
  if (LAST_REFRESH.test(body)) return body.replace(LAST_REFRESH, () => line)
  return [body, line].filter(Boolean).join('\n\n')
}

const LAST_REFRESH = /^Last refresh:.*$/m

/** `Last refresh: 16 November 2026, opened [octo/docs#77](https://example.com), 14 merged pull requests.` */
function lastRefresh(report: Report, now: number): string {
  const { merged = [] } = report
  const facts = [
    utcDay(now),
    ENDS[report.outcome](report),
    merged.length === 0 ? '' : count(merged.length, 'merged pull request'),
  ]
  return `Last refresh: ${facts.filter(Boolean).join(', ')}.`
}

/** `16 November 2026` */
const utcDay = (at: number): string =>
  new Date(at).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

const ENDS: Readonly<Record<Outcome, (report: Report) => string>> = {
  'pull-request': ({ followUp, job }) =>
    `${followUp ? 'finished its work on' : 'opened'} ${pullRequestLink(job?.prLink ?? '')}`,
  'no-pull-request': () => 'ended without a pull request',
  archived: () => 'the job was archived',
  failed: () => 'the job failed',
  'timed-out': ({ job }) => (job === undefined ? 'nothing was sent' : 'still working'),
  cancelled: ({ job }) => (job === undefined ? 'cancelled' : 'still working'),
  started: () => 'still working',
  skipped: () => 'nothing was asked',
  error: ({ job, reason }) =>
    job !== undefined || reason === 'creation-uncertain' ? 'the end is not known' : 'nothing was sent',
}
