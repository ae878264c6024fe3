import { isPullRequestEvent } from '../event/gate.ts'
import type { PullRequest } from '../event/pull-request.ts'
import { samePullRequest } from '../link.ts'
import { trustedRecords } from '../thread/thread.ts'
import type { RequestRun } from './request-run.ts'

/**
 * Whether the event is about the agent's own pull request, by any account (contract 3.5). The action follows one by an
 * author in `allowed-bots` in any case.
 * @param reading settles when the thread is read
 */
export async function isAgentPullRequest(run: RequestRun, reading: Promise<unknown>): Promise<boolean> {
  const { trigger, inputs } = run.setup
  const { subject } = trigger
  if (subject === undefined || !isPullRequestEvent(trigger)) return false
  if (inputs.allowedBots.includes(subject.author?.login ?? '')) return false
  const [links] = await Promise.all([agentPullRequests(run), reading])
  return withoutAgents(run, [subject], links).length === 0
}

/** Links to the agent's own pull requests, as the hundred comments of the repository that changed last tell. */
export async function agentPullRequests({ forge, scope }: RequestRun): Promise<readonly string[]> {
  try {
    const comments = await forge.recentComments()
    const recorded = await trustedRecords(forge, comments, ({ thread }) => ({ ...scope, thread }))
    return recorded.flatMap(({ record }) => ('job' in record ? [record.job.prLink] : []))
  } catch {
    // What cannot be read is no sign of it.
    return []
  }
}

/**
 * The pull requests without the agent's own, which any account can have opened; those of authors in `allowed-bots` stay
 * (3.5).
 * @param links to the agent's own, besides those that the thread's records tell
 */
export function withoutAgents<P extends Pick<PullRequest, 'author' | 'url'>>(
  { setup, thread }: RequestRun,
  pulls: readonly P[],
  links: readonly string[] = [],
): readonly P[] {
  const { inputs, context } = setup
  const own = [...links, ...(thread.history?.prLinks ?? [])]
  return pulls.filter(({ author, url }) => {
    if (inputs.allowedBots.includes(author?.login ?? '')) return true
    return author?.bot !== true && !own.some((link) => samePullRequest(link, url, context.serverUrl))
  })
}
