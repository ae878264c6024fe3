import { type AgentClient, agentClient } from '../agent/agent-client.ts'
import type { MaskedDeps } from '../base/deps.ts'
import type { Runner } from '../event/trigger.ts'
import { type GitHub, repositoryClient } from '../github/github.ts'
import { connect, type RequestTiming } from '../github/octokit.ts'
import type { ServiceAccess } from '../http/service.ts'
import type { CommentMode } from '../inputs/inputs.ts'
import { isMemoryKey } from '../inputs/readers.ts'
import { type RepositoryScope, signingKey } from '../record/signed-record.ts'
import { type FailureWarnings, failureWarnings } from '../words/side-tasks.ts'

/** What a process reaches the world with. */
export interface Session {
  readonly deps: MaskedDeps
  readonly runner: Runner
  readonly github: GitHub
  readonly client: AgentClient
  readonly warnings: FailureWarnings
  readonly commentMode: CommentMode
  readonly scope: RepositoryScope
}

interface SessionOptions extends Pick<Session, 'deps' | 'runner'>, RequestTiming {
  readonly inputs: {
    readonly access: ServiceAccess
    readonly githubToken: string
    readonly comment: CommentMode
  }
}

export async function openSession({
  inputs,
  deadline,
  writesApartMs,
  ...options
}: SessionOptions): Promise<Session> {
  const { deps, runner } = options
  const { access, githubToken, comment } = inputs
  const { memoryKey, projectId } = access
  // Without its key, nothing is written: no later process could tell it from what others write.
  const key = isMemoryKey(memoryKey) ? signingKey(memoryKey) : undefined
  const github = repositoryClient(
    await connect(deps, runner, githubToken, { deadline, writesApartMs }),
    runner,
  )
  return {
    ...options,
    github,
    client: agentClient(deps, access),
    warnings: failureWarnings(deps.core, runner.repository),
    commentMode: key === undefined ? 'off' : comment,
    scope: { key, projectId, repositoryId: runner.repositoryId },
  }
}
