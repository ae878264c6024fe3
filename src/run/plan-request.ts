import { ifKnown } from '../agent/agent-client.ts'
import { orCancelled, throwIfCancelled } from '../deps.ts'
import { carryStatus } from '../docs-with-code/commit-status.ts'
import type { DigestedChanges } from '../docs-with-code/digest.ts'
import { leftToFollow, type NewToAgent, planIncrement } from '../docs-with-code/increment.ts'
import { skipDocs } from '../docs-with-code/skip.ts'
import { decisionsOf } from '../docs-with-code/verdict.ts'
import { isPullRequestEvent } from '../event/gate.ts'
import type { PullRequest } from '../event/objects.ts'
import { skipSentence } from '../messages/comments.ts'
import { CAUSES, UNREAD_THREAD } from '../messages/notes.ts'
import type { EventTexts, PromptParts } from '../prompt/prompt.ts'
import { type Job, reread } from '../request/job.ts'
import { ending } from '../request/outcome.ts'
import { type Plan, planForJob, planFromHistory, threadJob } from '../request/plan.ts'
import type { RequestComment } from '../request/precedence.ts'
import { type Answer, answer } from '../thread/answer.ts'
import { pullRequestNow } from '../thread/docs-pull-request.ts'
import { acknowledge } from '../thread/reactions.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { skipAgentPullRequest } from './agent-pull-requests.ts'
import type { Asked } from './asked.ts'
import { type Listing, readChanges } from './changes.ts'
import { endingAfter } from './endings.ts'

/** What a run that may ask the agent reads, and at the same time its thread (contract 5.8). */
export interface Read {
  /** Undefined where the agent is not asked. */
  readonly texts: EventTexts | undefined
  /** Of `changes-since`, as far as they can be read before the thread is known. */
  readonly merges: Listing | undefined
  /** Whose head gets the commit status. */
  readonly pull: PullRequest | undefined
  /** Of a `pull_request` event, and of a command that decides the commit status. */
  readonly changes: DigestedChanges | undefined
}

/** What goes to the agent: as a new job, or as a message to a known one. */
export type Send = Extract<Plan, { kind: 'create' | 'continue' }>

/** An earlier run sent it. */
export interface Resume {
  readonly kind: 'resume'
  /** The request of an earlier push, whose job has all; undefined where it is this one. */
  readonly from?: RequestComment | undefined
}

/** @returns what goes to the agent, that an earlier run sent it, or how the run ends without it */
export async function planRequest(
  session: Session,
  request: Request,
  asked: Asked,
  read: Read,
): Promise<Planned> {
  const skipped = await skipAgentPullRequest(session, request, asked)
  const { texts } = read
  const answered = skipped ?? (await answerCommand(session, request, asked, texts))
  if (answered !== undefined) return answered
  throwIfCancelled(session.deps.cancellation)
  return texts === undefined ? HELP : await planForAgent(session, request, asked, { ...read, texts })
}

type Planned = Answer | Resume | (Send & { readonly parts: PromptParts })

const HELP = answer(ending('skipped', 'help'))

/** @returns undefined for a command that is for the agent */
async function answerCommand(
  session: Session,
  request: Request,
  asked: Asked,
  texts: EventTexts | undefined,
): Promise<Answer | undefined> {
  const { command } = asked
  // The line comments of a review may be all that it asks for.
  const { kind } = texts?.command ?? command
  if (kind === 'status') return await answerStatus(session, request, asked)
  if (command.kind === 'skip') return await skipDocs(session, request, asked, command.why)
  return kind === 'help' ? HELP : undefined
}

