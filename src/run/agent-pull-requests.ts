import pLimit from 'p-limit'
import { ifKnown } from '../agent/agent-client.ts'
import { throwIfCancelled } from '../deps.ts'
import { isRefused } from '../errors.ts'
import { hasUnlistedBot, isPullRequestEvent } from '../event/gate.ts'
import type { PullRequest } from '../event/objects.ts'
import type { RepositoryComment, ThreadComment } from '../github/answers.ts'
import { polling, type WaitOptions } from '../http/retry.ts'
import { asObject } from '../json.ts'
import { type PullRequestRef, pullRequestOf, samePullRequest } from '../link.ts'
import { CAUSES } from '../messages/notes.ts'
import { type Job, jobWithId } from '../request/job.ts'
import { type Ending, ending, isTerminal } from '../request/outcome.ts'
import type { PullRequestState } from '../request/plan.ts'
import type { RequestIdentity } from '../request/record.ts'
import type { Session } from '../thread/session.ts'
import { trustedRecords } from '../thread/thread.ts'
import type { Asked, Request } from './request.ts'

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
    // What the token may not read is no sign of it.
    if (isRefused(error)) return { links: [], open: [] }
    throw error
  }
}

/**
 * Skips an event about the agent's own pull request, by any account (contract 3.5). The action follows one by an author
 * in `allowed-bots` in any case. One that came while a job works and shows a sign of an agent may be that job's: its
 * link is known only once the job ends, so the run waits for it until the deadline.
 * @returns undefined for every other event
 */
export async function skipAgentPullRequest(
  session: Session,
  request: Request,
  { trigger, inputs, deadline }: Asked,
): Promise<Ending | undefined> {
  const { subject } = trigger
  if (subject === undefined || !isPullRequestEvent(trigger)) return undefined
  if (inputs.allowedBots.includes(subject.author?.login ?? '')) return undefined
  const { links, open } = await readAgentJobs(session)
  const known = [...links, ...(request.history?.prLinks ?? [])]
  if (withoutAgents(session, inputs.allowedBots, [subject], known).length === 0) return AGENTS
  const candidates = open.filter((job) => job.askedAt <= subject.createdAt).map(({ id }) => id)
  if (candidates.length === 0 || inputs.dryRun) return undefined
  if (!(await showsAgent(session, subject, inputs.allowedBots))) return undefined
  const waiting = { deadline, pollMs: inputs.pollMs, startedAt: deadline - inputs.timeoutMs }
  const { owner, working } = await findOwner(session, subject.url, candidates, waiting)
  if (owner !== undefined) return AGENTS
  if (working === undefined) return undefined
  request.shownJob = working
  // If it is the job's own, no later event ends a status of its head.
  request.amend({ commitStatus: { name: '', sha: '' } })
  return ending('skipped', 'job-active', CAUSES.mayBeItsOwn)
}

const AGENTS = ending('skipped', 'agent-pull-request')

/** Any account can have opened the agent's own (3.5). @param links to these */
export function withoutAgents<P extends Pick<PullRequest, 'author' | 'url'>>(
  { context }: Session,
  allowedBots: readonly string[],
  pulls: readonly P[],
  links: readonly string[],
): readonly P[] {
  return pulls.filter(({ author, url }) => {
    if (allowedBots.includes(author?.login ?? '')) return true
    return author?.bot !== true && !links.some((link) => samePullRequest(link, url, context.serverUrl))
  })
}

/** Jobs read at a time (contract 8.1). */
export const JOBS_AT_A_TIME = 8

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

/**
 * When the request was asked first, or earlier, in ms since the epoch on the forge's clock: the clocks of runners and of
 * the service may be hours apart from it. @param comment with its record
 */
export const askedAt = (
  { createdAt, updatedAt }: Pick<RepositoryComment, 'createdAt' | 'updatedAt'>,
  record: RequestIdentity & { readonly writtenAt: number },
): number => Math.min(createdAt, updatedAt - Math.max(0, record.writtenAt - record.requestedAt))

interface Owner {
  /** The job of the pull request. */
  readonly owner: Job | undefined
  /** One that still works, or that cannot be read, so that it is not known; undefined where all have ended. */
  readonly working: Job | undefined
}

interface OwnerWait extends WaitOptions {
  /** Goes on until the job of the pull request ends, too. */
  readonly untilEnd?: boolean
}

/**
 * Reads the jobs until one of them names the pull request, all of them have ended, or time is up. A job that the service
 * no longer knows does not count.
 * @param waiting a deadline in the past reads each job once
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
  let open = [...new Set(jobIds)]
  for (;;) {
    const read = await pLimit(JOBS_AT_A_TIME).map(open, (id) =>
      ifKnown(client.read(id)).catch(() => jobWithId(id)),
    )
    throwIfCancelled(deps.cancellation)
    const known = read.flatMap((job) => job ?? [])
    const owner = known.find(({ prLink }) => samePullRequest(prLink, url, context.serverUrl))
    const working = known.filter(({ status }) => !isTerminal(status))
    const isFound = owner !== undefined && (!untilEnd || isTerminal(owner.status))
    const now = deps.monotonic()
    if (isFound || working.length === 0 || now >= deadline) return { owner, working: working[0] }
    open = (owner === undefined ? working : [owner]).map(({ id }) => id)
    const whose = owner === undefined ? 'which may have opened' : 'which opened'
    log(`waiting for ${open.length === 1 ? `job ${open[0]}` : `${open.length} jobs`}, ${whose} ${url}`)
    await pauseUntil(now + pauseMs(now - from))
  }
}

/** @throws {ForgeError} where GitHub does not answer: a message must not go to merged work */
export async function pullRequestState({ forge, context }: Session, link: string): Promise<PullRequestState> {
  if (link === '') return 'none'
  const pull = pullRequestOf(link, context.serverUrl)
  if (pull === undefined) return 'unreadable'
  try {
    return (await forge.pullRequest(pull)).state
  } catch (error) {
    if (isRefused(error)) return 'unreadable'
    throw error
  }
}

/**
 * Leaves a comment on a pull request of another repository (contract 5.5). @param isNew the same text is not there yet
 * @param since an older comment with the same text does not count, in ms since the epoch on the forge's clock
 * @returns whether it is there: what another repository refuses is no fault of the workflow
 */
export async function leaveElsewhere(
  { forge, context }: Session,
  pull: PullRequestRef,
  text: string,
  isNew: boolean,
  since = 0,
): Promise<boolean> {
  try {
    // What is public names no private thread. Where the event does not tell, the thread counts as one.
    const isPublic = asObject(context.payload.repository).private === false
    if (!isPublic && (await forge.pullRequest(pull)).isPrivate !== true) return false
    const { listComments, createComment } = forge.threadsOf(pull)
    const isIt = ({ body, createdAt }: ThreadComment) => body.trim() === text && createdAt >= since
    const isThere = !isNew && (await listComments(pull.number)).some(isIt)
    if (!isThere) await createComment(pull.number, text)
    return true
  } catch (error) {
    if (isRefused(error)) return false
    throw error
  }
}
