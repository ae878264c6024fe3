import { send } from '../agent/agent-client.ts'
import { orCancelled, throwIfCancelled } from '../cancellation.ts'
import type { Deps } from '../deps.ts'
import { Cancelled, CreationUncertain, isRefused, unexpectedError } from '../errors.ts'
import { checkAccess } from '../event/gate.ts'
import { fullName } from '../event/run-context.ts'
import { isJobNotFound } from '../finish/follow.ts'
import type { Request } from '../finish/request.ts'
import { retryRead } from '../http/retry.ts'
import { ServiceError } from '../http/service.ts'
import { pullRequestOf } from '../link.ts'
import { explainGitHub } from '../messages/explain.ts'
import { logHeader, logPrompt } from '../messages/summary.ts'
import { type Material, promptOf, readMaterial } from '../prompt/material.ts'
import type { Job } from '../request/job.ts'
import { type Ending, ending } from '../request/outcome.ts'
import { GONE, type Plan, type PullRequestState, planForJob, planFromHistory } from '../request/plan.ts'
import { plainText } from '../text.ts'
import { isOpen } from '../thread/thread.ts'
import { isAgentPullRequest } from './agent-pull-request.ts'
import { type Listing, listChanges, readChanges } from './changes.ts'
import { findThread, NO_PLACE, readThread } from './find-thread.ts'
import { mayAskAgent, type StartOptions } from './start-options.ts'
import { answerStatus } from './status.ts'

/**
 * Brings a request to the agent, once, in a straight line: permission, thread, plan, prompt, record, job.
 * @returns how the request ended without the agent; undefined once it is with the agent
 * @throws {ForgeError} where GitHub stays away before the agent is asked: nothing was sent
 */
export async function start(request: Request, options: StartOptions): Promise<Ending | undefined> {
  const { session } = request
  const { deps, context, forge } = session
  const { inputs, trigger, command, references } = options
  const asksAgent = mayAskAgent(command, trigger)
  // Requests that do not depend on each other go out together (contract 5.8).
  const deciding = checkAccess(forge, trigger, inputs.minPermission).then((access) => {
    request.isGranted = access.granted
    // From here on a kill is the post step's to report.
    if (access.granted) request.thread.save(request.state)
    return access
  })
  const listing =
    asksAgent && inputs.changesSince ? listChanges(request, options, inputs.changesSince) : undefined
  listing?.catch(() => undefined)
  deciding.catch(() => undefined)
  const found = asksAgent
    ? await orCancelled(deps.cancellation, findThread(request, options, deciding))
    : NO_PLACE
  logStart(request, options)

  const source = { ...session, setup: { inputs, trigger, context, request: request.text } }
  const read = (pushed: typeof found.pushed) => readMaterial(source, command, pushed, references)
  const reading = readThread(request, found, inputs)
  const round = Promise.all([deciding, reading, asksAgent ? read(found.pushed) : undefined])
  const [access, place, material] = await orCancelled(deps.cancellation, round)
  request.isFirst = context.runAttempt === 1 && request.thread.history?.own === undefined
  if (!access.granted) {
    const { login, has, unreadable } = access
    request.denied = { login, has, isSilent: !options.tellsOfDenial }
    if (unreadable !== undefined) {
      const doing = `read the permission of ${login}, so it counts as none`
      deps.core.warning(plainText(explainGitHub(unreadable, doing, '')))
    }
    return ending('skipped', 'permission-denied')
  }
  request.thread.save(request.state)
  if (asksAgent) request.reactions.acknowledge()
  if (place.skip !== undefined) return ending('skipped', place.skip.skip, place.skip.message)
  const whose = await isAgentPullRequest(request, options)
  if (whose === 'agent') return ending('skipped', 'agent-pull-request')
  if (typeof whose === 'object') {
    request.shownJob = whose
    return ending('skipped', 'job-active', MAY_BE_ITS_OWN)
  }
  // The command counts as readers see it, without what is hidden in the comment.
  const seen = material?.command ?? command
  if (seen !== 'input' && seen.kind === 'help') return ending('skipped', 'help')
  if (seen !== 'input' && seen.kind === 'status') return await answerStatus(request, options)
  if (material === undefined) return ending('skipped', 'help')
  const settled = place.pushed === found.pushed ? material : await read(place.pushed)
  return await startAgent(request, options, settled, seen !== 'input' && seen.fresh, listing)
}

const MAY_BE_ITS_OWN =
  'This pull request may be the work of that job, which is known only once the job ends. Re-run the workflow then.'

function logStart({ session, thread, identity }: Request, { inputs, trigger }: StartOptions): void {
  const { core } = session.deps
  const hasThread = thread.number !== undefined
  const where = `${fullName(session.context.repository)}${hasThread ? `#${thread.number}` : ''}`
  core.info(logHeader(trigger, identity.requestedBy, where))
  if (hasThread) return
  if (inputs.conversation === 'skip') core.warning(NOTHING_TO_SKIP_BY)
  if (inputs.changesSince === 'last-run') core.warning(NO_LAST_RUN)
}

const NOTHING_TO_SKIP_BY =
  'Input conversation is skip, but this run has no thread that remembers a job, so every run starts a new one. Set issue-number or issue-title.'
const NO_LAST_RUN =
  'Input changes-since is last-run, but this run has no thread that remembers the last one, so it goes back seven days. Set issue-title.'

