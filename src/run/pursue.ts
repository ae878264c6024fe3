import { follow } from '../agent/follow.ts'
import { followUpPrompt, newJobPrompt } from '../agent/prompt.ts'
import { read } from '../agent/read.ts'
import { CreationUncertain, send } from '../agent/send.ts'
import { outcomeOf } from '../core/ending.ts'
import { ActionError, Cancelled, messageOf } from '../core/errors.ts'
import { isTerminal, type Job, knownJob } from '../core/job.ts'
import type { Marker } from '../core/marker.ts'
import { code, count, grouped, oneLine, plainText } from '../core/text.ts'
import { ServiceError } from '../http/service-error.ts'
import type { Deps } from '../runner/deps.ts'
import { working } from '../thread/bodies.ts'
import type { News } from '../thread/thread.ts'
import { contextOf, reviewPlace } from '../trigger/context.ts'
import type { Plan } from './plan.ts'
import { leaveState } from './post-state.ts'
import { ended, type Progress, type Result, sawJob } from './progress.ts'
import type { Session } from './session.ts'

/** Does what the plan says, and follows the job to its end. */
export async function pursue(deps: Deps, session: Session, plan: Plan, progress: Progress): Promise<Result> {
  switch (plan.kind) {
    case 'skip':
      progress.job = plan.job
      return ended('skipped', plan.reason)
    case 'uncertain':
      progress.targetJob = plan.jobId
      throw new CreationUncertain(plan.cause)
    case 'resume':
      return await resume(deps, session, plan.own, progress)
    default:
      return await ask(deps, session, plan, progress)
  }
}

type Asking = Extract<Plan, { kind: 'create' | 'continue' }>

/** Sends the request to the agent. The thread and the post step know of it before the service does (contract 5.2). */
async function ask(deps: Deps, session: Session, plan: Asking, progress: Progress): Promise<Result> {
  const { inputs } = session
  progress.note = plan.note
  progress.prompt = await promptFor(deps, session, plan)
  logPrompt(deps, session.instruction, progress.prompt)
  if (inputs.dryRun) return ended('skipped', 'dry-run')
  if (deps.now() >= session.deadline) return ended('timed-out')
  warnOfLostMemory(deps, session)

  const jobId = plan.kind === 'continue' ? plan.jobId : undefined
  progress.targetJob = jobId ?? ''
  await note(session, { state: 'sending', job: progress.targetJob })
  // GitHub may have taken its time.
  if (deps.now() >= session.deadline) return ended('timed-out')
  const job = await sendOrStartOver(deps, session, plan, progress)
  if (job === undefined) {
    const again: Asking = {
      kind: 'create',
      note: 'The job of this thread no longer exists, so this is a new one.',
    }
    return await ask(deps, session, again, progress)
  }

  progress.jobAction = jobId === undefined ? 'created' : 'continued'
  progress.messagedAt = jobId === undefined ? 0 : deps.now()
  sawJob(progress, job)
  leaveOpen(deps, session, job, progress)
  deps.log(`Job ${job.id} ${progress.jobAction}${job.model === '' ? '' : ` (${job.model})`}`)
  return await see(deps, session, job, progress)
}

function leaveOpen(deps: Deps, { request }: Session, job: Job, { messagedAt }: Progress): void {
  leaveState(deps.runner, { phase: 'open', key: request.key, job, messagedAt })
}

/** @returns undefined when the thread's job is gone: then nothing was processed, and a new one may be made (4.9) */
async function sendOrStartOver(
  deps: Deps,
  session: Session,
  plan: Asking,
  progress: Progress,
): Promise<Job | undefined> {
  leaveState(deps.runner, { phase: 'sending', key: session.request.key })
  const { client, deadline } = session
  const target = plan.kind === 'continue' ? { jobId: plan.jobId } : {}
  try {
    return await send(deps, client, { prompt: progress.prompt, deadline, ...target })
  } catch (error) {
    const gone = error instanceof ServiceError && error.reason === 'job-not-found'
    if (gone && plan.kind === 'continue' && !plan.explicit) return undefined
    // Whatever else went wrong here went wrong while the request may have been under way.
    if (error instanceof ActionError || error instanceof Cancelled) throw error
    throw new CreationUncertain(
      `The request ended in a way that nobody foresaw (${code(messageOf(error), 200)})`,
      {
        cause: error,
      },
    )
  }
}

