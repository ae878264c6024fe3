import type { PullRequest } from '../github/answers.ts'
import { samePullRequest } from '../link.ts'
import { isPullRequestEvent } from '../trigger/gate.ts'
import type { RequestRun } from './request-run.ts'
import { trustedRecords } from './thread.ts'

/**
 * Whether the event is about the agent's own pull request, by any account (contract 3.5).
 * @param reading settles when the thread is read: the records in the pull request's own thread tell it, too
 */
export async function isAgentPullRequest(run: RequestRun, reading: Promise<unknown>): Promise<boolean> {
  const url = pullRequestUrl(run)
  if (url === undefined) return false
  const [links] = await Promise.all([agentPullRequests(run), reading])
  const all = [...links, ...(run.thread.history?.prLinks ?? [])]
  return all.some((link) => samePullRequest(link, url, run.context.serverUrl))
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

/** Merged pull requests without the agent's own, which any account can have opened; those of authors in `allowed-bots` stay (3.5). */
export function withoutAgents<P extends PullRequest>(
  { setup }: RequestRun,
  pulls: readonly P[],
  links: Iterable<string>,
): readonly P[] {
  const { inputs, context } = setup
  const own = [...links]
  return pulls.filter(({ author, url }) => {
    if (inputs.allowedBots.includes(author?.login ?? '')) return true
    return author?.bot !== true && !own.some((link) => samePullRequest(link, url, context.serverUrl))
  })
}

/** Of the pull request that the event is about; the action follows one by an author in `allowed-bots` in any case. */
function pullRequestUrl({ setup }: RequestRun): string | undefined {
  const { trigger, inputs } = setup
  const { subject } = trigger
  if (subject === undefined || !isPullRequestEvent(trigger)) return undefined
  return inputs.allowedBots.includes(subject.author?.login ?? '') ? undefined : subject.url
}
