import type { WaitOptions } from '../agent/poll.ts'
import { deployPreview } from '../agent/preview.ts'
import { Cancelled, unexpectedError } from '../errors.ts'
import { fullName } from '../event/run-context.ts'
import { pullRequestOf } from '../link.ts'
import { linkComment, resultComment } from '../messages/comments.ts'
import { type MessageContext, pullRequestLink, type Report } from '../messages/report.ts'
import { type History, historyOf } from '../request/history.ts'
import type { Preview } from '../request/job.ts'
import { appearanceOf, type Reaction } from '../request/outcome.ts'
import { type RequestRecord, signRecord } from '../request/record.ts'
import { plainText } from '../text.ts'
import { reactionOfRecord } from '../thread/reactions.ts'
import { type Thread, trustedRecords } from '../thread/thread.ts'
import { updateTrackingIssue } from '../thread/tracking-issue.ts'
import { isIn, setReviewersAndLabels } from './pull-request-settings.ts'
import type { ReportTarget } from './request-run.ts'

export interface ThreadReport {
  /** Of the comment that carries the result, '' for none. */
  readonly url: string
  /** Never rejects; undefined where there is none to have, or where the run is cancelled while it waits. */
  readonly preview?: Promise<Preview | undefined> | undefined
}

/**
 * The result comment first, and everything that follows from it at the same time (contract 5.8). The preview is not
 * waited for.
 * @param waiting for the preview
 * @param known the thread's history, where it was read right before
 */
export async function reportInThread(
  target: ReportTarget,
  report: Report,
  messages: MessageContext,
  waiting: WaitOptions,
  known?: History,
): Promise<ThreadReport> {
  const { thread, state } = target
  const { url, existing } = await thread.report(state, resultComment(report, messages), known)
  // What an earlier report left stays as it is, and had its pull request finished.
  const isNew = existing === undefined
  const preview = isNew ? previewOf(target, report, waiting) : undefined
  await Promise.all([
    thread.tidy(),
    thread.reactions.conclude(reactionTo(report, existing)),
    linkFromPullRequest(target, report),
    isNew ? updateTrackingIssue(target, report) : undefined,
    isNew ? setReviewersAndLabels(target, report.job?.prLink ?? '') : undefined,
  ])
  return { url, preview }
}

/** @param existing the record of the comment that stays as it is, if one does */
export const reactionTo = (report: Report, existing?: RequestRecord): Reaction | undefined =>
  existing === undefined ? appearanceOf(report.outcome, report.reason).reaction : reactionOfRecord(existing)

/**
 * Deploys the preview of the job's branch where the request asks for one. It decides nothing: what goes wrong is one
 * warning (contract 4.10).
 */
async function previewOf(
  { thread, client, deps }: ReportTarget,
  { outcome, job }: Report,
  waiting: WaitOptions,
): Promise<Preview | undefined> {
  if (!thread.identity.finish.preview || outcome !== 'pull-request') return undefined
  const { core } = deps
  const deployed = deployPreview(deps, client.access, job?.ref ?? '', waiting)
  const preview = await deployed.catch((error: unknown) => {
    if (error instanceof Cancelled) return undefined
    return { status: 'unavailable', why: unexpectedError(core, error) } as const
  })
  if (preview === undefined) {
    core.info('The run was cancelled while it waited for the preview. The result stays as it is.')
    return undefined
  }
  const warning = previewWarning(preview, pullRequestLink(job?.prLink))
  if (warning !== '') core.warning(plainText(warning))
  return preview
}

function previewWarning(preview: Preview, link: string): string {
  switch (preview.status) {
    case 'success':
      if (preview.url !== '') return ''
      return `The service sent an unusable link to the preview of ${link}: look at it in the dashboard.`
    case 'failure':
      return `The preview of ${link} failed to build.`
    default:
      return `There is no preview of ${link} in the result. ${preview.why}`
  }
}

/** Adds the preview to the result that the thread already shows. */
export async function showPreview(
  thread: Thread,
  preview: Preview,
  report: Report,
  messages: MessageContext,
): Promise<void> {
  const shown = preview.status === 'failure' || (preview.status === 'success' && preview.url !== '')
  if (shown) await thread.amend(resultComment({ ...report, preview }, messages))
}

const LINK_TASK = {
  doing: 'comment on the pull request',
  permission: 'pull-requests: write',
  consequence: '',
}

/**
 * Leaves one short comment on the job's own pull request, so that a command there continues the same job (contract
 * 5.5). Nothing happens where the pull request is elsewhere, is the thread itself, or already names the job.
 */
async function linkFromPullRequest(target: ReportTarget, { job }: Report): Promise<void> {
  const { forge, thread, warnings, deps } = target
  const { signing, identity } = thread
  const { serverUrl, repository } = target.context
  const pull = pullRequestOf(job?.prLink ?? '', serverUrl)
  if (job === undefined || pull === undefined || signing === undefined || !thread.remembers) return
  if (!isIn(repository, pull) || pull.number === signing.thread) return
  const there = { ...signing, thread: pull.number }
  await warnings.warnOnFailure(LINK_TASK, async () => {
    const comments = await trustedRecords(forge, await forge.listComments(pull.number), () => there)
    const known = historyOf(comments, identity.key)
    const latest = known.job?.record
    if (latest !== undefined && 'job' in latest && latest.job.id === job.id) return
    const writtenAt = Math.max(deps.now(), known.newest + 1)
    const text = linkComment(`${fullName(repository)}#${signing.thread}`, identity.command)
    const record = signRecord({ ...identity, state: 'link', job, eyes: 0, writtenAt }, there)
    await forge.createComment(pull.number, `${text}\n\n${record}`)
  })
}
