import { runUrlOf } from '../event/run-context.ts'
import type { Inputs } from '../inputs.ts'
import { isInRepository, pullRequestOf } from '../link.ts'
import { workingComment } from '../messages/comments.ts'
import type { Replies } from '../messages/replies.ts'
import { type Denied, type MessageContext, namedMerges, type Report } from '../messages/report.ts'
import type { Job } from '../request/job.ts'
import type { Ending, JobAction } from '../request/outcome.ts'
import type { PlanNote } from '../request/plan.ts'
import type { RequestIdentity } from '../request/record.ts'
import { jobOf, type RequestEvent, type RequestState, transition } from '../request/states.ts'
import { Reactions } from '../thread/reactions.ts'
import type { Session } from '../thread/session.ts'
import { Thread, type Written } from '../thread/thread.ts'
import type { Outputs } from './outputs.ts'

interface RequestOptions {
  readonly session: Session
  /** Undefined for a run without a thread. */
  readonly thread: number | undefined
  readonly identity: RequestIdentity
  /** Those of the root action that messages name; a sweep has none. */
  readonly inputs?: Pick<Inputs, 'timeoutMs' | 'minPermission'>
  readonly outputs?: Outputs
}

/** A request with its thread: its state is the record, and the rest is what this step alone knows. */
export class AgentRequest {
  readonly session: Session
  readonly reactions: Reactions
  /** When the request came in, in ms on the monotonic clock. */
  readonly startedAt: number
  thread: Thread
  state: RequestState = { state: 'idle' }
  /** The request in the words of the person. */
  text = ''
  /** What the agent gets; '' until that is known. */
  prompt = ''
  jobAction: JobAction = 'none'
  note: PlanNote = {}
  /** A job that the report shows although the request did not go to it. */
  shownJob: Job | undefined
  denied: Denied | undefined
  /** Nothing is written before the permission is known. */
  isGranted = false
  /** No earlier run can have left a comment, a record or a reaction of this request. */
  isFirst = false
  /** This step sent the request to the agent. */
  hasSent = false
  /** Until when no other run reports the request, in ms since the epoch. */
  claimedUntil = Number.POSITIVE_INFINITY
  /** The comment on the pull request that leads back here could not be written. */
  linkFailed = false
  readonly #inputs: NonNullable<RequestOptions['inputs']>
  readonly #outputs: RequestOptions['outputs']

  constructor({ session, thread, identity, inputs, outputs }: RequestOptions) {
    const { deps } = session
    this.session = session
    this.thread = new Thread(session, thread, identity)
    this.reactions = new Reactions(session, identity.comment)
    this.startedAt = deps.monotonic() - Math.max(0, deps.now() - (identity.requestedAt || deps.now()))
    this.#inputs = inputs ?? { timeoutMs: 0, minPermission: 'write' }
    this.#outputs = outputs
    if (thread !== undefined) outputs?.thread(thread)
  }

  get identity(): RequestIdentity {
    return this.thread.identity
  }

  get messages(): MessageContext {
    const { identity, session, denied } = this
    const { timeoutMs, minPermission } = this.#inputs
    return {
      command: identity.command,
      timeoutMs,
      minPermission,
      runUrl: runUrlOf(session.context, identity.run, session.forge),
      denied,
      replies: this.#replies,
    }
  }

  /** A thread that refuses the comments of the action remembers nothing, and one on a pull request leads back by a link. */
  get #replies(): Replies {
    const { thread, session } = this
    const pull = pullRequestOf(jobOf(this.state)?.prLink ?? '', session.context.serverUrl)
    const isHere = pull !== undefined && isInRepository(session.context.repository, pull)
    return {
      thread: thread.holdsRecord ? thread.number : undefined,
      onPullRequest: isHere && pull.number !== thread.number && !this.linkFailed,
    }
  }

  apply(event: RequestEvent): void {
    this.#enter(transition(this.state, event))
  }

  #enter(state: RequestState): void {
    this.state = state
    const job = jobOf(state)
    if (job !== undefined) this.#outputs?.job(job, this.jobAction)
  }

  /** From now on no sweep takes the request, until the deadline passes. @param deadline on the monotonic clock, in ms */
  claimUntil(deadline: number): void {
    const { deps } = this.session
    this.claimedUntil = Math.round(deps.now() + deadline - deps.monotonic())
    this.apply({ type: 'wait', until: this.claimedUntil })
  }

  amendIdentity(more: Partial<RequestIdentity>): void {
    this.thread.identity = { ...this.thread.identity, ...more }
  }

  /** For events that name no thread, before the thread is read. */
  useThread(number: number): void {
    this.thread = new Thread(this.session, number, this.identity)
    this.#outputs?.thread(number)
  }

  goOnFrom(state: RequestState): void {
    if (jobOf(state) !== undefined) this.jobAction = 'resumed'
    this.#enter(state)
  }

  async writeStatus(): Promise<Written> {
    const { state, text, identity, messages } = this
    const { requestedBy, requestedAt } = identity
    const { runUrl } = messages
    const job = jobOf(state)
    const body = workingComment({ requestedBy, runUrl, startedAt: requestedAt, job, request: text })
    return await this.thread.writeStatus(state, body)
  }

  reportOf(ending: Ending): Report {
    const { identity, thread, state, session, startedAt } = this
    const known = 'checks' in state ? state.checks : undefined
    return {
      ...ending,
      job: this.shownJob ?? jobOf(state),
      jobAction: this.jobAction,
      followUp: 'messagedAt' in state && state.messagedAt > 0,
      messagedJobId: 'jobId' in state ? state.jobId : '',
      note: this.note,
      requestedBy: identity.requestedBy,
      merged: namedMerges(identity, thread.number),
      request: this.text,
      prompt: this.prompt,
      durationMs: Math.max(0, session.deps.monotonic() - startedAt),
      checks: known && { status: known.status, checks: [], fixes: known.sentFor.length, sentBack: [] },
    }
  }
}
