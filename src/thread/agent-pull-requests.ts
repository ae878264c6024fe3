import pLimit from 'p-limit'
import { ifKnown, JOBS_AT_A_TIME } from '../agent/agent-client.ts'
import { type ErrorReason, isRefused } from '../base/errors.ts'
import { type PullRequestRef, pullRequestOf } from '../base/link.ts'
import { isListed, nameOf, unlistedBot } from '../event/gate.ts'
import type { PullRequest } from '../event/objects.ts'
import type { Subject } from '../event/trigger.ts'
import { PAGE_SIZE } from '../github/pagination.ts'
import { ServiceError } from '../http/service.ts'
import type { Task } from '../prompt/task.ts'
import { type Job, jobWithId } from '../record/job.ts'
import { askedAt } from '../record/log.ts'
import { ending, isTerminal } from '../record/outcome.ts'
import type { RunEnding } from '../record/report.ts'
import { jobOf } from '../record/states.ts'
import { CAUSES } from '../words/notes.ts'
import { docsPullRequest, isSamePullRequest } from './docs-pull-request.ts'
import { readRecords } from './read-records.ts'
import type { Session } from './session.ts'
import { readUnlessGone, Thread } from './thread.ts'

interface OpenJob {
  readonly id: string
  /** In ms since the epoch, on GitHub's clock. */
  readonly askedAt: number
}

interface AgentJobs {
  /** To their pull requests. */
  readonly links: readonly string[]
  /** Those that may still work. */
  readonly open: readonly OpenJob[]
  /** Older comments were not read; in ms since the epoch. */
  readonly since: number
}

/** As the comments tell that changed last. @throws {GitHubError} where GitHub does not answer */
export async function readAgentJobs(session: Session): Promise<AgentJobs> {
  try {
    const comments = await session.github.recentComments()
    const isCut = comments.length >= PAGE_SIZE
    const { recorded } = await readRecords(session, comments, ({ thread }) => thread)
    return {
      since: isCut ? Math.min(...comments.map(({ updatedAt }) => updatedAt)) : 0,
      links: recorded.flatMap(({ record }) => [
        jobOf(record)?.prLink ?? '',
        record.state === 'sending' ? (record.to?.prLink ?? '') : '',
      ]),
      open: recorded.flatMap(({ record, ...comment }) =>
        record.state === 'running' ? [{ id: record.job.id, askedAt: askedAt(comment, record) }] : [],
      ),
    }
  } catch (error) {
    // If the token may not read the comments, no job is known.
    if (isRefused(error)) return { links: [], open: [], since: 0 }
    throw error
  }
}

/**
 * Skips an event about the agent's own pull request, by any account. The action always follows a pull request whose author is
 * in `allowed-bots`. One that came while a job works, and shows a sign of an agent, may be that job's: its link is known only
 * once the job ends, so nothing is asked before.
 * @param job of the thread
 * @returns undefined for every other event
 */
export async function skipAgentPullRequest(
  session: Session,
  subject: Subject,
  { inputs }: Task,
  job: Job | undefined,
): Promise<RunEnding | undefined> {
  const { allowedBots } = inputs
  if (isListed(allowedBots, subject.author)) return undefined
  const { links, open } = await readAgentJobs(session)
  const others = await withoutAgents(session, allowedBots, [subject], [...links, job?.prLink ?? ''])
  if (others.length === 0) return AGENTS
  const candidates = open.filter((one) => one.askedAt <= subject.createdAt).map(({ id }) => id)
  if (candidates.length === 0) return undefined
  if (!(await showsAgent(session, subject, allowedBots))) return undefined
  const jobs = await readJobs(session, candidates)
  const areIt = await Promise.all(jobs.map(({ prLink }) => isSamePullRequest(session, prLink, subject.url)))
  if (areIt.includes(true)) return AGENTS
  const working = jobs.find((one) => one.prLink === '' && !isTerminal(one))
  return working && { ...ending('skipped', 'job-active', CAUSES.mayBeItsOwn), job: working }
}

const AGENTS: RunEnding = ending('skipped', 'agent-pull-request')

