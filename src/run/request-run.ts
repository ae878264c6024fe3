import { createHash } from 'node:crypto'
import { type AgentClient, agentClient } from '../agent/client.ts'
import type { WaitOptions } from '../agent/poll.ts'
import type { Deps } from '../deps.ts'
import { requesterOf } from '../event/gate.ts'
import { type RunContext, runName, runUrlOf } from '../event/run-context.ts'
import type { Trigger } from '../event/trigger.ts'
import type { Forge } from '../github/forge.ts'
import { type FailureWarnings, failureWarnings } from '../github/warn-on-failure.ts'
import { maskSecrets } from '../input-readers.ts'
import type { Inputs } from '../inputs.ts'
import { workingComment } from '../messages/comments.ts'
import { type Denied, namedMerges, type Report } from '../messages/report.ts'
import type { Job } from '../request/job.ts'
import { type Ending, jobOf, type RequestEvent, type RequestState, transition } from '../request/lifecycle.ts'
import type { JobAction, SkipReason } from '../request/outcome.ts'
import { coverageOf, type RequestIdentity, type RequestRecord } from '../request/record.ts'
import { commentRef } from '../thread/reactions.ts'
import { Thread } from '../thread/thread.ts'
import { type Outputs, outputWriter } from './outputs.ts'

/** What a step has from its beginning. */
export interface StepSetup {
  readonly deps: Deps
  /** On the wall clock and on the monotonic one, in ms. */
  readonly start: { readonly at: number; readonly monotonic: number }
  readonly secrets: readonly string[]
  readonly outputs: Outputs
  /** Undefined until they are read. */
  inputs?: Inputs
}

export function beginStep(deps: Deps, start: StepSetup['start']): StepSetup {
  const secrets = maskSecrets(deps.core)
  return { deps, start, secrets, outputs: outputWriter(deps.core, secrets) }
}

export interface RunSetup extends StepSetup {
  readonly inputs: Inputs
  readonly trigger: Trigger
  readonly context: RunContext
  /** The request in the words of the person. */
  readonly request: string
}

/** One request of a person to the agent: everything a run needs to serve it, and the state that it is in. */
export class RequestRun {
  readonly deps: Deps
  readonly setup: RunSetup
  readonly forge: Forge
  readonly warnings: FailureWarnings
  readonly client: AgentClient
  thread: Thread
  readonly runUrl: string
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
  /** The person used the command, so a denial is answered in the thread (contract 3.3). */
  tellsOfDenial = false
  /** A job that the report shows although the request did not go to it. */
  shownJob: Job | undefined
  /** The permission is known, and allows what the person asks for; nothing is written before. */
  mayWrite = false
  /** Settles when the permission is known. */
  access: Promise<unknown> = Promise.resolve()
  /** The run knows what earlier attempts left. */
  reconciled = false

