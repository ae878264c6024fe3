import { isGone } from '../errors.ts'
import type { PullRequest } from '../event/objects.ts'
import { runUrlOf } from '../event/trigger.ts'
import type { Inputs } from '../inputs/inputs.ts'
import { foldedPromptOf, workingComment } from '../messages/comments.ts'
import { CAUSES, unanswered } from '../messages/notes.ts'
import type { Denied } from '../messages/phrases.ts'
import type { PromptSource } from '../prompt/prompt.ts'
import { EMPTY_HISTORY, type History, stillOpen } from '../request/history.ts'
import type { Job } from '../request/job.ts'
import { type Ending, ending, type JobAction, reportedOutcome } from '../request/outcome.ts'
import type { PlanNote } from '../request/plan.ts'
import {
  identityOf,
  type Part,
  type RequestIdentity,
  type RequestRecord,
  type RequestState,
  stateOf,
} from '../request/record.ts'
import { AUTHORS, MOST_AUTHORS } from '../request/reviewers.ts'
import { jobOf, type RequestEvent, transition } from '../request/states.ts'
import type { Session } from '../thread/session.ts'
import { Thread, type Written } from '../thread/thread.ts'

/** What the run is asked, by what, and until when. */
export interface Asked extends PromptSource {
  /** The person used the command, so hears of a denial (contract 3.3). */
  readonly tellsOfDenial: boolean
  /** The text of the reference files; '' for none. */
  readonly references: string
  /** On the monotonic clock, in ms: nothing is sent later. */
  readonly deadline: number
}

/** The step that serves the request. */
export interface RequestView {
  /** Shows the job as soon as it is known. */
  showJob(job: Job, action: JobAction): void
  showThread(number: number | undefined): void
  /** Keeps the record where the post step finds it. */
  keep(record: RequestRecord, thread: number | undefined): void
}

const NO_VIEW: RequestView = { showJob: () => {}, showThread: () => {}, keep: () => {} }

/** What a run serves the request with, from the start; a sweep has none of it. */
interface Given extends Pick<Inputs, 'timeoutMs' | 'minPermission'> {
  /** The request in the words of the person. */
  readonly text: string
}

/** A request as this run serves it: what its record says, where it is answered, and what this run alone knows. */
export class Request {
  identity: RequestIdentity
  state: RequestState = { state: 'idle' }
  /** Undefined for a run without a thread. */
  thread: Thread | undefined
  readonly given: Given
  readonly #view: RequestView

  /** The run has a thread, and could not learn which one. */
  isThreadUnknown = false
  /** Nothing is written before the permission is known. */
  isGranted = false
  denied: Denied | undefined
  /** No earlier run can have left a comment, a record or a reaction of this request. */
  isFirstRun = false
  /** Id of the eyes that this run added. */
  eyes: Promise<number | undefined> | undefined
  /** What the agent gets; '' until that is known. */
  prompt = ''
  note: PlanNote = {}
  /** This run sent the request to the agent. */
  hasSent = false
  jobAction: JobAction = 'none'
  /** A job that the report shows although the request did not go to it. */
  shownJob: Job | undefined
  /** Until when no other run takes the request, in ms on the monotonic clock; 0 for no claim. */
  claimedUntil = 0
  /** The request in the words of the record, where the run goes on from one that has them. */
  #recordedText = ''

  constructor(identity: RequestIdentity, given: Partial<Given> = {}, view = NO_VIEW) {
    this.identity = identity
    this.given = { text: '', timeoutMs: 0, minPermission: 'write', ...given }
    this.#view = view
  }

  get text(): string {
    return this.#recordedText || this.given.text
  }

  /** What the thread tells, after each read and write anew; undefined while it is not known. */
  get history(): History | undefined {
    if (this.thread !== undefined) return this.thread.historyOf(this.identity)
    return this.isThreadUnknown ? undefined : EMPTY_HISTORY
  }

  useThread(number: number): void {
    this.thread = new Thread(number)
    this.#view.showThread(number)
  }

  leaveThread(): void {
    this.thread = undefined
    this.#view.showThread(undefined)
  }

  amend(identity: Partial<RequestIdentity>): void {
    this.identity = { ...this.identity, ...identity }
  }

  /**
   * Remembers who wrote the code that the request is for, as far as `reviewers` asks for them (contract 4.11).
   * @param pulls the newest merge first
   */
  rememberAuthors(pulls: readonly Pick<PullRequest, 'author'>[]): void {
    if (!this.identity.settings.reviewers.includes(AUTHORS)) return
    const people = pulls.flatMap(({ author }) => (author === undefined || author.bot ? [] : author.login))
    // One of them may turn out to be the author of the docs.
    this.amend({ authors: [...new Set(people)].slice(0, MOST_AUTHORS + 1) })
  }

