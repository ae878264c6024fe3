import { isJobNotFound } from '../agent/agent-client.ts'
import { setPending } from '../docs-with-code/status.ts'
import { Cancelled, CreationUncertain } from '../errors.ts'
import { runUrlOf } from '../event/trigger.ts'
import { ServiceError } from '../http/service.ts'
import { logPrompt, workingComment } from '../messages/comments.ts'
import { explainError } from '../messages/explain.ts'
import { endingAfter, lostMemory, notRemembered } from '../messages/notes.ts'
import type { AskResult, RunEnd } from '../messages/phrases.ts'
import type { Excerpt } from '../prompt/context.ts'
import { type PromptParts, promptOf } from '../prompt/prompt.ts'
import type { Task } from '../prompt/task.ts'
import type { CountedAsk } from '../request/daily-limit.ts'
import { type Job, reread } from '../request/job.ts'
import { type Ending, ending, isTerminal } from '../request/outcome.ts'
import type { Send } from '../request/plan.ts'
import { RENEWED_AFTER_MS } from '../request/queue.ts'
import type { RequestComment } from '../request/reading.ts'
import { mentionOf } from '../request/record.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { openSuccessor } from '../thread/tracking-issue.ts'
import { countAsk } from './count-asks.ts'
import { planInQueue, type Queued, type Wish } from './plan-request.ts'

interface Sending extends Wish {
  readonly plan: Send
  /** What goes to the agent by this plan. */
  readonly partsFor: (plan: Send) => PromptParts
}

/** Sends the request, once its record stands in the thread: other processes know of it before the service does. */
export async function send(
  session: Session,
  request: Request,
  task: Task,
  { plan: first, partsFor, ...wish }: Sending,
): Promise<AskResult> {
  const { deps } = session
  const { dryRun, dailyLimit, guidelines } = task.inputs
  const promptFor = (plan: Send) =>
    promptOf(partsFor(plan), plan.job === undefined ? 'create' : 'continue', guidelines, deps.random)
  const prompt = promptFor(first)
  request.prompt = prompt.text
  deps.core.info(logPrompt(partsFor(first).request, prompt.text))
  if (dryRun) {
    session.warnings.leaveOut(...prompt.leftOut)
    return { note: first.note, ending: ending('skipped', 'dry-run') }
  }
  const ask = countAsk(session, request, dailyLimit)
  let plan = await waitForTurn(session, request, task, { first, wish }, ask)
  for (;;) {
    if ('ending' in plan) return notSent(request, ask, plan)
    const sent = plan === first ? prompt : promptFor(plan)
    const result = await post(session, request, task, { plan, ask, ...sent })
    if (result !== 'job-gone') return result
    const anew: Send = { kind: 'send', note: { job: 'gone' } }
    await saySending(session, request, anew)
    plan = await planOnceMore(session, request, task, { first: anew, wish })
  }
}

function notSent(request: Request, ask: CountedAsk, end: RunEnd): RunEnd {
  ask.takeBack()
  request.state = { state: 'idle' }
  return end
}

/**
 * Writes that the request goes out, with its place in the day, and waits for its turn.
 * @returns how the run ends where nothing may go out
 */
async function waitForTurn(
  session: Session,
  request: Request,
  task: Task,
  queued: Queued,
  ask: CountedAsk,
): Promise<Send | RunEnd> {
  const { deps, context } = session
  const { first } = queued
  if (deps.monotonic() >= task.deadline) return { note: first.note, ending: ending('timed-out') }
  if (context.runAttempt > 1 && request.writableThread(session) === undefined)
    deps.core.warning(lostMemory(request.thread !== undefined))
  const full = await ask.begin()
  if (full !== undefined) return { ending: full }
  const unremembered = await writeAhead(session, request, task, first)
  if (unremembered !== undefined) return { ending: unremembered }
  const taken = await ask.confirm()
  if (taken !== undefined) return { ending: taken }
  return await planOnceMore(session, request, task, queued)
}

/**
 * Plans with what other runs wrote into the thread, now that the record stands there.
 * @returns how the run ends where nothing may go out
 */