  constructor(setup: RunSetup, forge: Forge) {
    const { deps, inputs, trigger, context, request, start } = setup
    const { comment, subject } = trigger
    this.deps = deps
    this.setup = setup
    this.forge = forge
    this.request = request
    this.warnings = failureWarnings(deps.core)
    this.client = agentClient(deps, inputs.access)
    this.runUrl = runUrlOf(context, runName(context), forge)
    const origin = comment === undefined ? '' : `${comment.kind}:${comment.id}`
    this.thread = this.#openThread(subject?.number ?? inputs.issueNumber, {
      key: requestKey(context, {
        comment: origin,
        matrixIndex: inputs.matrixIndex,
        projectId: inputs.access.projectId,
        request,
      }),
      run: runName(context),
      requestedAt: start.at,
      requestedBy: requesterOf(trigger),
      command: inputs.command,
      comment: commentRef(comment),
      finish: { preview: inputs.preview, reviewers: inputs.reviewers, labels: inputs.labels },
      coversUntil: 0,
    })
  }

  #openThread(number: number | undefined, identity: RequestIdentity): Thread {
    const { forge, warnings, scope } = this
    const { deps, inputs, secrets, outputs } = this.setup
    if (number !== undefined) outputs.thread(number)
    const signing = number === undefined ? undefined : { ...scope, thread: number }
    return new Thread({ forge, warnings, now: deps.now, signing, mode: inputs.comment, identity, secrets })
  }

  /** For events that name no thread, before the thread is read. A run that ended meanwhile has reported without it. */
  useThread(number: number): void {
    if (this.ending === undefined) this.thread = this.#openThread(number, this.thread.identity)
  }

  /** Goes on where this record of the request ended. */
  takeUp(record: RequestRecord): void {
    // Whatever else the record says, the identity replaces when the next one is written.
    this.state = record
    this.identify(coverageOf(record))
  }

  /** What the records of the request say from now on. */
  identify(more: Partial<RequestIdentity>): void {
    this.thread.identity = { ...this.thread.identity, ...more }
  }

  get context(): RunContext {
    return this.setup.context
  }

  get scope() {
    const { apiKey, projectId } = this.setup.inputs.access
    return { apiKey, projectId, repositoryId: this.forge.repositoryId }
  }

  /** How long the run waits, and how often it reads. */
  get waiting(): WaitOptions {
    const { start, inputs } = this.setup
    const startedAt = start.monotonic
    return { deadline: startedAt + inputs.timeoutMs, pollMs: inputs.pollMs, startedAt }
  }

  /** Until the deadline; not above 0 once it is over. */
  get leftMs(): number {
    return this.waiting.deadline - this.deps.monotonic()
  }

  /** Drives the state machine: takes the next state, and carries out what it asks for, in order. */
  async apply(event: RequestEvent): Promise<void> {
    const { state, effects, ending } = transition(this.state, event)
    this.state = state
    if (ending !== undefined) this.ending = ending
    const job = jobOf(state)
    for (const effect of effects) {
      if (effect === 'writeStatus') await this.#writeStatus()
      else if (effect === 'saveState') this.saveState()
      else if (job !== undefined) this.setup.outputs.job(job, this.jobAction)
    }
  }

  async skip(reason: SkipReason, message = ''): Promise<void> {
    await this.apply({ type: 'answered', reason, message })
  }

  /** Leaves the record for the post step (contract 6.2). */
  saveState(): void {
    const { state, thread, deps } = this
    const record: RequestRecord = { ...state, ...thread.identity, eyes: 0, writtenAt: deps.now() }
    // The post step cannot look up the thread of a push again, nor a tracking issue.
    deps.core.saveState(STATE_NAME, JSON.stringify({ ...record, thread: thread.number }))
  }

  /** Everything is reported: the post step has nothing to do. */
  clearState(): void {
    this.deps.core.saveState(STATE_NAME, '')
  }

  async #writeStatus(): Promise<void> {
    const { state, setup, thread, request, runUrl } = this
    const { requestedBy } = thread.identity
    const body = workingComment({
      requestedBy,
      runUrl,
      startedAt: setup.start.at,
      job: jobOf(state),
      request,
    })
    await thread.writeStatus(state, body)
  }

  report(ending: Ending): Report {
    const { setup, deps, thread, state } = this
    return {
      ...ending,
      job: this.shownJob ?? jobOf(state),
      jobAction: this.jobAction,
      followUp: 'messagedAt' in state && state.messagedAt > 0,
      note: this.note,
      requestedBy: thread.identity.requestedBy,
      merged: namedMerges(thread.identity, thread.number),
      request: this.request,
      prompt: this.prompt,
      durationMs: deps.monotonic() - setup.start.monotonic,
    }
  }
}

/** A request with the thread that gets its result: of a run that waited, or of a sweep that came later. */
export type ReportTarget = Pick<
  RequestRun,
  'deps' | 'client' | 'context' | 'forge' | 'warnings' | 'state' | 'thread'
>

/** The runner hands it to the post step as `STATE_request`. */
export const STATE_NAME = 'request'

/**
 * What makes two runs the same request (contract 5.2): the comment, or without one the run; then workflow, job and
 * its place in a matrix, step, project and request. Without the attempt, so that a re-run finds what came before it.
 */
export function requestKey(
  { runId, workflow, job, step }: RunContext,
  asked: {
    readonly comment: string
    readonly matrixIndex: string
    readonly projectId: string
    readonly request: string
  },
): string {
  const origin = asked.comment === '' ? `run:${runId}` : asked.comment
  const parts = [origin, workflow, job, asked.matrixIndex, step, asked.projectId, asked.request]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)
}
