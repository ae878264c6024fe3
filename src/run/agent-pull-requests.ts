import pLimit from 'p-limit'
import { ifKnown, JOBS_AT_A_TIME } from '../agent/agent-client.ts'
import { throwIfCancelled } from '../deps.ts'
import { type ErrorReason, isRefused } from '../errors.ts'
import { hasUnlistedBot, isPullRequestEvent } from '../event/gate.ts'
import type { PullRequest } from '../event/objects.ts'
import { MISSING_MS, polling, type WaitOptions } from '../http/retry.ts'
import { ServiceError } from '../http/service.ts'
import { isInRepository, type PullRequestRef, pullRequestOf, samePullRequest } from '../link.ts'
import { CAUSES } from '../messages/notes.ts'
import { type Job, jobWithId } from '../request/job.ts'
import { askedAt } from '../request/lease.ts'
import { ending, isTerminal } from '../request/outcome.ts'
import { type Answer, answer } from '../thread/answer.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { trustedRecords } from '../thread/trusted-records.ts'
import type { Asked } from './asked.ts'
import { waitingUntil } from './callers.ts'

interface OpenJob {
  readonly id: string
  /** In ms since the epoch, on the forge's clock. */
  readonly askedAt: number
}

interface AgentJobs {
  /** To their pull requests. */
  readonly links: readonly string[]
  /** Those that may still work. */
  readonly open: readonly OpenJob[]
}

/** As the comments tell that changed last. @throws {ForgeError} where GitHub does not answer */
export async function readAgentJobs({ forge, scope }: Session): Promise<AgentJobs> {
  try {
    const comments = await forge.recentComments()
    const recorded = await trustedRecords(forge, comments, ({ thread }) => ({ ...scope, thread }))
    return {
      links: recorded.flatMap(({ record }) => ('job' in record ? [record.job.prLink] : [])),
      open: recorded.flatMap(({ record, ...comment }) =>
        record.state === 'running' ? [{ id: record.job.id, askedAt: askedAt(comment, record) }] : [],
      ),
    }
  } catch (error) {
    // If the token may not read the comments, no job is known.
    if (isRefused(error)) return { links: [], open: [] }
    throw error
  }
}

/**
 * Skips an event about the agent's own pull request, by any account (contract 3.5). The action always follows a pull
 * request whose author is in `allowed-bots`. One that came while a job works, and shows a sign of an agent, may be that
 * job's. Its link is known only once the job ends, so the run waits for that until the deadline.
 * @returns undefined for every other event
 */
export async function skipAgentPullRequest(
  session: Session,
  request: Request,
  { trigger, inputs, deadline }: Asked,
): Promise<Answer | undefined> {
  const { subject } = trigger
  if (subject === undefined || !isPullRequestEvent(trigger)) return undefined
  if (inputs.allowedBots.includes(subject.author?.login ?? '')) return undefined
  const { links, open } = await readAgentJobs(session)
  const known = [...links, ...(request.history?.prLinks ?? [])]
  const others = await withoutAgents(session, inputs.allowedBots, [subject], known)
  if (others.length === 0) return AGENTS
  const candidates = open.filter((job) => job.askedAt <= subject.createdAt).map(({ id }) => id)
  if (candidates.length === 0 || inputs.dryRun) return undefined
  if (!(await showsAgent(session, subject, inputs.allowedBots))) return undefined
  const waiting = waitingUntil(deadline, inputs)
  const { owner, working } = await findOwner(session, subject.url, candidates, waiting)
  if (owner !== undefined) return AGENTS
  if (working === undefined) return undefined
  // If it is the job's own, no later event ends a status of its head.
  request.amend({ commitStatus: { name: '', sha: '' } })
  return answer(ending('skipped', 'job-active', CAUSES.mayBeItsOwn), { job: working })
}

const AGENTS = answer(ending('skipped', 'agent-pull-request'))

/**
 * Any account can have opened the agent's own (3.5).
 * @param pulls of the repository of the workflow @param links to the agent's own
 * @throws {ForgeError} where GitHub does not answer
 */