async function planOnceMore(
  session: Session,
  request: Request,
  task: Task,
  queued: Queued,
): Promise<Send | RunEnd> {
  const { deps } = session
  const { first, wish } = queued
  const { inputs, deadline } = task
  // Without its record in the thread, other runs cannot know of it.
  const isAlone = inputs.jobId !== undefined || inputs.conversation === 'new' || wish.isFresh
  const hasToLook = !isAlone && request.lastWrite === 'done'
  const [plan] = await Promise.all([
    hasToLook
      ? planInQueue(session, request, task, queued, () => sayWorking(session, request)).catch(
          (error: unknown) => ({ ending: endingAfter(deps, error) }),
        )
      : first,
    // Where the record stands by now, the next process can end what is pending.
    setPending(session, request),
  ])
  if ('ending' in plan) return plan
  if (plan.job?.id !== first.job?.id) await saySending(session, request, plan)
  if (deps.monotonic() >= deadline) return { note: plan.note, ending: ending('timed-out') }
  if (request.lastWrite !== 'unanswered') return plan
  // Without its record in the thread, a re-run could not tell that the request went out.
  return { note: plan.note, ending: endingAfter(deps, request.failure) }
}

/** Writes the record into the thread, or into the next tracking issue. @returns why nothing may go out without it */
async function writeAhead(
  session: Session,
  request: Request,
  { inputs }: Task,
  plan: Send,
): Promise<Ending | undefined> {
  request.action = 'sent'
  // Its own comment, also for a re-run: the ids of comments are the order that two runs see alike.
  await saySending(session, request, plan, true)
  if (request.lastWrite !== 'refused') return undefined
  try {
    if (await moveToSuccessor(session, request, inputs.issueTitle)) return undefined
  } catch (error) {
    return endingAfter(session.deps, error)
  }
  // What a schedule or a push repeats is not paid again because the thread could not remember it.
  const isRepeated = inputs.changesSince === 'last-run' || request.identity.head.step !== ''
  return isRepeated ? ending('error', 'bad-input', notRemembered(request.failure)) : undefined
}

/** The request is about to go out: to this job, or to a new one. @param asNew as a comment of its own */
async function saySending(session: Session, request: Request, { job }: Send, asNew = false): Promise<void> {
  request.state = { state: 'sending', jobId: job?.id ?? '', ending: undefined }
  await sayWorking(session, request, asNew)
}

/** The tracking issue takes no more comments. @returns whether another one has the record */
async function moveToSuccessor(
  session: Session,
  request: Request,
  title: string | undefined,
): Promise<boolean> {
  const { identity, memory } = request
  if (!identity.tracking || title === undefined || memory === undefined) return false
  const successor = await openSuccessor(session, title, identity, memory)
  if (successor === undefined) return false
  await successor.readOrWarn(session)
  request.thread = successor
  await sayWorking(session, request)
  return request.lastWrite === 'done'
}

interface Message extends Pick<Excerpt, 'text' | 'leftOut'> {
  readonly plan: Send
  readonly ask: CountedAsk
}

/** Hands the prompt to the service. @returns `job-gone` where the job of the thread no longer exists, so that nothing was sent */
async function post(
  session: Session,
  request: Request,
  { deadline, inputs }: Task,
  { plan, ask, text, leftOut }: Message,
): Promise<AskResult | 'job-gone'> {
  const { deps, client } = session
  const { note, headBefore = '', job: target } = plan
  const jobId = target?.id ?? ''
  const before = target && (await readBefore(session, target))
  request.prompt = text
  let renewedAt = deps.monotonic()
  // Others wait for it only for a while, and a limit of the service can last longer.
  const whileWaiting = async () => {
    if (deps.monotonic() - renewedAt < RENEWED_AFTER_MS || request.lastWrite !== 'done') return
    renewedAt = deps.monotonic()
    await sayWorking(session, request)
  }
  try {
    const sent = await client.send({ prompt: text, deadline, whileWaiting, ...(target && { jobId }) })
    ask.date()
    session.warnings.leaveOut(...leftOut)
    const known = before?.id === sent.id ? before : target
    const isBusy =
      known !== undefined && (!isTerminal(known) || isBusyWithAnother(session, request, known, inputs.pollMs))
    request.setRunning(session, {
      state: 'running',
      job: known === undefined ? sent : reread(known, sent),
      note,
      messagedAt: jobId === '' ? 0 : deps.now(),
      wasBusy: isBusy,
      headBefore,
      ending: undefined,
    })
  } catch (error) {
    const isSure = error instanceof ServiceError || error instanceof Cancelled
    if (isJobNotFound(error) && jobId !== '' && inputs.jobId === undefined) return 'job-gone'
    if (isSure) return notSent(request, ask, { note, ending: endingAfter(deps, error) })
    ask.date()
    // Whatever went wrong went wrong while the request may have been under way.
    const why =
      error instanceof CreationUncertain
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
