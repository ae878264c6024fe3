import { send } from '../agent/client.ts'
import { pollJob, type WaitOptions } from '../agent/poll.ts'
import { throwIfCancelled } from '../cancellation.ts'
import { ActionError, Cancelled, CreationUncertain, unexpectedError } from '../errors.ts'
import { fullName } from '../event/run-context.ts'
import { type PullRequestRef, pullRequestOf } from '../link.ts'
import { checksTask } from '../messages/checks.ts'
import { pullRequestLink, type Report } from '../messages/report.ts'
import { readTask } from '../messages/side-tasks.ts'
import { type ChecksReport, resultOfRun, resultOfStatus, statusOf } from '../request/checks.ts'
import type { Job, Preview } from '../request/job.ts'
import type { CheckState, ChecksStatus, Running } from '../request/states.ts'
import { count, plainText } from '../text.ts'
import type { Written } from '../thread/thread.ts'
import { type Failures, fixMessage } from './fix-message.ts'
import { monotonicMessagedAt, ownUntil } from './follow.ts'
import { previewOf } from './preview.ts'
import { isIn } from './pull-request-settings.ts'
import { hasMoved, type ReadEnd, type Reading, readChecks, Unreadable } from './read-checks.ts'
import type { Request } from './request.ts'

export interface ChecksOptions {
  readonly waiting: WaitOptions
  /** How often failures may go back to the agent in all, over all attempts. */
  readonly attempts: number
  /** Shows what became known, everywhere, and leaves the record true. */
  publish(more: Pick<Partial<Report>, 'checks' | 'preview'>): Promise<Written>
}

/** The request's job has a pull request, and from now on the run follows its checks: no sweep takes it meanwhile. */
export function beginChecks(request: Request, { deadline }: WaitOptions): ChecksReport {
  ownUntil(request, deadline)
  const known = 'checks' in request.state ? request.state.checks : undefined
  request.apply({ type: 'check', checks: { sentFor: [], messagedAt: 0, ...known, status: 'pending' } })
  return { status: 'pending', phase: 'reading', checks: [], fixes: known?.sentFor.length ?? 0, sentBack: [] }
}

/** Follows checks and preview of a pull request, and lets the agent fix what fails of them (contract 4.12). */
export class PullRequestChecks {
  readonly #request: Request
  readonly #options: ChecksOptions
  readonly #sentBack: string[] = []
  /** As last read. */
  #reading: Reading | undefined
  #preview: Preview | undefined

  constructor(request: Request, options: ChecksOptions) {
    this.#request = request
    this.#options = options
  }

  /** Until they are green, or until nothing more can be done about them: it never throws. */
  async follow(): Promise<ChecksReport> {
    const status = await this.#outcome()
    this.#check({ ...this.#running.checks, status })
    return this.#report(status)
  }