export async function withoutAgents<P extends Pick<PullRequest, 'author' | 'number'>>(
  session: Session,
  allowedBots: readonly string[],
  pulls: readonly P[],
  links: readonly string[],
): Promise<readonly P[]> {
  const isListed = ({ author }: P) => allowedBots.includes(author?.login ?? '')
  const unlisted = pulls.filter((pull) => !isListed(pull) && pull.author?.bot !== true)
  const own = await ownAmong(session, new Set(unlisted.map(({ number }) => number)), links)
  return pulls.filter((pull) => isListed(pull) || (unlisted.includes(pull) && !own.has(pull.number)))
}

/** @returns those numbers that a link leads to, also one from before the repository was renamed or transferred */
async function ownAmong(
  { context, forge }: Session,
  numbers: ReadonlySet<number>,
  links: readonly string[],
): Promise<ReadonlySet<number>> {
  const named = [...new Set(links)]
    .flatMap((link) => pullRequestOf(link, context.serverUrl) ?? [])
    .filter(({ number }) => numbers.has(number))
  const areOwn = await Promise.all(
    named.map(async (pull) => isInRepository(context.repository, pull) || (await forge.hadName(pull))),
  )
  return new Set(named.flatMap(({ number }, at) => (areOwn[at] === true ? [number] : [])))
}

/**
 * Whether an agent that works under a person's name may have opened the pull request (contract 3.5): it came through an
 * App, or a bot wrote its last commit. What cannot be read is no sign.
 */
export async function showsAgent(
  { forge }: Session,
  { number }: Pick<PullRequestRef, 'number'>,
  allowedBots: readonly string[],
): Promise<boolean> {
  const signs = await Promise.allSettled([
    forge.openedThroughApp(number),
    forge.lastCommitAuthor(number).then((author) => hasUnlistedBot({ allowedBots }, [author])),
  ])
  return signs.some((sign) => sign.status === 'fulfilled' && sign.value)
}

interface Owner {
  /** The job of the pull request. */
  readonly owner: Job | undefined
  /** One that still works, or that cannot be read, so that it is not known; undefined where all have ended. */
  readonly working: Job | undefined
}

const KEY_FAULTS: readonly ErrorReason[] = ['unauthorized', 'payment-required', 'forbidden']

interface OwnerWait extends WaitOptions {
  /** Goes on until the job of the pull request ends, too. */
  readonly untilEnd?: boolean
}

/**
 * Reads the jobs until one of them names the pull request, all of them have ended, or time is up. A job that the service
 * no longer knows does not count.
 * @param waiting a deadline in the past reads each job once
 * @throws {ServiceError} where the key is good for no read
 * @throws {Cancelled} as soon as the runner asks the step to stop
 */
export async function findOwner(
  { deps, client, context }: Session,
  url: string,
  jobIds: readonly string[],
  waiting: OwnerWait,
): Promise<Owner> {
  const { deadline, untilEnd = false } = waiting
  const { log, pauseUntil, pauseMs } = polling(deps, waiting, () => true)
  const from = deps.monotonic()
  /** Since when the service does not find them: only half a minute later that counts (contract 4.4). */
  const missingSince = new Map<string, number>()
  let open = [...new Set(jobIds)]
  for (;;) {
    const read = await pLimit(JOBS_AT_A_TIME).map(open, async (id) => {
      const job = await ifKnown(client.read(id)).catch((error: unknown) => {
        // A key that no read is good with tells nothing of the job, however long it is asked.
        if (error instanceof ServiceError && KEY_FAULTS.includes(error.reason)) throw error
        return jobWithId(id)
      })
      if (job !== undefined) missingSince.delete(id)
      else if (!missingSince.has(id)) missingSince.set(id, deps.monotonic())
      const since = missingSince.get(id)
      return since !== undefined && deps.monotonic() - since < MISSING_MS ? jobWithId(id) : job
    })
    throwIfCancelled(deps.cancellation)
    const known = read.flatMap((job) => job ?? [])
    const owner = known.find(({ prLink }) => samePullRequest(prLink, url, context.serverUrl))
    const working = known.filter((job) => !isTerminal(job))
    const isFound = owner !== undefined && (!untilEnd || isTerminal(owner))
    const now = deps.monotonic()
    if (isFound || working.length === 0 || now >= deadline) return { owner, working: working[0] }
    open = (owner === undefined ? working : [owner]).map(({ id }) => id)
    const whose = owner === undefined ? 'which may have opened' : 'which opened'
    log(`waiting for ${open.length === 1 ? `job ${open[0]}` : `${open.length} jobs`}, ${whose} ${url}`)
    await pauseUntil(now + pauseMs(now - from))
  }
}