/**
 * @param pulls of the repository of the workflow @param links to the agent's own
 * @throws {GitHubError} where GitHub does not answer
 */
export async function withoutAgents<P extends Pick<PullRequest, 'author' | 'number'>>(
  session: Session,
  allowedBots: readonly string[],
  pulls: readonly P[],
  links: readonly string[],
): Promise<readonly P[]> {
  const listed = pulls.filter(({ author }) => isListed(allowedBots, author))
  const unlisted = pulls.filter((pull) => !listed.includes(pull) && pull.author?.bot !== true)
  const own = await ownAmong(session, new Set(unlisted.map(({ number }) => number)), links)
  return pulls.filter((pull) => listed.includes(pull) || (unlisted.includes(pull) && !own.has(pull.number)))
}

/** Of the bot of Mintlify's own GitHub App. */
const AGENT = 'mintlify'

/** Login of the bot that opened a pull request, where `allowed-bots` does not name it; undefined for the docs agent's own. */
export function otherBotOf(
  { author, url }: Pick<PullRequest, 'author' | 'url'>,
  allowedBots: readonly string[],
  links: readonly string[],
): string | undefined {
  const bot = unlistedBot({ allowedBots }, [author])
  return bot === undefined || nameOf(bot.login) === AGENT || links.includes(url) ? undefined : bot.login
}

/** @returns those numbers that a link leads to, also one from before the repository was renamed or transferred */
async function ownAmong(
  session: Session,
  numbers: ReadonlySet<number>,
  links: readonly string[],
): Promise<ReadonlySet<number>> {
  const { serverUrl } = session.runner
  const named = [...new Set(links)].filter((link) => numbers.has(pullRequestOf(link, serverUrl)?.number ?? 0))
  const pulls = await Promise.all(named.map((link) => docsPullRequest(session, link)))
  return new Set(pulls.flatMap((pull) => (pull?.isHere ? [pull.number] : [])))
}

/**
 * Whether an agent that works under a person's name may have opened the pull request: it came through an App, or a bot wrote
 * its last commit. What cannot be read is no sign.
 */
export async function showsAgent(
  { github }: Session,
  { number }: Pick<PullRequestRef, 'number'>,
  allowedBots: readonly string[],
): Promise<boolean> {
  const signs = await Promise.allSettled([
    github.issue(number).then(({ isThroughApp }) => isThroughApp),
    github.lastCommitAuthor(number).then((author) => unlistedBot({ allowedBots }, [author]) !== undefined),
  ])
  return signs.some((sign) => sign.status === 'fulfilled' && sign.value)
}

/**
 * Links that the threads of these pull requests hold: a comment on the agent's own leads to its job, however many are newer.
 * @param since those of later pull requests are known
 * @throws {GitHubError} where GitHub does not answer
 */
export async function linksInThreads(
  session: Session,
  pulls: readonly Pick<PullRequest, 'createdAt' | 'number'>[],
  since: number,
): Promise<readonly string[]> {
  const older = pulls.filter(({ createdAt }) => createdAt <= since)
  const links = await pLimit(8).map(older, async ({ number }) => {
    const thread = await readUnlessGone(session, new Thread(number))
    return thread?.log.map(({ record }) => jobOf(record)?.prLink ?? '') ?? []
  })
  return links.flat()
}

const KEY_FAULTS: readonly ErrorReason[] = ['unauthorized', 'payment-required', 'forbidden']

/**
 * Each job as read once; one that cannot be read may still work, and one that the service no longer knows is left out.
 * @throws {ServiceError} where the key is good for no read
 */
export async function readJobs({ client }: Session, ids: readonly string[]): Promise<readonly Job[]> {
  const read = await pLimit(JOBS_AT_A_TIME).map([...new Set(ids)], async (id) =>
    ifKnown(client.read(id, { isKnown: true })).catch((error: unknown) => {
      if (error instanceof ServiceError && KEY_FAULTS.includes(error.reason)) throw error
      return jobWithId(id)
    }),
  )
  return read.flatMap((job) => job ?? [])
}
