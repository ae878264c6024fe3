import type { Preview } from '../agent/preview.ts'
import type { Deps } from '../deps.ts'
import type { Forge } from '../github/forge.ts'
import type { FailureWarnings } from '../github/warn-on-failure.ts'
import { pullRequestOf } from '../link.ts'
import { linkComment, resultComment } from '../messages/comments.ts'
import type { MessageContext, Report } from '../messages/report.ts'
import { type History, historyOf } from '../request/history.ts'
import type { RequestState } from '../request/lifecycle.ts'
import { appearanceOf } from '../request/outcome.ts'
import { type RequestIdentity, type SigningContext, signRecord } from '../request/record.ts'
import { fullName, type RunContext } from '../run-context.ts'
import { type PreviewOptions, previewOf } from './preview.ts'
import { setReviewersAndLabels } from './pull-request-settings.ts'
import { reactionOfRecord } from './reactions.ts'
import type { Thread } from './thread.ts'
import { updateTrackingIssue } from './tracking-issue.ts'
import { trustedRecords } from './trusted-records.ts'

/** A request with the thread that gets its result: of a run that waited, or of a sweep that came later. */
export interface ReportTarget {
  readonly thread: Thread
  readonly state: RequestState
  readonly identity: RequestIdentity
  readonly signing: SigningContext | undefined
  readonly forge: Forge
  readonly warnings: FailureWarnings
  readonly context: Pick<RunContext, 'serverUrl' | 'repository'>
  readonly deps: Deps
  readonly preview: PreviewOptions
  /** The thread's history, where it was read right before. */
  readonly known?: History
}

export interface ThreadReport {
  /** Of the comment that carries the result, '' for none. */
  readonly url: string
  /** Never rejects; left out where the request asks for none. */
  readonly preview?: Promise<Preview | undefined>
}

/**
 * The result comment first, and everything that follows from it at the same time (contract 5.8). The preview is not
 * waited for.
 */
export async function reportInThread(
  target: ReportTarget,
  report: Report,
  messages: MessageContext,
): Promise<ThreadReport> {
  const { thread, state } = target
  const { url, existing } = await thread.report(state, resultComment(report, messages), target.known)
  const { reaction } = appearanceOf(report.outcome, report.reason)
  // What an earlier report left stays as it is, and had its pull request finished.
  const isNew = existing === undefined
  const preview = isNew ? previewOf(target, report) : undefined
  await Promise.all([
    thread.tidy(),
    thread.reactions.conclude(existing === undefined ? reaction : reactionOfRecord(existing)),
    linkFromPullRequest(target, report),
    isNew ? updateTrackingIssue(target, report) : undefined,
    isNew ? setReviewersAndLabels(target, report.job?.prLink ?? '') : undefined,
  ])
  return preview === undefined ? { url } : { url, preview }
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
  const { context, signing, forge, identity, thread } = target
  const { serverUrl, repository } = context
  const pull = pullRequestOf(job?.prLink ?? '', serverUrl)
  if (job === undefined || pull === undefined || signing === undefined || !thread.remembers) return
  const sameRepository = fullName(pull).toLowerCase() === fullName(repository).toLowerCase()
  if (!sameRepository || pull.number === signing.thread) return
  const there = { ...signing, thread: pull.number }
  await target.warnings.warnOnFailure(LINK_TASK, async () => {
    const comments = await trustedRecords(forge, await forge.listComments(pull.number), () => there)
    const known = historyOf(comments, identity.key)
    const latest = known.job?.record
    if (latest !== undefined && 'job' in latest && latest.job.id === job.id) return
    const writtenAt = Math.max(target.deps.now(), known.newest + 1)
    const text = linkComment(`${fullName(repository)}#${signing.thread}`, identity.command)
    const record = signRecord({ ...identity, state: 'link', job, eyes: 0, writtenAt }, there)
    await forge.createComment(pull.number, `${text}\n\n${record}`)
  })
}
