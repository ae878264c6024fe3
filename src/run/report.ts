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
import { showPreview } from './preview.ts'
import { reactionOfRecord } from './reactions.ts'
import type { RequestRun, Start } from './request-run.ts'
import type { Reported } from './thread.ts'
import { type ReportTarget, reportInThread, type ThreadReport } from './thread-report.ts'

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
  const { own, ownComments = [] } = thread.history ?? {}
  await Promise.all([
    // A run that says nothing leaves one comment of what earlier attempts said; with `comment: off` it leaves them all.
    answers || own === undefined || !thread.remembers ? thread.tidy() : thread.deleteOthers(ownComments, own),
    reactions.conclude(existing === undefined ? reaction : reactionOfRecord(existing)),
  ])
  return url
}

function answerComment(report: Report, messages: MessageContext): string {
  if (report.reason === 'help') return usageComment(messages)
  if (report.reason === 'status') return statusComment(report, messages)
  return resultComment(report, messages)
}
