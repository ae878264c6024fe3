import { createHash } from 'node:crypto'
import { type AgentClient, agentClient } from '../agent/client.ts'
import type { Job } from '../agent/job.ts'
import type { Deps } from '../deps.ts'
import { octokitClient } from '../github/client.ts'
import type { Forge } from '../github/forge.ts'
import { openForge } from '../github/open-forge.ts'
import { type FailureWarnings, failureWarnings } from '../github/warn-on-failure.ts'
import type { Inputs } from '../inputs.ts'
import { workingComment } from '../messages/comments.ts'
import { type Denied, namedMerges, type Report } from '../messages/report.ts'
import {
  type Effect,
  type Ending,
  jobOf,
  type RequestEvent,
  type RequestState,
  transition,
} from '../request/lifecycle.ts'
import type { JobAction } from '../request/outcome.ts'
import type { RequestIdentity, RequestRecord, SigningContext } from '../request/record.ts'
import { type RunContext, runName, runUrlOf } from '../run-context.ts'
import type { Comment, CommentKind, Trigger } from '../trigger/event.ts'
import { requesterOf } from '../trigger/gate.ts'
import { type Outputs, outputWriter } from './outputs.ts'
import { Thread } from './thread.ts'

/** When the step started: on the wall clock and on the monotonic one, in ms. */
export interface Start {
  readonly at: number
  readonly monotonic: number
}

export interface RunSetup {
  readonly inputs: Inputs
  readonly trigger: Trigger
  readonly context: RunContext
  /** The request in the words of the person. */
  readonly request: string
  readonly start: Start
  readonly secrets: readonly string[]
  readonly outputs?: Outputs
  /** For the post step: the key that the main step used. */
  readonly key?: string
}

/** One request of a person to the agent: everything a run needs to serve it, and the state that it is in. */
export class RequestRun {
  readonly deps: Deps
  readonly setup: RunSetup
  identity: RequestIdentity
  readonly forge: Forge
  readonly warnings: FailureWarnings
  readonly client: AgentClient
  readonly outputs: Outputs
  thread: Thread
  readonly runUrl: string
  /** Number of the thread, undefined without one. */
  threadNumber: number | undefined
  state: RequestState = { state: 'received' }
  ending: Ending | undefined
  jobAction: JobAction = 'none'
  /** What the agent gets; '' until that is known. */
  prompt = ''
  /** The request in the words of the person, to show it. */
  request: string
  /** A sentence about the plan; '' for none. */
  note = ''
  denied: Denied | undefined
  /** A job that the report shows although the request did not go to it. */
  shownJob: Job | undefined
  /** The permission is known, and allows what the person asks for; nothing is written before. */
  granted = false
  /** Settles when the permission is known. */
  access: Promise<unknown> = Promise.resolve()
  /** The run knows what earlier attempts left. */
  reconciled = false

  static async open(deps: Deps, setup: RunSetup): Promise<RequestRun> {
    const { context, inputs } = setup
    const octokit = await octokitClient(deps, { apiUrl: context.apiUrl, token: inputs.githubToken })
    return new RequestRun(deps, setup, await openForge(octokit, context))
  }

  constructor(deps: Deps, setup: RunSetup, forge: Forge) {
    const { inputs, trigger, context, request, start, secrets } = setup
    this.deps = deps
    this.setup = setup
    this.forge = forge
    this.request = request
    this.warnings = failureWarnings(deps.core)
    this.client = agentClient(deps, inputs.access)
    this.outputs = setup.outputs ?? outputWriter(deps.core, secrets)
    this.runUrl = runUrlOf(context, runName(context), forge)
    this.threadNumber = trigger.subject?.number ?? inputs.issueNumber
    const origin = trigger.comment === undefined ? '' : `${trigger.comment.kind}:${trigger.comment.id}`
    this.identity = {
      key: setup.key ?? requestKey(context, { comment: origin, projectId: inputs.access.projectId, request }),
      run: runName(context),
      requestedAt: start.at,
      requestedBy: requesterOf(trigger),
      command: inputs.command,
      comment: reactionTarget(trigger.comment),
      finish: { preview: inputs.preview, reviewers: inputs.reviewers, labels: inputs.labels },
      coversUntil: 0,
    }
    if (this.threadNumber !== undefined) this.outputs.thread(this.threadNumber)
    this.thread = this.#openThread()
  }

