import { type AgentClient, agentClient } from '../agent/client.ts'
import { forgiving } from '../github/attempt.ts'
import { githubClient } from '../github/octokit.ts'
import type { Inputs } from '../inputs/inputs.ts'
import type { Deps } from '../runner/deps.ts'
import { type Environment, runName, runUrlOf } from '../runner/environment.ts'
import type { Desk } from '../thread/report.ts'
import { requestKey } from '../thread/request-key.ts'
import { noThread, openThread, type Request } from '../thread/thread.ts'
import type { Comment, Trigger } from '../trigger/event.ts'
import { askerOf } from '../trigger/triage.ts'

/** One request of someone to the agent, with all that it takes to serve it. Made without a single HTTP request. */
export interface Session extends Desk {
  readonly inputs: Inputs
  readonly trigger: Trigger
  readonly environment: Environment
  readonly instruction: string
  /** Login of the person to address, '' for nobody. */
  readonly asker: string
  /** ms since the epoch. */
  readonly startedAt: number
  readonly deadline: number
  readonly client: AgentClient
}

export interface Asked {
  readonly inputs: Inputs
  readonly trigger: Trigger
  readonly environment: Environment
  readonly instruction: string
  readonly startedAt: number
  /** For the post step: the key that the main step has used. */
  readonly key?: string
}

export function openSession(deps: Deps, asked: Asked): Session {
  const { inputs, trigger, environment, instruction, startedAt } = asked
  const { apiUrl, repository } = environment
  const { apiKey, projectId } = inputs.access
  const number = trigger.subject?.number ?? inputs.issueNumber
  const scope = number === undefined ? undefined : { apiKey, projectId, repository, thread: number }
  const comment = refOf(trigger.comment)
  const asker = askerOf(trigger)
  const origin = trigger.comment === undefined ? '' : `${trigger.comment.kind}:${trigger.comment.id}`
  // Needs cryptography, and is not needed before the permission is known.
  let key = asked.key
  const request: Request = {
    get key() {
      key ??= scope === undefined ? '' : requestKey(environment, { comment: origin, projectId, instruction })
      return key
    },
    run: runName(environment),
    from: startedAt,
    asker,
    comment,
  }
  const github = githubClient(deps, { apiUrl, token: inputs.githubToken })
  const attempt = forgiving(deps.runner)
  return {
    ...asked,
    asker,
    runUrl: runUrlOf(environment, runName(environment)),
    serverUrl: environment.serverUrl,
    mode: inputs.comment,
    now: deps.now,
    deadline: startedAt + inputs.timeoutMs,
    client: agentClient(deps, inputs.access),
    github,
    attempt,
    scope,
    request,
    thread:
      scope === undefined
        ? noThread
        : openThread({ github, attempt, now: deps.now }, { scope, mode: inputs.comment, request }),
  }
}

/** The comment that gets the reaction; '' where there is none, or where it cannot have one. */
function refOf(comment: Comment | undefined): string {
  return comment === undefined || comment.kind === 'submitted-review' ? '' : `${comment.kind}:${comment.id}`
}
