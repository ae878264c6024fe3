import { type AgentClient, agentClient } from '../agent/agent-client.ts'
import type { Deps } from '../deps.ts'
import { type RunContext, runName, runUrlOf } from '../event/run-context.ts'
import type { Forge } from '../github/forge.ts'
import type { Patience } from '../github/requests.ts'
import { type FailureWarnings, failureWarnings } from '../github/warn-on-failure.ts'
import type { ServiceAccess } from '../http/service.ts'
import type { CommentMode } from '../inputs.ts'
import type { RepositoryScope, RequestRecord } from '../request/record.ts'

/** What one step works with, whatever request it serves. */
export interface Session {
  readonly deps: Deps
  readonly context: RunContext
  readonly forge: Forge
  /** How long failed requests to the forge are tried again. */
  readonly patience: Patience
  readonly client: AgentClient
  readonly warnings: FailureWarnings
  /** Texts that comments and summary show as `***`. */
  readonly secrets: readonly string[]
  readonly commentMode: CommentMode
  readonly scope: RepositoryScope
  /** Keeps the record where a later step of this run finds it. */
  save(record: RequestRecord, thread: number | undefined): void
}

export type SessionOptions = Pick<
  Session,
  'deps' | 'context' | 'forge' | 'patience' | 'secrets' | 'commentMode'
> & {
  readonly access: ServiceAccess
  readonly save?: Session['save']
}

export function openSession({ access, save = () => {}, ...options }: SessionOptions): Session {
  const { deps, forge } = options
  const { apiKey, projectId } = access
  return {
    ...options,
    client: agentClient(deps, access),
    warnings: failureWarnings(deps.core),
    scope: { apiKey, projectId, repositoryId: forge.repositoryId },
    save,
  }
}

/** The page of this run, for people. */
export const runUrl = ({ context, forge }: Session, run = runName(context)): string =>
  runUrlOf(context, run, forge)