/** Picks up the job that an earlier attempt of this run has started. */
async function resume(deps: Deps, session: Session, own: Marker, progress: Progress): Promise<Result> {
  progress.jobAction = 'resumed'
  progress.messagedAt = own.messaged
  const known = knownJob(own)
  sawJob(progress, known)
  deps.log(`Job ${own.job} resumed: an earlier attempt has started it`)
  const { deadline, inputs } = session
  const reading = read(deps, session.client, { jobId: own.job, deadline, pollMs: inputs.pollMs })
  if (own.state === 'reported') {
    // The request has had its result: what the job did since then, or that it cannot be read now, takes nothing back.
    const result = await reading.catch(unlessCancelled(deps))
    if (result !== undefined && 'job' in result && isTerminal(result.job.status)) sawJob(progress, result.job)
    return ended(outcomeOf(progress.job ?? known))
  }
  leaveOpen(deps, session, known, progress)
  const result = await reading
  if ('timedOut' in result) return ended('timed-out', '', result.timedOut)
  sawJob(progress, result.job)
  leaveOpen(deps, session, result.job, progress)
  return await see(deps, session, result.job, progress)
}

/** Waits for the end of a job that is known, unless the workflow does not want to. */
async function see(deps: Deps, session: Session, job: Job, progress: Progress): Promise<Result> {
  const { inputs, deadline, startedAt } = session
  const { messagedAt } = progress
  // A job that has ended already gets its result, not a status. After a message that needs a second look (4.8).
  if (isTerminal(job.status) && messagedAt === 0) return ended(outcomeOf(job))
  const until = inputs.wait ? Math.ceil(deadline / 1000) : 0
  await note(session, { state: 'open', job: job.id, status: job.status, until, messaged: messagedAt })
  if (!inputs.wait) return ended('started')
  const followed = await follow(deps, session.client, {
    job,
    messagedAt: messagedAt === 0 ? undefined : messagedAt,
    deadline,
    pollMs: inputs.pollMs,
    startedAt,
    onJob: (seen) => sawJob(progress, seen),
  })
  if (followed.timedOut !== undefined) return ended('timed-out', '', followed.timedOut)
  return ended(outcomeOf(followed.job))
}

/** For reads whose failure changes nothing, unless the job is gone. */
const unlessCancelled =
  (deps: Deps) =>
  (error: unknown): undefined => {
    const gone = error instanceof ServiceError && error.reason === 'job-not-found'
    if (gone || error instanceof Cancelled) throw error
    deps.log(messageOf(error))
    return undefined
  }

async function promptFor(deps: Deps, session: Session, plan: Asking): Promise<string> {
  const { inputs, trigger, instruction, environment } = session
  if (plan.kind === 'continue') {
    return followUpPrompt({ instruction, place: reviewPlace(trigger) }, deps.random)
  }
  const { repository, serverUrl } = environment
  const context = inputs.context
    ? await contextOf(trigger, { github: session.github, attempt: session.attempt, repository, serverUrl })
    : ''
  return newJobPrompt({ guidelines: inputs.guidelines, instruction, context }, deps.random)
}

/** Where nothing can be remembered, a re-run starts again: people should know before they look for one job and find two. */
function warnOfLostMemory(deps: Deps, { environment, scope, mode }: Session): void {
  if (environment.runAttempt <= 1 || (scope !== undefined && mode !== 'off')) return
  const why = scope === undefined ? 'it has no thread (`issue-number`)' : 'of `comment: off`'
  const sentence = `This is a re-run, and what its earlier attempt started is not known, because ${why}: a second job may be under way.`
  deps.runner.annotate('warning', plainText(sentence))
}

function logPrompt(deps: Deps, instruction: string, prompt: string): void {
  const own =
    prompt === instruction ? 'the request alone' : `${grouped(instruction.length)} of them the request`
  deps.log(`Prompt: ${count(prompt.length, 'character')}, ${own}`)
}

async function note(session: Session, news: News): Promise<void> {
  const started = `${new Date(session.startedAt).toISOString().slice(11, 16)} UTC`
  const words = working(session.asker, session.runUrl, started, oneLine(news.job ?? ''), session.instruction)
  await session.thread.note(news, words)
}