  /**
   * Only the run is new: when it was asked, by which person, and for what, stays as the record has it (contract 5.2).
   * @param body of the comment with the record, which shows what the agent got, whatever this run would send
   */
  goOnFrom(record: RequestRecord, body = ''): void {
    this.identity = { ...identityOf(record), run: this.identity.run }
    let state = stateOf(record)
    const { ownComments } = this.history ?? {}
    if (state.state === 'reported' && ownComments !== undefined) {
      // Once the comment that the result replaces is gone, the record that is written next says what is open.
      const { replacedId } = state
      const isThere = ownComments.some(({ id }) => id === replacedId)
      state = {
        ...state,
        openParts: [...stillOpen(record, ownComments)],
        replacedId: isThere ? replacedId : 0,
      }
    }
    const text = state.state === 'sending' || 'job' in state ? foldedPromptOf(body) : ''
    if (text !== '') this.#recordedText = text
    this.#enter(state.state === 'sending' ? { ...state, isTold: false } : state, 'resumed')
  }

  apply(event: RequestEvent): void {
    this.hasSent ||= event.type === 'send'
    const isNew = this.state.state === 'sending' && this.state.jobId === ''
    this.#enter(transition(this.state, event), isNew ? 'created' : 'continued')
  }

  /** @param action what brought the job, where the request had none before */
  #enter(state: RequestState, action: JobAction): void {
    this.state = state
    const job = jobOf(state)
    if (job === undefined) return
    if (this.jobAction === 'none') this.jobAction = action
    this.#view.showJob(job, this.jobAction)
  }

  isOpen(part: Part): boolean {
    return this.state.state === 'reported' && this.state.openParts.includes(part)
  }

  /** A comment on the pull request leads back to the thread. */
  isLinked(prLink: string): boolean {
    const { state, history } = this
    return (state.state === 'reported' && state.isLinked) || history?.linkedFrom.has(prLink) === true
  }

  /** The record of now. It is kept for the post step, without a thread that refuses comments. */
  save(session: Session): RequestRecord {
    const { own, jobComment: latest } = this.history ?? {}
    if (own === undefined && latest !== undefined) {
      // Later than all that the thread holds, as its record is, whatever the clock of another runner said.
      const requestedAt = Math.max(this.identity.requestedAt, latest.record.requestedAt + 1)
      this.amend({ requestedAt })
    }
    const { identity, state, thread, claimedUntil } = this
    const waits = state.state === 'sending' || state.state === 'running' || this.isOpen('checks')
    const waitsMs = waits ? Math.ceil(Math.max(0, claimedUntil - session.deps.monotonic())) : 0
    const record = { ...identity, ...state, writtenAt: thread?.dateOf(session) ?? 0, waitsMs }
    this.#view.keep(record, thread?.isRefusing === true ? undefined : thread?.number)
    return record
  }

  /**
   * Writes the comment of the request with the record of now: nothing else writes its status, or its result. Where another
   * run reported the request meanwhile, that stays, and this run goes on from it. The post step gets the record first: after
   * a kill it goes on from there.
   * @param asNew beside the comment that stands, so that people are notified
   */
  async write(
    session: Session,
    what: 'status comment' | 'result',
    body: string,
    asNew = false,
  ): Promise<Written> {
    const record = this.save(session)
    if (this.thread === undefined || !this.isGranted) return { url: '' }
    const written = await this.thread.write(session, what, record, body, asNew)
    if (written.existing !== undefined) this.goOnFrom(written.existing)
    if (written.failure !== undefined) {
      // A thread that is gone is none (contract 5.7). The post step writes the rest.
      if (isGone(written.failure)) this.leaveThread()
      this.save(session)
    }
    return written
  }

  /** Says who asked, which run works on it, and the job once it is known. */
  async writeStatus(session: Session): Promise<Written> {
    const { requestedBy, requestedAt: startedAt, run } = this.identity
    const runUrl = runUrlOf(session.context, run, session.forge)
    const job = jobOf(this.state)
    const body = workingComment({ requestedBy, runUrl, startedAt, job, request: this.text })
    return await this.write(session, 'status comment', body)
  }
}

/** How the record says that the request ended. */
export function endingOfRecord({ state }: Pick<Request, 'state'>): Ending | undefined {
  switch (state.state) {
    case 'reported': {
      const outcome = reportedOutcome(state)
      return outcome === undefined ? ending('error', 'job-not-found', CAUSES.jobGone) : ending(outcome)
    }
    case 'sending':
    case 'unknown':
      return ending('error', 'creation-uncertain', unanswered(state.jobId))
    default:
      return undefined
  }
}
