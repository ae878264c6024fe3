import type { Deps } from '../deps.ts'
import { ForgeError, messageOf } from '../errors.ts'
import type { RunContext } from '../event/trigger.ts'
import { fullName } from '../link.ts'
import { explainGitHub } from '../messages/explain.ts'
import { markdownLink, pullRequestLink } from '../messages/phrases.ts'
import { code, count, duration, joined, oneLine, plainText, table } from '../text.ts'
import type { Collected } from './sweep.ts'

/** Contract 8.3. */
export async function writeOutputs(
  { core, now }: Deps,
  { serverUrl, repository }: Pick<RunContext, 'serverUrl' | 'repository'>,
  collected: readonly Collected[],
): Promise<void> {
  const finished = collected.filter((one) => one.kind === 'finished')
  const active = collected.filter((one) => one.kind === 'active')
  const failed = collected.filter((one) => one.kind === 'failed')
  for (const one of collected) core.info(`  ${lineOf(one)}`)
  const failures = failed.length === 0 ? '' : `, ${failed.length} could not be read or reported`
  const sentence = `${count(finished.length, 'job')} reported, ${active.length} still working${failures}`
  core.info(sentence)
  for (const { request, report: done } of finished) {
    if (done.job?.unusableLink !== true) continue
    const job = `job ${request.record.job.id} of #${request.thread}`
    core.warning(`The service sent an unusable link for ${job}: look at it in the dashboard.`)
  }
  const [failure, ...more] = failed
  if (failure !== undefined) {
    const others = more.length === 0 ? '' : ` (and ${more.length} more)`
    core.warning(`${lineOf(failure)}${others} The next sweep tries again.`)
  }

  for (const [name, those] of Object.entries({ finished, active, failed }))
    core.setOutput(name, String(those.length))
  const result = finished.map(({ request, report: done }) => ({
    'job-id': request.record.job.id,
    thread: request.thread,
    outcome: done.outcome,
    'pr-link': done.job?.prLink ?? '',
  }))
  core.setOutput('result', JSON.stringify(result))

  const at = now()
  // A pull request has this address, too.
  const issues = `${serverUrl}/${fullName(repository)}/issues`
  const sections = [
    `## 📥 ${sentence}`,
    section('Result', issues, finished, ({ report: { job, outcome } }) =>
      joined(', ', job?.prLink ? pullRequestLink(job.prLink) : '', outcome === 'pull-request' ? '' : outcome),
    ),
    section('Still open', issues, active, ({ request: { record }, job }) => {
      const asked = new Date(record.requestedAt).toISOString().replace(/T(..:..).*/, ' $1 UTC')
      return `${code(job.status)}, asked ${asked}, ${duration(at - record.requestedAt)} ago`
    }),
    section('Not reported', issues, failed, (one) => code(resultOf(one))),
  ]
  await core.setSummary(`${sections.filter(Boolean).join('\n\n')}\n`)
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
    case 'failed': {
      const { error, request } = one
      // What GitHub says, such as "Not Found", does not tell what to do.
      const isForges = error instanceof ForgeError
      const doing = `read or answer #${request.thread}`
      const why = isForges ? explainGitHub(error, doing, 'issues: write') : messageOf(error)
      return plainText(oneLine(why, 500))
    }
  }
}

/** Rows of a table. GitHub drops a summary of more than 1 MiB. */
const MOST_ROWS = 500

/** A table of two columns, so that a phone shows all of it; '' without rows. */
function section<C extends Collected>(
  title: string,
  issues: string,
  collected: readonly C[],
  cell: (one: C) => string,
): string {
  if (collected.length === 0) return ''
  const rows = collected.slice(0, MOST_ROWS).map((one) => {
    const { thread, record } = one.request
    return [`${cell(one)}<br>${code(record.job.id)}`, markdownLink(`#${thread}`, `${issues}/${thread}`)]
  })
  const more = collected.length > MOST_ROWS ? `\n\n… and ${collected.length - MOST_ROWS} more.` : ''
  return `${table({ [title]: 'left', Thread: 'left' }, rows)}${more}`
}
