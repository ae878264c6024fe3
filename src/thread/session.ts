import { type AgentClient, agentClient } from '../agent/agent-client.ts'
import type { MaskedDeps } from '../deps.ts'
import type { RunContext } from '../event/trigger.ts'
import type { Forge } from '../github/forge.ts'
import { gitHubForge } from '../github/github-forge.ts'
import { connect } from '../github/octokit.ts'
import type { TimeLimits } from '../http/failure.ts'
import type { ServiceAccess } from '../http/service.ts'
import type { CommentMode } from '../inputs/inputs.ts'
import { type FailureWarnings, failureWarnings } from '../messages/side-tasks.ts'
import type { RepositoryScope } from '../request/signed-record.ts'

/** What a process reaches the world with, in one of its phases: before the agent is asked, while it reports, … */
export interface Session {
  readonly deps: MaskedDeps
  readonly context: RunContext
  /** Tries its requests for as long as the phase has time. */
  readonly forge: Forge
  readonly client: AgentClient
  readonly warnings: FailureWarnings
  readonly commentMode: CommentMode
  readonly scope: RepositoryScope
}

interface SessionOptions extends Pick<Session, 'deps' | 'context'> {
  readonly limits: TimeLimits
  readonly inputs: {
    readonly access: ServiceAccess
    readonly githubToken: string
    readonly comment: CommentMode
  }
}

export async function openSession({ inputs, limits, ...options }: SessionOptions): Promise<Session> {
  const { deps, context } = options
  const { access, githubToken, comment } = inputs
  const { apiKey, memoryKey, projectId } = access
  const forge = gitHubForge(await connect(deps, context, githubToken, limits), context)
  return {
    ...options,
    forge,
    client: agentClient(deps, access),
    warnings: failureWarnings(deps.core, context.repository),
    commentMode: comment,
    scope: { keys: [memoryKey, apiKey].filter(Boolean), projectId, repositoryId: context.repositoryId },
  }
}

/** The same in another phase. */
export const during = (session: Session, limits: TimeLimits): Session => ({
  ...session,
  forge: session.forge.during(limits),
})
