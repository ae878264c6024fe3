import type { PullRequest } from '../github/answers.ts'
import { samePullRequest } from '../link.ts'
import type { RepositoryScope } from '../request/record.ts'
import { isPullRequestEvent } from '../trigger/gate.ts'
import type { RequestRun } from './request-run.ts'
import { trustedRecords } from './trusted-records.ts'

/**
 * Whether the event is about the agent's own pull request, by any account (contract 3.5): looks at the hundred comments
 * of the repository that changed last.
 */
export async function isAgentPullRequest(run: RequestRun): Promise<boolean> {
  const url = pullRequestUrl(run)
  if (url === undefined) return false
  const links = await agentPullRequests(run)
  return links.some((link) => samePullRequest(link, url, run.setup.context.serverUrl))
}

/** Links to the agent's own pull requests, as the hundred comments of the repository that changed last tell. */
export async function agentPullRequests(run: RequestRun): Promise<readonly string[]> {
  const { apiKey, projectId } = run.setup.inputs.access
  const scope: RepositoryScope = { apiKey, projectId, repositoryId: run.forge.repositoryId }
  try {
    const comments = await run.forge.recentComments()
    const recorded = await trustedRecords(run.forge, comments, ({ thread }) => ({ ...scope, thread }))
    return recorded.map(({ record }) => {
      return 'job' in record ? record.job.prLink : ''
    })
  } catch {
    // What cannot be read is no sign of it.
    return []
  }
}

/** The same, as the records in the pull request's own thread tell. */
export function historyNamesPullRequest(run: RequestRun): boolean {
  const url = pullRequestUrl(run)
  if (url === undefined) return false
  const links = [...(run.thread.history?.prLinks ?? [])]
  return links.some((link) => samePullRequest(link, url, run.setup.context.serverUrl))
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
