import { isJobNotFound } from '../agent/agent-client.ts'
import { Cancelled, CreationUncertain } from '../errors.ts'
import { countAsk, endOfDay } from '../features/daily-limit/daily-limit.ts'
import { setStatus } from '../features/pull-request/pull-request.ts'
import { openSuccessor } from '../features/tracking-issue/tracking-issue.ts'
import { ServiceError } from '../http/service.ts'
import type { Excerpt } from '../prompt/context.ts'
import { type PromptParts, promptOf } from '../prompt/prompt.ts'
import type { Task } from '../prompt/task.ts'
import { logPrompt } from '../words/comments.ts'
import { explainError } from '../words/explain.ts'
import { endingAfter, lostMemory, notRemembered } from '../words/notes.ts'
import { writeSending, writeStatus } from './comment.ts'
import type { RequestComment } from './fold.ts'
import { type Job, reread } from './job.ts'
import { type Ending, ending, isTerminal } from './outcome.ts'
import type { Send } from './plan.ts'
import type { Wish } from './plan-request.ts'
import { RENEWED_AFTER_MS } from './queue.ts'
import { isOfPullRequestEvent } from './record.ts'
import type { AskResult, RunEnd } from './report.ts'
import type { Request } from './request.ts'
import type { Session } from './session.ts'
import { accept, takeBack } from './states.ts'
import { waitInQueue } from './wait-in-queue.ts'

interface Sending extends Wish {
  readonly plan: Send
  /** What goes to the agent by this plan. */
  readonly partsFor: (plan: Send) => PromptParts
}

/**
 * Sends the request, once its record `sending` stands in the thread: other processes know of it before the service does. With
 * the answer it is `running`, which `follow` writes into the thread, or `conclude` in a run that does not wait.
 */
export async function send(
  session: Session,
  request: Request,
  task: Task,
  { plan: first, partsFor, ...wish }: Sending,
): Promise<AskResult> {
  const { deps } = session
  const { dryRun, guidelines } = task.inputs
  const promptFor = (plan: Send) =>
    promptOf(partsFor(plan), plan.job === undefined ? 'create' : 'continue', guidelines, deps.random)
  const prompt = promptFor(first)
  request.prompt = prompt.text
  deps.core.info(logPrompt(partsFor(first).request, prompt.text))
  if (dryRun) {
    session.warnings.leaveOut(...prompt.leftOut)
    return { ...ending('skipped', 'dry-run'), note: first.note }
  }
  const unwritten = await writeAhead(session, request, task, first)
  if (unwritten !== undefined) return nothingSent(request, unwritten)
  // Where no other request of the thread goes out, this only reads the thread again, and the first plan stands.
  let plan = await waitInQueue(session, request, task, { first, wish })
  let pending: Promise<boolean> | undefined
  for (;;) {
    if ('outcome' in plan) return nothingSent(request, plan)
    const sent = plan === first ? prompt : promptFor(plan)
    // Only what goes out is pending, and by its record the next process can end that. Nothing waits for it before it goes out.
    pending ??= setStatus(session, request)
    const [result] = await Promise.all([handOver(session, request, task, { plan, ...sent }), pending])
    if (result !== 'job-gone') return result
    const anew: Send = { kind: 'send', note: { job: 'gone' } }
    await writeSending(session, request, undefined)
    plan = await waitInQueue(session, request, task, { first: anew, wish })
  }
}

/** Nothing went out. */
function nothingSent(request: Request, end: RunEnd): RunEnd {
  request.become(takeBack(request.in('idle', 'sending')))
  return end
}

/** Writes that the request goes out. @returns why nothing may go out */
async function writeAhead(
  session: Session,
  request: Request,
  { inputs, deadline }: Task,
  { job, note }: Send,
): Promise<RunEnd | undefined> {
  const { deps, context } = session
  if (deps.monotonic() >= deadline) return { ...ending('timed-out'), note }
  if (context.runAttempt > 1 && request.writableThread(session) === undefined)
    deps.core.warning(lostMemory(request.thread !== undefined))
  const full = await endOfDay(session, request, inputs.dailyLimit)
  if (full !== undefined) return full
  request.action = 'announced'
  // Its own comment, also for a re-run: the ids of comments are the order that two runs see alike.
  await writeSending(session, request, job, true)
  return request.lastWrite === 'refused' ? await goOnWithout(session, request, inputs) : undefined
}

