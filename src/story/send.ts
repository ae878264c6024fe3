import { isJobNotFound } from '../agent/agent-client.ts'
import { Cancelled, CreationUncertain } from '../base/errors.ts'
import { countAsk, refusedToday } from '../features/daily-limit/daily-limit.ts'
import { reportDryRun } from '../features/dry-run/dry-run.ts'
import { setStatus } from '../features/pull-request/pull-request.ts'
import { ServiceError } from '../http/service.ts'
import type { Prompt } from '../prompt/frame.ts'
import { type PromptParts, promptOf } from '../prompt/prompt.ts'
import type { Task } from '../prompt/task.ts'
import type { RequestComment } from '../record/fold.ts'
import { type Job, reread } from '../record/job.ts'
import { type Ending, ending, isTerminal } from '../record/outcome.ts'
import type { AskResult, RunEnding } from '../record/report.ts'
import { wasAskedByPullRequestEvent } from '../record/request-identity.ts'
import { accept, jobOf, toIdle } from '../record/states.ts'
import { writeSending, writeStatus } from '../thread/comment.ts'
import { endingAfter } from '../thread/ending-after.ts'
import type { Run } from '../thread/run.ts'
import type { Session } from '../thread/session.ts'
import { logPrompt } from '../words/comments.ts'
import { explainError } from '../words/explain.ts'
import { lostMemory, notRemembered } from '../words/notes.ts'
import type { AskOptions, Send } from './plan.ts'
import { RENEWED_AFTER_MS, waitInQueue } from './queue.ts'

interface SendPlan extends AskOptions {
  readonly plan: Send
  /** What goes to the agent by this plan. */
  readonly partsFor: (plan: Send) => PromptParts
}

/**
 * Sends the request, once its record `sending` stands in the thread: other processes know of it before the service does. With
 * the answer it is `running`, which `follow` writes into the thread, or `conclude` in a run that does not wait.
 */
export async function sendRequest(
  session: Session,
  run: Run,
  task: Task,
  { plan: given, partsFor, ...options }: SendPlan,
): Promise<AskResult> {
  const { deps } = session
  const { dryRun, guidelines } = task.inputs
  const promptFor = (plan: Send) => {
    const parts = partsFor(plan)
    run.updateIdentity({ conversation: parts.conversation.sent, omittedLines: parts.omittedLines })
    return promptOf(parts, plan.job === undefined ? 'create' : 'continue', guidelines, deps.random)
  }
  const prompt = promptFor(given)
  const earlierPlan = { ...given, prompt }
  deps.core.info(logPrompt(partsFor(earlierPlan).request, prompt.text))
  if (dryRun) {
    session.warnings.omit(...prompt.omissions)
    return { ...(await reportDryRun(session, run, task)), note: earlierPlan.note, prompt: prompt.text }
  }
  const unwritten = await writeAhead(session, run, task, earlierPlan)
  if (unwritten !== undefined) return { ...nothingSent(run, unwritten), prompt: prompt.text }
  // Where no other request of the thread goes out, this only reads the thread again, and the first plan stands.
  let plan = await waitInQueue(session, run, task, { earlierPlan, options })
  let isPending = false
  for (;;) {
    if ('outcome' in plan) return { ...nothingSent(run, plan), prompt: prompt.text }
    const sent = plan.prompt ?? promptFor(plan)
    // The status is pending once the record stands, by which the next process can end it. Nothing waits for the status.
    if (!isPending) void setStatus(session, run)
    isPending = true
    const result = await handOver(session, run, task, { plan, ...sent })
    if (result !== 'job-gone') return { ...result, prompt: sent.text, snapshot: plan.snapshot }
    const anew: Send = { note: { job: 'gone' } }
    await writeSending(session, run, undefined)
    plan = await waitInQueue(session, run, task, { earlierPlan: anew, options })
  }
}

/** Ends a run that sent nothing. */
function nothingSent(run: Run, end: RunEnding): RunEnding {
  run.setState(toIdle(run.in('idle', 'sending')))
  return end
}

/** Writes that the request goes out. @returns why nothing may go out */
async function writeAhead(
  session: Session,
  run: Run,
  { inputs, deadline }: Task,
  { job, note }: Send,
): Promise<RunEnding | undefined> {
  const { deps, runner } = session
  if (deps.monotonic() >= deadline) return { ...ending('timed-out'), note }
  if (runner.runAttempt > 1 && run.writableThread(session) === undefined)
    deps.core.warning(lostMemory(run.thread !== undefined))
  const full = await refusedToday(session, run, inputs.dailyLimit)
  if (full !== undefined) return full
  run.announce()
  // A new comment, also for a re-run: the ids of comments are the order that two runs see alike.
  await writeSending(session, run, job, true)
  return run.lastWrite === 'refused' ? unremembered(run, inputs) : undefined
}