/** Makes the plan, and does what it says. */
async function startAgent(
  request: Request,
  options: StartOptions,
  material: Material,
  fresh: boolean,
  listing: Promise<Listing> | undefined,
): Promise<Ending | undefined> {
  const { session, thread } = request
  const { deps, context } = session
  const { inputs } = options
  throwIfCancelled(deps.cancellation)
  const known = planFromHistory(thread.history, inputs, { fresh, runAttempt: context.runAttempt })
  if (known.kind === 'resume') return resume(request)
  const changes = listing && (await readChanges(request, await listing, options))
  throwIfCancelled(deps.cancellation)
  if (changes !== undefined && 'none' in changes) return ending('skipped', 'no-changes', changes.none)
  const plan = known.kind === 'inspect' ? await inspect(request, options, known.job) : known
  if ('outcome' in plan) return plan
  if (plan.kind === 'skip') {
    request.shownJob = plan.job
    return ending('skipped', plan.reason, plan.unreadable ? UNREADABLE : '')
  }
  return await ask(request, options, plan, { ...material, changes: changes?.text ?? '' })
}

const UNREADABLE = 'Give the token `pull-requests: read` on that repository, or set `conversation: continue`.'

/** Goes on from what an earlier attempt of this request left in the thread, and sends nothing. */
function resume(request: Request): undefined {
  const own = request.thread.history?.own
  if (own === undefined) return
  request.goOnFrom(own.record)
  if ('job' in own.record) {
    request.session.deps.core.info(`Job ${own.record.job.id} resumed: an earlier attempt started it`)
  }
}

/** Reads what the plan depends on beyond the thread: its job, and the pull request of the job (contract 4.9). */
async function inspect(request: Request, options: StartOptions, remembered: Job): Promise<Plan | Ending> {
  const { deps, client } = request.session
  const { inputs, deadline } = options
  const read = () =>
    retryRead(deps, { deadline, pollMs: inputs.pollMs }, (left, signal) =>
      client.read(remembered.id, left, signal),
    )
  // The thread usually knows the pull request already, so both are read at the same time.
  const [answer, knownState] = await Promise.all([
    inputs.dryRun
      ? { job: remembered }
      : read().catch((error: unknown) => {
          if (!isJobNotFound(error) || inputs.jobId !== undefined) throw error
        }),
    pullRequestState(request, remembered.prLink),
  ])
  if (answer !== undefined && 'timedOut' in answer) return ending('timed-out', '', answer.timedOut)
  const link = answer?.job.prLink ?? ''
  const state = link === '' || link === remembered.prLink ? knownState : await pullRequestState(request, link)
  throwIfCancelled(deps.cancellation)
  return planForJob(inputs, remembered, answer?.job, state)
}

/** @throws {ForgeError} where GitHub does not answer: a message must not go to merged work */
async function pullRequestState({ session }: Request, link: string): Promise<PullRequestState> {
  if (link === '') return 'none'
  const pull = pullRequestOf(link, session.context.serverUrl)
  if (pull === undefined) return 'unreadable'
  try {
    return (await session.forge.pullRequest(pull)).state
  } catch (error) {
    if (isRefused(error)) return 'unreadable'
    throw error
  }
}

type Ask = Extract<Plan, { kind: 'create' | 'continue' }>

/** Sends the request to the agent. The thread and the post step know of it before the service does (contract 5.2). */
async function ask(
  request: Request,
  options: StartOptions,
  plan: Ask,
  material: Material,
): Promise<Ending | undefined> {
  const { deps, client } = request.session
  const { inputs, deadline } = options
  const jobId = plan.kind === 'continue' ? plan.jobId : undefined
  request.note = plan.note
  request.prompt = promptOf(material, plan.kind, inputs.guidelines, deps.random)
  deps.core.info(logPrompt(material.request, request.prompt))
  if (inputs.dryRun) return ending('skipped', 'dry-run')
  if (deps.monotonic() >= deadline) return ending('timed-out')
  warnOfLostMemory(request)

  request.apply({ type: 'send', jobId: jobId ?? '' })
  request.hasSent = true
  const written = await request.writeStatus()
  const isLate = deps.monotonic() >= deadline
  if (isOpen(written) || isLate) {
    // Without its record in the thread, a re-run could not tell that the request went out.
    request.apply({ type: 'notSent' })
    if (isLate) return ending('timed-out')
    throw written.failure
  }
  try {
    const job = await send(deps, client, { prompt: request.prompt, jobId, deadline })
    request.jobAction = jobId === undefined ? 'created' : 'continued'
    // Nothing leads back from the pull request of a new job yet.
    if (jobId === undefined && request.isFirst) request.hasLinkComment = false
    request.apply({ type: 'accepted', job, messagedAt: jobId === undefined ? 0 : deps.now() })
    deps.core.info(`Job ${job.id} ${request.jobAction}${job.model === '' ? '' : ` (${job.model})`}`)
    return undefined
  } catch (error) {
    const isRejected = error instanceof ServiceError || error instanceof Cancelled
    request.apply({ type: isRejected ? 'notSent' : 'noAnswer' })
    if (!isJobNotFound(error) || jobId === undefined || inputs.jobId !== undefined)
      throw uncertain(error, deps, isRejected)
    return await ask(request, options, { kind: 'create', note: GONE }, material)
  }
}

/** Whatever went wrong went wrong while the request may have been under way. */
function uncertain(error: unknown, { core }: Deps, isRejected: boolean): unknown {
  if (isRejected || error instanceof CreationUncertain) return error
  return new CreationUncertain(unexpectedError(core, error).replace(/\.$/, ''), { cause: error })
}

/** Without memory a re-run starts again: people should know before they look for one job and find two. */
function warnOfLostMemory({ session, thread }: Request): void {
  if (session.context.runAttempt <= 1 || thread.remembers) return
  const why = thread.number === undefined ? 'it has no thread (issue-number)' : 'comment is off'
  session.deps.core.warning(
    `This is a re-run, and what its earlier attempt started is not known, because ${why}: a second job may be under way.`,
  )
}
