import type { Preview } from '../agent/preview.ts'
import type { Deps } from '../deps.ts'
import type { Forge } from '../github/forge.ts'
import type { FailureWarnings } from '../github/warn-on-failure.ts'
import type { Inputs } from '../inputs.ts'
import { pullRequestOf } from '../link.ts'
import {
  linkComment,
  refusalComment,
  resultComment,
  statusComment,
  usageComment,
} from '../messages/comments.ts'
import { describe, type MessageContext, plainSentence, type Report } from '../messages/outcome.ts'
import { previewSection, runSummary } from '../messages/run.ts'
import { type History, historyOf } from '../request/history.ts'
import type { Ending, RequestState } from '../request/lifecycle.ts'
import { appearanceOf, type SkipReason } from '../request/outcome.ts'
import { type RequestIdentity, type SigningContext, signRecord } from '../request/record.ts'
import { fullName, type RunContext } from '../run-context.ts'
import { redact } from '../text.ts'
import type { Outputs } from './outputs.ts'
import { type PreviewOptions, previewOf, showPreview } from './preview.ts'
import { setReviewersAndLabels } from './pull-request-settings.ts'
import { reactionOfRecord } from './reactions.ts'
import type { RequestRun, Start } from './request-run.ts'
import type { Reported, Thread } from './thread.ts'
import { updateTrackingIssue } from './tracking-issue.ts'
import { trustedRecords } from './trusted-records.ts'

/** What the report is made of; it grows while the run goes on, so that the report is complete at every end. */
export interface ReportContext {
  readonly start: Start
  readonly secrets: readonly string[]
  readonly outputs: Outputs
  inputs?: Inputs
  /** The ending of a run that serves no request. */
  early?: Ending
  run?: RequestRun
  /** The thread cannot be read, so nothing in it may be written over: only log, summary and outputs report. */
  silent?: boolean
}

/** Reports how the run ended: outputs, log, annotation, summary, and the thread. */
export async function reportRun(deps: Deps, context: ReportContext): Promise<void> {
  const { core } = deps
  const { run, outputs, secrets } = context
  const report = run?.ending === undefined ? earlyReport(deps, context) : run.report()
  const messages = messageContext(context)
  outputs.end(report, '')
  announce(deps, report, messages, secrets, context.inputs)
  await core.addSummary(redact(runSummary(report, messages), secrets))
  if (run?.ending === undefined || context.silent === true) return
  // A person without permission gets the refusal, and nothing else.
  if (!run.granted && report.reason !== 'permission-denied') return
  const { url, preview } =
    report.outcome === 'skipped'
      ? { url: await answerInThread(run, report, messages) }
      : await reportInThread(previewTarget(run), report, messages)
  if (url !== '') outputs.end(report, url)
  const warning = run.warnings.flush()
  if (warning !== '') await core.addSummary(`\n> [!WARNING]\n> ${redact(warning, secrets)}\n`)
  const isReported = url !== '' || !run.thread.remembers || !deps.cancellation.requested.aborted
  // Otherwise the post step, which has more time, reports it.
  if (isReported) run.clearState()
  if (preview !== undefined) await reportPreview(run, report, messages, { url, preview }, secrets)
}

const previewTarget = (run: RequestRun): ReportTarget => ({
  thread: run.thread,
  state: run.state,
  identity: run.identity,
  signing: run.signing,
  forge: run.forge,
  warnings: run.warnings,
  context: run.context,
  deps: run.deps,
  preview: {
    access: run.setup.inputs.access,
    deadline: run.deadline,
    pollMs: run.setup.inputs.pollMs,
    startedAt: run.setup.start.monotonic,
  },
})

/** Everything else is reported, so a run that is killed while it waits for the preview loses nothing else. */
async function reportPreview(
  run: RequestRun,
  report: Report,
  messages: MessageContext,
  pending: Required<ThreadReport>,
  secrets: readonly string[],
): Promise<void> {
  const preview = await pending.preview
  if (preview === undefined) return
  const { deps, outputs, setup } = run
  outputs.end({ ...report, preview, durationMs: deps.monotonic() - setup.start.monotonic }, pending.url)
  const section = previewSection(preview)
  await Promise.all([
    showPreview(run.thread, preview, report, messages),
    deps.core.addSummary(redact(`\n${section}\n`, secrets)),
  ])
}

/** For a run that ended before it had a request. */
function earlyReport(deps: Deps, { early, start }: ReportContext): Report {
  return {
    ...(early ?? { outcome: 'error', reason: 'internal', message: 'The run has no ending.' }),
    job: undefined,
    jobAction: 'none',
    followUp: false,
    note: '',
    requestedBy: '',
    request: '',
    prompt: '',
    durationMs: deps.monotonic() - start.monotonic,
  }
}

const messageContext = ({ inputs, run }: ReportContext): MessageContext => ({
  command: inputs?.command ?? '/docs',
  timeoutMs: inputs?.timeoutMs ?? 0,
  minPermission: inputs?.minPermission ?? 'write',
  denied: run?.denied,
  runUrl: run?.runUrl ?? '',
})

function announce(
  { core }: Deps,
  report: Report,
  messages: MessageContext,
  secrets: readonly string[],
  inputs: Inputs | undefined,
): void {
  const sentence = redact(plainSentence(describe(report, messages)), secrets)
  if (report.job?.prLink) core.info(`Pull request: ${report.job.prLink}`)
  const { level } = appearanceOf(report.outcome, report.reason, inputs?.onTimeout)
  if (level === 'error') core.setFailed(sentence)
  else if (level === 'warning') core.warning(sentence)
  else core.info(sentence)
  if (report.job?.unusableLink === true) {
    core.warning('The service sent an unusable link to the pull request: look at the job in the dashboard.')
  }
}

/** What a skip says in the thread: nothing, an answer to the comment that asked, or the one refusal. */
const REPLIES: Readonly<Record<SkipReason, 'none' | 'answer' | 'refusal'>> = {
  'not-a-command': 'none',
  'not-a-new-comment': 'none',
  bot: 'none',
  'agent-pull-request': 'none',
  'permission-denied': 'refusal',
  'missing-secret': 'none',
  'pull-request-open': 'answer',
  'job-active': 'answer',
  'no-changes': 'answer',
  'dry-run': 'answer',
  help: 'answer',
  status: 'answer',
}

/** @returns URL of the comment, '' for none */
async function answerInThread(run: RequestRun, report: Report, messages: MessageContext): Promise<string> {
  const { thread, state, setup } = run
  const { reactions } = thread
  const reply = REPLIES[report.reason as SkipReason]
  const { reaction } = appearanceOf(report.outcome, report.reason)
  if (reply === 'refusal') {
    // First the reaction: the refusal takes back what an earlier attempt left, and this one is to stay.
    const [, url] = await Promise.all([reactions.conclude(reaction), thread.refuse(refusalComment(messages))])
    return url
  }
  const answers = reply === 'answer' && setup.trigger.comment !== undefined
  const reported: Reported = answers
    ? await thread.report(state, answerComment(report, messages))
    : { url: '' }
  const { existing, url } = reported
  await Promise.all([
    thread.tidy(),
    reactions.conclude(existing === undefined ? reaction : reactionOfRecord(existing)),
  ])
  return url
}

function answerComment(report: Report, messages: MessageContext): string {
  if (report.reason === 'help') return usageComment(messages)
  if (report.reason === 'status') return statusComment(report, messages)
  return resultComment(report, messages)
}

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
