import { isJobNotFound } from '../agent/agent-client.ts'
import { setPending } from '../docs-with-code/status.ts'
import { Cancelled, CreationUncertain, isRefused } from '../errors.ts'
import { runUrlOf } from '../event/trigger.ts'
import { ServiceError } from '../http/service.ts'
import { logPrompt, workingComment } from '../messages/comments.ts'
import { explainError } from '../messages/explain.ts'
import { endingAfter, lostMemory, notRemembered } from '../messages/notes.ts'
import type { AskResult } from '../messages/phrases.ts'
import type { Excerpt } from '../prompt/context.ts'
import { type PromptParts, promptOf } from '../prompt/prompt.ts'
import type { Task } from '../prompt/task.ts'
import type { CountedAsk } from '../request/daily-limit.ts'
import { type Job, reread } from '../request/job.ts'
import { ending, isTerminal } from '../request/outcome.ts'
import type { Send } from '../request/plan.ts'
import { RENEWED_AFTER_MS } from '../request/queue.ts'
import type { RequestComment } from '../request/reading.ts'
import { mentionOf } from '../request/record.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { openSuccessor } from '../thread/tracking-issue.ts'
import { countAsk } from './count-asks.ts'
import { planInQueue } from './plan-request.ts'

interface Sending {
  readonly plan: Send
  /** What goes to the agent by this plan. */
  readonly partsFor: (plan: Send) => PromptParts
  /** The command asks for a new job, whatever the thread has. */
  readonly isFresh: boolean
  /** Of an earlier try, which has its place in the day. */
  readonly ask?: CountedAsk
}

/**
 * Writes the record ahead, and sends the request: the runner and the thread know of it before the service does.
 */
export async function send(
  session: Session,
  request: Request,
  task: Task,
  { plan: first, partsFor, isFresh, ask: earlier }: Sending,
): Promise<AskResult> {
  const { deps, context } = session
  const { inputs, deadline } = task
  const promptFor = (plan: Send) =>
    promptOf(partsFor(plan), plan.job === undefined ? 'create' : 'continue', inputs.guidelines, deps.random)
  const prompt = promptFor(first)
  request.prompt = prompt.text
  deps.core.info(logPrompt(partsFor(first).request, request.prompt))
  if (inputs.dryRun) {
    session.warnings.leaveOut(...prompt.leftOut)
    return { note: first.note, ending: ending('skipped', 'dry-run') }
  }
  const ask = earlier ?? countAsk(session, request, inputs.dailyLimit)
  const notSent = () => {
    ask.takeBack()
    request.state = { state: 'idle' }
  }
  const isLate = () => deps.monotonic() >= deadline
  if (isLate()) {
    notSent()
    return { note: first.note, ending: ending('timed-out') }
  }
  if (context.runAttempt > 1 && request.writableThread(session) === undefined)
    deps.core.warning(lostMemory(request.thread !== undefined))
  const full = earlier === undefined ? await ask.begin() : undefined
  if (full !== undefined) return { ending: full }
  // Its own comment, also for a re-run: the ids of comments are the order that two runs see alike.
  const isNew = request.action !== 'sent'
  request.action = 'sent'
  request.state = { state: 'sending', jobId: first.job?.id ?? '', ending: undefined }
  const [before] = await Promise.all([
    first.job && readBefore(session, first.job),
    sayWorking(session, request, isNew),
  ])
  if (isRefused(request.failure)) {
    try {
      await moveToSuccessor(session, request, inputs.issueTitle)
    } catch (error) {
      notSent()
      return { ending: endingAfter(deps, error) }
    }
    // What a schedule or a push repeats is not paid again because the thread could not remember it.
    const isRepeated = inputs.changesSince === 'last-run' || request.identity.head.step !== ''
    if (request.failure !== undefined && isRepeated) {
      notSent()
      return { ending: ending('error', 'bad-input', notRemembered(request.failure)) }
    }
  }
  const taken = await ask.confirm()
  if (taken !== undefined) {
    notSent()
    return { ending: taken }
  }
  const isAlone = inputs.jobId !== undefined || inputs.conversation === 'new' || isFresh
  // Without its record in the thread, other runs cannot know of it.
  const hasToLook = !isAlone && request.failure === undefined
  const renew = () => sayWorking(session, request)
  const [plan] = await Promise.all([
    hasToLook
      ? planInQueue(session, request, task, first, renew).catch((error: unknown) => ({
          ending: endingAfter(deps, error),
        }))
      : first,
    // The record stands by now, so that the next process can end what is pending.
    setPending(session, request),
  ])
  const isSending = 'kind' in plan && plan.kind === 'send'
  if (!isSending || isLate() || request.isUnwritten) {
    // Without its record in the thread, a re-run could not tell that the request went out.
    notSent()
    if ('ending' in plan) return plan
    if (!isSending) return { ending: ending('skipped', plan.reason), job: plan.job }
    return { note: plan.note, ending: isLate() ? ending('timed-out') : endingAfter(deps, request.failure) }
  }
  const { text, leftOut } = plan === first ? prompt : promptFor(plan)
  request.prompt = text
  const sending = { plan, partsFor, isFresh, ask, leftOut }
  return await post(session, request, task, sending, plan.job && (before ?? plan.job))
}