  #openThread(): Thread {
    const { forge, warnings, deps, signing, identity } = this
    const { inputs, secrets } = this.setup
    return new Thread(
      { forge, warnings, now: deps.now },
      { signing, mode: inputs.comment, identity, secrets },
    )
  }

  /** For events that name no thread, before the thread is read. A run that ended meanwhile has reported without it. */
  useThread(number: number): void {
    if (this.ending !== undefined) return
    this.threadNumber = number
    this.outputs.thread(number)
    this.thread = this.#openThread()
  }

  /** What the records of the request say from now on. */
  identify(more: Partial<RequestIdentity>): void {
    this.identity = { ...this.identity, ...more }
    this.thread.identify(this.identity)
  }

  get context(): RunContext {
    return this.setup.context
  }

  get signing(): SigningContext | undefined {
    if (this.threadNumber === undefined) return undefined
    const { apiKey, projectId } = this.setup.inputs.access
    return { apiKey, projectId, repositoryId: this.forge.repositoryId, thread: this.threadNumber }
  }

  /** On the monotonic clock, in ms. */
  get deadline(): number {
    return this.setup.start.monotonic + this.setup.inputs.timeoutMs
  }

  get isLate(): boolean {
    return this.deps.monotonic() >= this.deadline
  }

  /** Drives the state machine: takes the next state, and carries out what it asks for, in order. */
  async apply(event: RequestEvent): Promise<void> {
    const { state, effects, ending } = transition(this.state, event)
    this.state = state
    if (ending !== undefined) this.ending = ending
    for (const effect of effects) {
      if (effect === 'writeStatus') await this.#writeStatus()
      else this.#carryOut(effect)
    }
  }

  #carryOut(effect: Exclude<Effect, 'writeStatus'>): void {
    const job = jobOf(this.state)
    if (effect === 'setOutputs' && job !== undefined) this.outputs.job(job, this.jobAction)
    if (effect === 'saveState') this.saveState()
  }

  /** Leaves the record for the post step (contract 6.2). */
  saveState(): void {
    const record: RequestRecord = { ...this.state, ...this.identity, eyes: 0, writtenAt: this.deps.now() }
    // The post step cannot look up the thread of a push again, nor a tracking issue.
    this.deps.core.saveState(STATE_NAME, JSON.stringify({ ...record, thread: this.threadNumber }))
  }

  /** Everything is reported: the post step has nothing to do. */
  clearState(): void {
    this.deps.core.saveState(STATE_NAME, '')
  }

  async #writeStatus(): Promise<void> {
    const { requestedBy } = this.identity
    const { start } = this.setup
    const body = workingComment({
      requestedBy,
      runUrl: this.runUrl,
      startedAt: start.at,
      job: jobOf(this.state),
      request: this.request,
    })
    await this.thread.writeStatus(this.state, body)
  }

  report(): Report {
    const { setup, deps, identity, state } = this
    return {
      ...(this.ending ?? { outcome: 'error', reason: 'internal', message: 'The run has no ending.' }),
      job: this.shownJob ?? jobOf(state),
      jobAction: this.jobAction,
      followUp: 'messagedAt' in state && state.messagedAt > 0,
      note: this.note,
      requestedBy: identity.requestedBy,
      merged: namedMerges(identity, this.threadNumber),
      request: this.request,
      prompt: this.prompt,
      durationMs: deps.monotonic() - setup.start.monotonic,
    }
  }
}

/** A request with the thread that gets its result: of a run that waited, or of a sweep that came later. */
export type ReportTarget = Pick<
  RequestRun,
  'deps' | 'context' | 'forge' | 'warnings' | 'identity' | 'state' | 'signing' | 'thread'
>

/** The runner hands it to the post step as `STATE_request`. */
export const STATE_NAME = 'request'

/**
 * What makes two runs the same request (contract 5.2): the comment, or without one the run; then workflow, job, step,
 * project and request. Without the attempt, so that a re-run finds what came before it.
 */
export function requestKey(
  { runId, workflow, job, step }: RunContext,
  asked: { readonly comment: string; readonly projectId: string; readonly request: string },
): string {
  const origin = asked.comment === '' ? `run:${runId}` : asked.comment
  const parts = [origin, workflow, job, step, asked.projectId, asked.request]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)
}

/** The comment that gets the reaction; '' where there is none, or where it cannot have one. */
const reactionTarget = (comment: Comment | undefined): string =>
  comment === undefined ? '' : REACTION_TARGETS[comment.kind](comment.id)

const REACTION_TARGETS: Readonly<Record<CommentKind, (id: number) => string>> = {
  issue: (id) => `issue:${id}`,
  review: (id) => `review:${id}`,
  'submitted-review': () => '',
}
