import { refusalComment, resultComment, statusComment, usageComment } from '../messages/comments.ts'
import { describe, plainSentence } from '../messages/outcome.ts'
import type { MessageContext, Report } from '../messages/report.ts'
import { previewSection, runSummary } from '../messages/summary.ts'
import { redact } from '../redact.ts'
import type { Ending } from '../request/lifecycle.ts'
import { appearanceOf, type SkipReason } from '../request/outcome.ts'
import type { Reported } from '../thread/thread.ts'
import type { RequestRun, StepSetup } from './request-run.ts'
import { reactionTo, reportInThread, showPreview, type ThreadReport } from './thread-report.ts'

/** Reports the ending of a run that serves no request. */
export async function reportEnding(step: StepSetup, ending: Ending | undefined): Promise<void> {
  const report: Report = {
    ...(ending ?? { outcome: 'error', reason: 'internal', message: 'The run has no ending.' }),
    job: undefined,
    jobAction: 'none',
    followUp: false,
    note: '',
    requestedBy: '',
    request: '',
    prompt: '',
    durationMs: step.deps.monotonic() - step.start.monotonic,
  }
  await announce(step, report, messageContext(step))
}

/** Reports how a request ended: outputs, log, annotation, summary, and the thread. */
export async function reportRun(run: RequestRun): Promise<void> {
  const { deps, setup, thread, ending } = run
  if (ending === undefined) return await reportEnding(setup, undefined)
  const { outputs, secrets, start } = setup
  const report = run.report(ending)
  const messages = messageContext(setup, run)
  await announce(setup, report, messages)
  // A person without permission who used the command gets the refusal, and nothing else.
  const refuses = report.reason === 'permission-denied' && run.tellsOfDenial
  if (!run.mayWrite && !refuses) return
  const { url, preview: pending } =
    report.outcome === 'skipped'
      ? await answerInThread(run, report, messages)
      : await reportInThread(run, report, messages, run.waiting)
  if (url !== '') outputs.end(report, url)
  const warning = run.warnings.flush()
  if (warning !== '') await deps.core.addSummary(`\n> [!WARNING]\n> ${redact(warning, secrets)}\n`)
  const isReported = url !== '' || !thread.remembers || !deps.cancellation.requested.aborted
  // Otherwise the post step, which has more time, reports it.
  if (isReported) run.clearState()
  // Everything else is reported, so a run that is killed while it waits for the preview loses nothing else.
  const preview = await pending
  if (preview === undefined) return
  outputs.end({ ...report, preview, durationMs: deps.monotonic() - start.monotonic }, url)
  await Promise.all([
    showPreview(thread, preview, report, messages),
    deps.core.addSummary(redact(`\n${previewSection(preview)}\n`, secrets)),
  ])
}

const messageContext = ({ inputs }: StepSetup, run?: RequestRun): MessageContext => ({
  command: inputs?.command ?? '/docs',
  timeoutMs: inputs?.timeoutMs ?? 0,
  minPermission: inputs?.minPermission ?? 'write',
  denied: run?.denied,
  runUrl: run?.runUrl ?? '',
})

/** Reports outside the thread. */
async function announce(step: StepSetup, report: Report, messages: MessageContext): Promise<void> {
  const { inputs, outputs, secrets } = step
  const { core } = step.deps
  outputs.end(report, '')
  const sentence = redact(plainSentence(describe(report, messages)), secrets)
  if (report.job?.prLink) core.info(`Pull request: ${report.job.prLink}`)
  const { level } = appearanceOf(report.outcome, report.reason, inputs?.onTimeout)
  if (level === 'error') core.setFailed(sentence)
  else core[level](sentence)
  if (report.job?.unusableLink === true) {
    core.warning('The service sent an unusable link to the pull request: look at the job in the dashboard.')
  }
  await core.addSummary(redact(runSummary(report, messages), secrets))
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
  await Promise.all([
    // A run that says nothing leaves one comment of what earlier attempts said; with `comment: off` it leaves them all.
    answer === undefined && thread.remembers ? thread.keepOne() : thread.tidy(),
    reactions.conclude(reactionTo(report, existing)),
  ])
  return { url }
}
