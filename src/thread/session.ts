import { type AgentClient, agentClient } from '../agent/agent-client.ts'
import type { Deps } from '../deps.ts'
import type { RunContext } from '../event/run-context.ts'
import type { Forge } from '../github/forge.ts'
import { openForge } from '../github/open-forge.ts'
import { type FailureWarnings, failureWarnings } from '../github/warn-on-failure.ts'
import type { TimeLimits } from '../http/retry-rules.ts'
import type { ServiceAccess } from '../http/service.ts'
import type { CommentMode } from '../inputs.ts'
import type { RequestRecord } from '../request/record.ts'
import type { RepositoryScope } from '../request/signed-record.ts'

export interface Session {
  readonly deps: Deps
  readonly context: RunContext
  /** Of the phase that the run is in. */
  readonly forge: Forge
  /** How long requests to the forge are tried from now on. */
  enterPhase(limits: TimeLimits): void
  readonly client: AgentClient
  readonly warnings: FailureWarnings
  /** Texts that comments and summary show as `***`. */
  readonly secrets: readonly string[]
  readonly commentMode: CommentMode
  readonly scope: RepositoryScope
  /** Keeps the record where a later step of this run finds it. */
  save(record: RequestRecord, thread: number | undefined): void
}

interface SessionOptions extends Pick<Session, 'deps' | 'context' | 'secrets'> {
  /** Of the first phase. */
  readonly limits: TimeLimits
  readonly inputs: {
    readonly access: ServiceAccess
    readonly githubToken: string
    readonly comment: CommentMode
  }
  readonly save?: Session['save']
}

/** @throws {ForgeError} where the id of the repository is nowhere to be had */
export async function openSession({
  inputs,
  limits,
  save = () => {},
  ...options
}: SessionOptions): Promise<Session> {
  const { deps, context } = options
  const { access, githubToken, comment } = inputs
  const { apiKey, projectId } = access
  let forge = await openForge(deps, context, githubToken, limits)
  return {
    ...options,
    get forge() {
      return forge
    },
    enterPhase(next) {
      forge = forge.during(next)
    },
    client: agentClient(deps, access),
    warnings: failureWarnings(deps.core),
    commentMode: comment,
    scope: { apiKey, projectId, repositoryId: forge.repositoryId },
    save,
  }
}