/** The tracking issue takes no more comments. */
async function moveToSuccessor(session: Session, request: Request, title: string | undefined): Promise<void> {
  const { identity, memory } = request
  if (!identity.tracking || title === undefined || memory === undefined) return
  const successor = await openSuccessor(session, title, identity, memory)
  if (successor === undefined) return
  await successor.readOrWarn(session)
  request.thread = successor
  await sayWorking(session, request)
}

/** @param before the job right before its message; undefined for a new job */
async function post(
  session: Session,
  request: Request,
  task: Task,
  sending: Sending & { readonly ask: CountedAsk } & Pick<Excerpt, 'leftOut'>,
  before: Job | undefined,
): Promise<AskResult> {
  const { deps, client } = session
  const { deadline, inputs } = task
  const { note, headBefore = '', job: target } = sending.plan
  const jobId = target?.id ?? ''
  request.state = { state: 'sending', jobId, ending: undefined }
  request.keepForPostStep(session)
  let renewedAt = deps.monotonic()
  // Others wait for it only for a while, and a limit of the service can last longer.
  const whileWaiting = async () => {
    if (deps.monotonic() - renewedAt < RENEWED_AFTER_MS || request.failure !== undefined) return
    renewedAt = deps.monotonic()
    await sayWorking(session, request)
  }
  try {
    const sent = await client.send({
      ...{ prompt: request.prompt, deadline, whileWaiting },
      ...(target && { jobId }),
    })
    sending.ask.date()
    session.warnings.leaveOut(...sending.leftOut)
    const known = before?.id === sent.id ? before : target
    request.setRunning(session, {
      state: 'running',
      job: known === undefined ? sent : reread(known, sent),
      note,
      messagedAt: jobId === '' ? 0 : deps.now(),
      wasBusy:
        known !== undefined &&
        (!isTerminal(known) || isBusyWithAnother(session, request, known, inputs.pollMs)),
      headBefore,
      ending: undefined,
    })
  } catch (error) {
    const isSure = error instanceof ServiceError || error instanceof Cancelled
    if (isSure) request.state = { state: 'idle' }
    if (isJobNotFound(error) && jobId !== '' && inputs.jobId === undefined)
      return await send(session, request, task, { ...sending, plan: { kind: 'send', note: { job: 'gone' } } })
    if (isSure) sending.ask.takeBack()
    else sending.ask.date()
    // Whatever went wrong went wrong while the request may have been under way.
    const isKnown = isSure || error instanceof CreationUncertain
    const why = isKnown
      ? error
      : new CreationUncertain(explainError(deps.core, error), jobId, { cause: error })
    return { note, ending: endingAfter(deps, why) }
  }
  const { job } = request
  deps.core.info(`Job ${job?.id} ${request.jobAction}${job?.model ? ` (${job.model})` : ''}`)
  return 'with-agent'
}

/** The service may show the end of an earlier turn for a while, and another request of the thread has just begun one. */
function isBusyWithAnother(
  { client, github }: Session,
  { reading }: Request,
  { id }: Job,
  pollMs: number,
): boolean {
  const from = github.clock() - client.settlingOf(pollMs).afterMessage
  const isIt = ({ record, updatedAt }: RequestComment) =>
    record.state === 'running' && record.job.id === id && updatedAt >= from
  return reading?.others.some(isIt) === true
}

/** A job right before its message: one that comes by its id alone is read, as far as that can be. */
async function readBefore({ client }: Session, job: Job): Promise<Job> {
  if (job.status !== '') return job
  return await client.read(job.id).then(
    (read) => reread(job, read),
    () => job,
  )
}

/** Says that the agent works, and the job once it is known. @param asNew as a comment of its own */
export async function sayWorking(session: Session, request: Request, asNew = false): Promise<void> {
  const { identity, job } = request
  const { requestedAt: startedAt, run } = identity
  const requestedBy = mentionOf(identity)
  const runUrl = runUrlOf(session.context, run)
  const words = workingComment({ requestedBy, runUrl, startedAt, job })
  await request.writeComment(session, 'status comment', words, asNew)
}