/**
 * A schedule or a push would ask the same again and again, if the thread could not remember it.
 * @returns why nothing may go out
 */
function unremembered({ failure, identity }: Run, { changesSince }: Task['inputs']): Ending | undefined {
  const isRepeated = identity.tracking || changesSince === 'last-run' || wasAskedByPullRequestEvent(identity)
  return isRepeated ? ending('error', 'bad-input', notRemembered(failure)) : undefined
}

interface Message extends Prompt {
  readonly plan: Send
}

/** Hands the prompt to the service. @returns `job-gone` where the job of the thread no longer exists, so that nothing was sent */
async function handOver(
  session: Session,
  run: Run,
  { deadline, inputs }: Task,
  { plan, text, omissions }: Message,
): Promise<AskResult | 'job-gone'> {
  const { deps, client } = session
  const { note, job: target } = plan
  const jobId = target?.id ?? ''
  const before = target && (await readBefore(session, target))
  const whileWaiting = renewal(session, run)
  await whileWaiting()
  try {
    const sent = await client.postPrompt({ prompt: text, deadline, whileWaiting, ...(target && { jobId }) })
    countAsk(session, run)
    session.warnings.omit(...omissions)
    noteAccepted(session, run, plan, { sent, known: before?.id === sent.id ? before : target, inputs })
  } catch (error) {
    const isSure = error instanceof ServiceError || error instanceof Cancelled
    if (isJobNotFound(error) && jobId !== '' && inputs.jobId === undefined) return 'job-gone'
    if (isSure) return nothingSent(run, { ...endingAfter(deps, error), note })
    countAsk(session, run)
    // Any other error came while the request may have been under way.
    const why =
      error instanceof CreationUncertain
        ? error
        : new CreationUncertain(explainError(deps.core, error), jobId, { cause: error })
    return { ...endingAfter(deps, why), note }
  }
  const { job } = run
  deps.core.info(`Job ${job?.id} ${run.jobAction}${job?.model ? ` (${job.model})` : ''}`)
  return { outcome: 'accepted' }
}

/** Writes the record again a minute after its last write: others wait for three, and a rate limit of the service can last longer. */
function renewal(session: Session, run: Run): () => Promise<void> {
  const { deps, github } = session
  const { updatedAt = github.clock() } = run.records()?.current ?? {}
  let renewedAt = deps.monotonic() - (github.clock() - updatedAt)
  return async () => {
    if (deps.monotonic() - renewedAt < RENEWED_AFTER_MS || run.lastWrite !== 'done') return
    renewedAt = deps.monotonic()
    await writeStatus(session, run)
  }
}

interface AcceptedSend {
  /** The job of the service's answer. */
  readonly sent: Job
  /** As it was before the message; undefined for a new job. */
  readonly known: Job | undefined
  readonly inputs: Task['inputs']
}

function noteAccepted(
  session: Session,
  run: Run,
  { note, headBefore = '', job: target }: Send,
  { sent, known, inputs }: AcceptedSend,
): void {
  const isBusy =
    known !== undefined && (!isTerminal(known) || isBusyWithAnother(session, run, known, inputs.pollMs))
  const accepted = {
    job: known === undefined ? sent : reread(known, sent),
    acceptedAt: run.nextWrittenAt(session),
    note,
    messagedAt: target?.id ? session.deps.now() : 0,
    wasBusy: isBusy,
    headBefore,
  }
  run.setState(accept(run.in('sending'), accepted))
  // After a kill at this point, only the state of the runner tells the job.
  run.keepForPostStep(session)
  run.showJob()
}

/**
 * The service may show the end of an earlier turn for a while, and another request of the thread, or failures that went back to it,
 * have just begun one.
 */
function isBusyWithAnother({ client, github }: Session, run: Run, { id }: Job, pollMs: number): boolean {
  const from = github.clock() - client.lagOf(pollMs).afterMessage
  const begunAt = ({ record, updatedAt }: RequestComment) => {
    if (record.state === 'running') return updatedAt
    return record.state === 'ended' ? (record.checks?.sentAt ?? 0) : 0
  }
  const isIt = (one: RequestComment) => jobOf(one.record)?.id === id && begunAt(one) >= from
  return run.records()?.others.some(isIt) === true
}

/** The job right before its message. One that an input names is read, unless the service does not answer. */
async function readBefore({ client }: Session, job: Job): Promise<Job> {
  if (job.status !== '') return job
  return await client.read(job.id).then(
    (read) => reread(job, read),
    () => job,
  )
}