/** The thread takes no comment: the next tracking issue may. @returns why nothing may go out without the record */
async function goOnWithout(
  session: Session,
  request: Request,
  { issueTitle, changesSince }: Task['inputs'],
): Promise<Ending | undefined> {
  try {
    if (await moveToSuccessor(session, request, issueTitle)) return undefined
  } catch (error) {
    return endingAfter(session.deps, error)
  }
  // What a schedule or a push repeats is not paid again because the thread could not remember it.
  const isRepeated = changesSince === 'last-run' || isOfPullRequestEvent(request.identity)
  return isRepeated ? ending('error', 'bad-input', notRemembered(request.failure)) : undefined
}

/** The tracking issue takes no more comments. @returns whether another one has the record */
async function moveToSuccessor(
  session: Session,
  request: Request,
  title: string | undefined,
): Promise<boolean> {
  const { identity } = request
  const records = request.records()
  if (!identity.tracking || title === undefined || records === undefined) return false
  const successor = await openSuccessor(session, title, identity, records.known)
  if (successor === undefined) return false
  await successor.readOrWarn(session)
  request.answerIn(successor)
  await writeStatus(session, request)
  return request.lastWrite === 'done'
}

interface Message extends Pick<Excerpt, 'text' | 'leftOut'> {
  readonly plan: Send
}

/** Hands the prompt to the service. @returns `job-gone` where the job of the thread no longer exists, so that nothing was sent */
async function handOver(
  session: Session,
  request: Request,
  { deadline, inputs }: Task,
  { plan, text, leftOut }: Message,
): Promise<AskResult | 'job-gone'> {
  const { deps, client, github } = session
  const { note, headBefore = '', job: target } = plan
  const jobId = target?.id ?? ''
  const before = target && (await readBefore(session, target))
  request.prompt = text
  // Others wait for it only for a while from its record on, and a limit of the service can last longer.
  const { updatedAt = github.clock() } = request.records()?.own ?? {}
  let renewedAt = deps.monotonic() - (github.clock() - updatedAt)
  const whileWaiting = async () => {
    if (deps.monotonic() - renewedAt < RENEWED_AFTER_MS || request.lastWrite !== 'done') return
    renewedAt = deps.monotonic()
    await writeStatus(session, request)
  }
  await whileWaiting()
  try {
    const sent = await client.send({ prompt: text, deadline, whileWaiting, ...(target && { jobId }) })
    countAsk(session, request)
    session.warnings.leaveOut(...leftOut)
    const known = before?.id === sent.id ? before : target
    const isBusy =
      known !== undefined && (!isTerminal(known) || isBusyWithAnother(session, request, known, inputs.pollMs))
    const accepted = {
      job: known === undefined ? sent : reread(known, sent),
      acceptedAt: request.nextWrittenAt(session),
      note,
      messagedAt: jobId === '' ? 0 : deps.now(),
      wasBusy: isBusy,
      headBefore,
    }
    request.become(accept(request.in('sending'), accepted))
    // The post step can tell the job before anybody else can.
    request.keepForPostStep(session)
    request.showJob()
  } catch (error) {
    const isSure = error instanceof ServiceError || error instanceof Cancelled
    if (isJobNotFound(error) && jobId !== '' && inputs.jobId === undefined) return 'job-gone'
    if (isSure) return nothingSent(request, { ...endingAfter(deps, error), note })
    countAsk(session, request)
    // Whatever went wrong went wrong while the request may have been under way.
    const why =
      error instanceof CreationUncertain
        ? error
        : new CreationUncertain(explainError(deps.core, error), jobId, { cause: error })
    return { ...endingAfter(deps, why), note }
  }
  const { job } = request
  deps.core.info(`Job ${job?.id} ${request.jobAction}${job?.model ? ` (${job.model})` : ''}`)
  return 'with-agent'
}

/** The service may show the end of an earlier turn for a while, and another request of the thread has just begun one. */
function isBusyWithAnother(
  { client, github }: Session,
  request: Request,
  { id }: Job,
  pollMs: number,
): boolean {
  const from = github.clock() - client.settlingOf(pollMs).afterMessage
  const isIt = ({ record, updatedAt }: RequestComment) =>
    record.state === 'running' && record.job.id === id && updatedAt >= from
  return request.records()?.others.some(isIt) === true
}

/** A job right before its message: one that comes by its id alone is read, as far as that can be. */
async function readBefore({ client }: Session, job: Job): Promise<Job> {
  if (job.status !== '') return job
  return await client.read(job.id).then(
    (read) => reread(job, read),
    () => job,
  )
}
