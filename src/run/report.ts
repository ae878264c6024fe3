import type { Deps } from '../deps.ts'
import type { Inputs } from '../inputs.ts'
import { refusalComment, resultComment, statusComment, usageComment } from '../messages/comments.ts'
import { describe, plainSentence } from '../messages/outcome.ts'
import type { MessageContext, Report } from '../messages/report.ts'
import { previewSection, runSummary } from '../messages/run.ts'
import type { Ending } from '../request/lifecycle.ts'
import { appearanceOf, type SkipReason } from '../request/outcome.ts'
import { redact } from '../text.ts'
import type { Outputs } from './outputs.ts'
import type { RequestRun, Start } from './request-run.ts'
import type { Reported } from './thread.ts'
import {
  type PreviewOptions,
  reactionTo,
  reportInThread,
  showPreview,
  type ThreadReport,
} from './thread-report.ts'

/** What the report is made of; it grows while the run goes on, so that the report is complete at every end. */
export interface ReportContext {
  readonly start: Start
  readonly secrets: readonly string[]
  readonly outputs: Outputs
  inputs?: Inputs
  /** The ending of a run that serves no request. */
  early?: Ending | undefined
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
  announce(deps, context, report, messages)
  await core.addSummary(redact(runSummary(report, messages), secrets))
  if (run?.ending === undefined || context.silent === true) return
  // A person without permission gets the refusal, and nothing else.
  if (!run.granted && report.reason !== 'permission-denied') return
  const { url, preview: pending } =
    report.outcome === 'skipped'
      ? await answerInThread(run, report, messages)
      : await reportInThread(run, report, messages, previewOptions(run))
  if (url !== '') outputs.end(report, url)
  const warning = run.warnings.flush()
  if (warning !== '') await core.addSummary(`\n> [!WARNING]\n> ${redact(warning, secrets)}\n`)
  const isReported = url !== '' || !run.thread.remembers || !deps.cancellation.requested.aborted
  // Otherwise the post step, which has more time, reports it.
  if (isReported) run.clearState()
  // Everything else is reported, so a run that is killed while it waits for the preview loses nothing else.
  const preview = await pending
  if (preview === undefined) return
  outputs.end({ ...report, preview, durationMs: deps.monotonic() - context.start.monotonic }, url)
  await Promise.all([
    showPreview(run.thread, preview, report, messages),
    core.addSummary(redact(`\n${previewSection(preview)}\n`, secrets)),
  ])
}

const previewOptions = ({ setup, deadline }: RequestRun): PreviewOptions => ({
  access: setup.inputs.access,
  deadline,
  pollMs: setup.inputs.pollMs,
  startedAt: setup.start.monotonic,
})

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
  { inputs, secrets }: ReportContext,
  report: Report,
  messages: MessageContext,
): void {
  const sentence = redact(plainSentence(describe(report, messages)), secrets)
  if (report.job?.prLink) core.info(`Pull request: ${report.job.prLink}`)
  const { level } = appearanceOf(report.outcome, report.reason, inputs?.onTimeout)
  if (level === 'error') core.setFailed(sentence)
  else core[level](sentence)
  if (report.job?.unusableLink === true) {
    core.warning('The service sent an unusable link to the pull request: look at the job in the dashboard.')
  }
}

type Answer = (report: Report, messages: MessageContext) => string

/** What a skip answers to the comment that asked; undefined for nothing. */
const ANSWERS: Readonly<Record<SkipReason, Answer | undefined>> = {
  'not-a-command': undefined,
  'not-a-new-comment': undefined,
  bot: undefined,
  'agent-pull-request': undefined,
  'permission-denied': undefined,
  'missing-secret': undefined,
  'pull-request-open': resultComment,
  'job-active': resultComment,
  'no-changes': resultComment,
  'dry-run': resultComment,
  help: (_, messages) => usageComment(messages),
  status: statusComment,
}

async function answerInThread(
  { thread, state, setup }: RequestRun,
  report: Report,
  messages: MessageContext,
): Promise<ThreadReport> {
  const { reactions } = thread
  if (report.reason === 'permission-denied') {
    // First the reaction: the refusal takes back what an earlier attempt left, and this one is to stay.
    const reacted = reactions.conclude(reactionTo(report))
    const [, url] = await Promise.all([reacted, thread.refuse(refusalComment(messages))])
    return { url }
  }
  const answer = setup.trigger.comment && ANSWERS[report.reason as SkipReason]
  const { url, existing }: Reported =
    answer === undefined ? { url: '' } : await thread.report(state, answer(report, messages))
  const { own, ownComments = [] } = thread.history ?? {}
  await Promise.all([
    // A run that says nothing leaves one comment of what earlier attempts said; with `comment: off` it leaves them all.
    answer !== undefined || own === undefined || !thread.remembers
      ? thread.tidy()
      : thread.deleteOthers(ownComments, own),
    reactions.conclude(reactionTo(report, existing)),
  ])
  return { url }
}