/** What the thread, the changes of a pull request, and the job of the thread make of what is for the agent. */
async function planForAgent(
  session: Session,
  request: Request,
  asked: Asked,
  { texts, merges, changes }: Read & { readonly texts: EventTexts },
): Promise<Planned> {
  const { deps, context } = session
  const { inputs, trigger } = asked
  const fresh = texts.command.kind === 'prompt' && texts.command.fresh
  const known = planFromHistory(request.history, inputs, {
    fresh,
    run: request.identity.run,
    runAttempt: context.runAttempt,
  })
  if (known.kind === 'stop') return answer(ending('error', known.reason, UNREAD_THREAD[known.reason]))
  if (known.kind === 'resume') {
    const { state } = request
    if ('job' in state) deps.core.info(`Job ${state.job.id} resumed: an earlier attempt started it`)
    return known
  }
  const isOfCode = changes !== undefined && isPullRequestEvent(trigger)
  const ofCode = isOfCode ? await planCode(session, request, asked, changes) : undefined
  if (ofCode?.kind === 'answer' || ofCode?.kind === 'resume') return ofCode
  const whole = isOfCode ? texts.context : texts.followUpContext
  const followUpContext = ofCode?.kind === 'part' ? ofCode.text : whole
  const merged = merges === undefined ? '' : await readChanges(session, request, merges, asked)
  throwIfCancelled(deps.cancellation)
  if (typeof merged !== 'string') return answer(merged)
  const plan = known.kind === 'inspect' ? await inspect(session, asked, known.job) : known
  if (plan.kind === 'answer') return plan
  if (plan.kind === 'skip') {
    const why = plan.unreadable ? CAUSES.unreadablePullRequest : ''
    return answer(ending('skipped', plan.reason, why), { job: plan.job })
  }
  return { ...plan, parts: { ...texts, followUpContext, changes: merged, references: asked.references } }
}

/** What of a pull request's changes the agent lacks, or why this event asks nothing of it (contract 3.13). */
async function planCode(
  session: Session,
  request: Request,
  asked: Asked,
  changes: DigestedChanges,
): Promise<Answer | Resume | NewToAgent> {
  const { inputs } = asked
  const { skip } = decisionsOf(request.history)
  if (skip !== undefined) {
    if (!inputs.dryRun) await carryStatus(session, request)
    return answer(ending('skipped', 'docs-skipped', skipSentence(skip.record)))
  }
  const planning = planIncrement(session, request, asked, changes)
  const increment = await orCancelled(session.deps.cancellation, planning)
  if (increment.kind !== 'nothing' && increment.kind !== 'replaced') return increment
  if (increment.kind === 'nothing' && !inputs.dryRun) {
    await carryStatus(session, request)
    const left = inputs.wait ? leftToFollow(session, request) : undefined
    if (left !== undefined) return { kind: 'resume', from: left } as const
  }
  return answer(ending('skipped', 'no-changes', CAUSES.sameChanges))
}

/** `/docs status`: reads the thread's job once (contract 3.2). */
async function answerStatus(
  session: Session,
  request: Request,
  { inputs, deadline }: Asked,
): Promise<Answer> {
  const { deps, client } = session
  const { history } = request
  const status = (message = '') => ending('skipped', 'status', message)
  if (history === undefined) return answer(status(CAUSES.unreadStatus))
  const known = threadJob(history)
  if (known === undefined || inputs.dryRun) return answer(status(), { job: known })
  if (deps.monotonic() >= deadline) return answer(ending('timed-out'), { job: known })
  request.noteEyes(acknowledge(session, request.identity.comment))
  try {
    const read = await ifKnown(client.readOnce(known, { deadline }))
    const job = read && reread(known, read)
    return answer(status(job === undefined ? CAUSES.goneStatus : ''), { job })
  } catch (error) {
    return answer(endingAfter(deps, error), { job: known })
  }
}

/** Reads what the plan depends on beyond the thread: its job, and the pull request of the job (contract 4.9). */
async function inspect(
  session: Session,
  { inputs, deadline }: Asked,
  remembered: Job,
): Promise<Plan | Answer> {
  const { deps, client } = session
  // The thread usually knows the pull request already, so both are read at the same time.
  const [read, known] = await Promise.all([
    inputs.dryRun
      ? remembered
      : ifKnown(client.read(remembered.id, { deadline, pollMs: inputs.pollMs, isKnown: true })),
    pullRequestNow(session, remembered.prLink),
  ])
  if (read !== undefined && 'timedOut' in read) return answer(ending('timed-out', '', read.timedOut))
  const job = read && reread(remembered, read)
  const link = job?.prLink ?? ''
  const pull = link === '' || link === remembered.prLink ? known : await pullRequestNow(session, link)
  throwIfCancelled(deps.cancellation)
  return planForJob(inputs, remembered, job, pull.state, pull.headSha)
}