  async #outcome(): Promise<ChecksStatus> {
    const { session } = this.#request
    const { prLink } = this.#running.job
    const pull = pullRequestOf(prLink, session.context.serverUrl)
    if (pull === undefined) {
      const where = `is not on ${new URL(session.context.serverUrl).host}`
      this.#warn(`${pullRequestLink(prLink)} ${where}, so its checks cannot be read.`)
      return 'unavailable'
    }
    try {
      return await this.#rounds(pull)
    } catch (error) {
      if (error instanceof Unreadable) {
        const isOwn = isIn(session.context.repository, pull)
        const task = checksTask(`${fullName(pull)}#${pull.number}`, error.isPullReadable, isOwn)
        session.warnings.add(task, error.error)
        return 'unavailable'
      }
      if (error instanceof Cancelled) {
        session.deps.core.info(
          'The run was cancelled while it followed the checks. A re-run goes on with them.',
        )
        return this.#stopped()
      }
      this.#warn(`The checks of ${pullRequestLink(prLink)} can no longer be followed. ${this.#said(error)}`)
      return this.#asRead()
    }
  }

  /** While they are followed, the request is `running`. */
  get #running(): Running & { readonly checks: CheckState } {
    const { state } = this.#request
    if (state.state !== 'running' || state.checks === undefined) {
      throw new Error(`the checks are not followed in the state ${state.state}`)
    }
    return { ...state, checks: state.checks }
  }

  #report(status: ChecksStatus, phase?: ChecksReport['phase']): ChecksReport {
    const fixes = this.#running.checks.sentFor.length
    return { status, phase, checks: this.#reading?.checks ?? [], fixes, sentBack: this.#sentBack }
  }

  #asRead(): ChecksStatus {
    const { checks = [] } = this.#reading ?? {}
    return checks.length === 0 ? 'pending' : statusOf(checks)
  }

  /** What was read is of a head that the agent may have replaced by now. */
  #stopped(): ChecksStatus {
    this.#reading = undefined
    return 'pending'
  }

  async #rounds(pull: PullRequestRef): Promise<ChecksStatus> {
    const { session } = this.#request
    const { waiting, publish } = this.#options
    // An earlier attempt may have sent failures, and the agent may still work on them.
    if (this.#running.checks.messagedAt > 0 && (await this.#turn()) === 'late') return 'pending'
    for (;;) {
      const end = await this.#readAndDeploy(pull)
      this.#reading = end.reading
      if (end.kind === 'late') return 'pending'
      if (end.kind === 'closed') return this.#asRead()
      const { sha, checks } = end.reading
      const failures = this.#failures(pull, end.reading)
      if (failures === undefined || !(await this.#sendBack(failures, sha))) return statusOf(checks)
      const turn = await this.#turn()
      const goesOn = turn === 'done' && (await hasMoved(session, pull, sha, waiting))
      if (this.#isLate) return this.#stopped()
      if (!goesOn) return statusOf(checks)
      this.#reading = undefined
      await publish({ checks: this.#report('pending', 'reading'), preview: undefined })
    }
  }

  /** A preview that is under way is waited for, whatever the checks say. */
  async #readAndDeploy(pull: PullRequestRef): Promise<ReadEnd> {
    const reading = readChecks(this.#request.session, pull, this.#options.waiting)
    await Promise.allSettled([reading, this.#deploy()])
    return await reading
  }

  get #isLate(): boolean {
    return this.#request.session.deps.monotonic() >= this.#options.waiting.deadline
  }

  /** A preview that cannot be had for one head cannot be had for the next one either. */
  async #deploy(): Promise<void> {
    const { waiting, publish } = this.#options
    const known = this.#preview?.status
    if (known === 'timed-out' || known === 'unavailable') return
    const { job } = this.#running
    this.#preview = await previewOf(this.#request, { outcome: 'pull-request', job }, waiting)
    if (this.#preview !== undefined) await publish({ preview: this.#preview })
  }

  #failures(pull: PullRequestRef, { runs, statuses }: Reading): Failures | undefined {
    const failures = {
      pull,
      runs: runs.filter((run) => resultOfRun(run) === 'failed'),
      statuses: statuses.filter((status) => resultOfStatus(status) === 'failed'),
      previewLog: this.#preview?.status === 'failure' ? this.#preview.logTail : undefined,
    }
    const many = failures.runs.length + failures.statuses.length
    return many > 0 || failures.previewLog !== undefined ? failures : undefined
  }

  /**
   * Sends what fails of a commit to the job, once a thread: its SHA stands in the record before the message goes out.
   * @returns whether the job may have got it
   */
  async #sendBack(failures: Failures, sha: string): Promise<boolean> {
    const { session } = this.#request
    const { waiting, attempts, publish } = this.#options
    const { deps, client } = session
    const { job, checks } = this.#running
    const { sentFor } = checks
    if (sentFor.length >= attempts || sentFor.includes(sha) || this.#isLate) return false
    if (await this.#isSentByOthers(sha)) return false
    const prompt = await fixMessage(session, failures)
    this.#check({ ...checks, sentFor: [...sentFor, sha], messagedAt: deps.now() })
    const written = await publish({ checks: this.#report('pending', 'fixing') })
    const isRecorded = written.failure === undefined && written.existing === undefined
    // Two runs can see the failures at the same time. Then neither sends them, rather than both.
    if (!isRecorded || (await this.#isSentByOthers(sha))) {
      this.#check(checks)
      return false
    }
    try {
      const answer = await send(deps, client, { prompt, jobId: job.id, deadline: waiting.deadline })
      this.#read(answer)
      this.#check({ ...this.#running.checks, messagedAt: deps.now() })
    } catch (error) {
      if (!(error instanceof CreationUncertain)) this.#check(checks)
      throwIfCancelled(deps.cancellation)
      const isUncertain = error instanceof CreationUncertain
      const known = isUncertain ? 'It is not known whether the agent got' : 'The agent did not get'
      const why = isUncertain ? `${error.fault}.` : this.#said(error)
      this.#warn(`${known} what fails of ${pullRequestLink(job.prLink)}. ${why}`)
      return false
    }
    this.#sentBack.push(...failures.runs.map(({ name }) => name))
    this.#sentBack.push(...failures.statuses.map(({ context }) => context))
    const attempt = `attempt ${sentFor.length + 1} of ${attempts}`
    const many = failures.runs.length + failures.statuses.length + (failures.previewLog === undefined ? 0 : 1)
    deps.core.info(`${count(many, 'failure')} of ${sha.slice(0, 7)} sent back to job ${job.id} (${attempt})`)
    return true
  }

  async #isSentByOthers(sha: string): Promise<boolean> {
    const { thread, session } = this.#request
    if (!thread.remembers) return false
    const task = readTask(thread.number ?? 0)
    const history = await session.warnings.warnOnFailure(task, () => thread.read())
    // A thread that cannot be read may hold it.
    return history === undefined || history.sentByOthers.has(sha)
  }

  /** Follows the job while it works on what went back. */
  async #turn(): Promise<'done' | 'failed' | 'late'> {
    const { deps, client } = this.#request.session
    const state = this.#running
    const messagedAt = monotonicMessagedAt(deps, state)
    const onJob = (read: Job) => this.#read(read)
    const { waiting } = this.#options
    const { job, timedOut } = await pollJob(deps, client, { ...waiting, job: state.job, messagedAt, onJob })
    if (timedOut !== undefined) return 'late'
    return job.status === 'completed' ? 'done' : 'failed'
  }

  /** The pull request stays the job's, even where its last turn names none. */
  #read(job: Job): void {
    const { prLink } = this.#running.job
    this.#request.apply({ type: 'read', job: job.prLink === '' ? { ...job, prLink } : job })
  }

  #check(checks: CheckState): void {
    this.#request.apply({ type: 'check', checks })
  }

  #warn(sentence: string): void {
    this.#request.session.deps.core.warning(plainText(sentence))
  }

  #said(error: unknown): string {
    return error instanceof ActionError
      ? error.message
      : unexpectedError(this.#request.session.deps.core, error)
  }
}
