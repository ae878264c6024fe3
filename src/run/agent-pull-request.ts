import { isRefused } from '../errors.ts'
import { isPullRequestEvent } from '../event/gate.ts'
import type { PullRequest } from '../event/objects.ts'
import { samePullRequest } from '../link.ts'
import { CAUSES } from '../messages/notes.ts'
import { type Ending, ending } from '../request/outcome.ts'
import type { Session } from '../thread/session.ts'
import { trustedRecords } from '../thread/thread.ts'
import { askedAt, findOwner, showsAgent } from './pull-request-owner.ts'
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
  request.know({ shownJob: working })
  return working && ending('skipped', 'job-active', CAUSES.mayBeItsOwn)
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
