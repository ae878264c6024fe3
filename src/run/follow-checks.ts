import { pollJob, type WaitOptions } from '../agent/poll.ts'
import { Cancelled } from '../errors.ts'
import { retryRead } from '../http/retry.ts'
import { whileReporting } from '../http/retry-rules.ts'
import { type PullRequestRef, pullRequestOf, samePullRequest } from '../link.ts'
import { explainError } from '../messages/explain.ts'
import { type ChecksReport, statusOf } from '../request/checks.ts'
import type { Job, Preview } from '../request/job.ts'
import { isDone } from '../request/outcome.ts'
import type { ChecksStatus } from '../request/record.ts'
import { lastMessagedAt } from '../request/states.ts'
import { during, type Session } from '../thread/session.ts'
import type { Failures } from './fix-message.ts'
import { previewOf } from './preview.ts'
import { hasMoved, type ReadEnd, type Reading, readChecks, Unreadable } from './read-checks.ts'
import type { Request } from './request.ts'
import type { LateFacts, Result } from './result.ts'
import { checksOf, noteChecks, noteJob, sendBack, warnOfChecks } from './send-back.ts'

interface ChecksOptions {
  readonly waiting: WaitOptions
  /** How often failures may go back to the agent in all, over all attempts. */
  readonly fixAttempts: number
  /** Shows what becomes known, everywhere, and leaves the record true. */
  readonly result: Result
}

/** Follows checks and preview of a pull request, and lets the agent fix what fails (contract 4.12). */
export class PullRequestChecks {
  readonly #session: Session
  readonly #request: Request
  readonly #options: ChecksOptions
  readonly #sentBack: string[] = []
  #isPreviewSentBack = false
  /** As last read. */
  #reading: Reading | undefined
  #preview: Preview | undefined

  constructor(session: Session, request: Request, options: ChecksOptions) {
    this.#session = session
    this.#request = request
    this.#options = options
  }

  /** From now on the run follows the checks, and no sweep takes the request. */
  begin(): LateFacts {
    this.#request.know({ claimedUntil: this.#options.waiting.deadline })
    noteChecks(this.#request, { status: 'pending' })
    return { checks: this.#report('pending', 'reading') }
  }

  /** Until they are green, or until nothing more can be done about them: it never throws. */
  async follow(): Promise<void> {
    const status = await this.#outcome()
    noteChecks(this.#request, { status }, false)
    await this.#options.result.publish({ checks: this.#report(status) })
  }

  async #outcome(): Promise<ChecksStatus> {
    const { deps } = this.#session
    try {
      return await this.#rounds()
    } catch (error) {
      if (error instanceof Unreadable) return 'unavailable'
      if (error instanceof Cancelled) {
        deps.core.info('The run was cancelled while it followed the checks. A re-run goes on with them.')
        return this.#stopped()
      }
      warnOfChecks(this.#session, this.#request, 'lost', explainError(deps.core, error))
      return this.#asRead()
    }
  }

  get #link(): string {
    return checksOf(this.#request).job.prLink
  }

  /** @throws {Unreadable} */
  #pullRequest(): PullRequestRef {
    const { serverUrl } = this.#session.context
    const pull = pullRequestOf(this.#link, serverUrl)
    if (pull !== undefined) return pull
    warnOfChecks(this.#session, this.#request, 'elsewhere', new URL(serverUrl).host)
    throw new Unreadable()
  }

  #report(status: ChecksStatus, phase?: ChecksReport['phase']): ChecksReport {
    const fixes = checksOf(this.#request).checks.sentFor.length
    const [sentBack, isPreviewSentBack] = [this.#sentBack, this.#isPreviewSentBack]
    return { status, phase, checks: this.#reading?.checks ?? [], fixes, sentBack, isPreviewSentBack }
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

  async #rounds(): Promise<ChecksStatus> {
    const session = this.#session
    const { waiting, result } = this.#options
    const wasSent = checksOf(this.#request).checks.messagedAt > 0
    if (wasSent && (await this.#followTurn(true)) === 'late') return 'pending'
    // No try goes on beyond the deadline.
    const reading = during(session, whileReporting(waiting.deadline))
    for (;;) {
      const link = this.#link
      const pull = this.#pullRequest()
      const end = await this.#readAndDeploy(reading, pull)
      this.#reading = end.reading
      if (end.kind === 'late') return 'pending'
      if (end.kind === 'closed') return this.#asRead()
      const { sha, checks } = end.reading
      const failed = checks.filter(({ result }) => result === 'failed')
      const previewLog = this.#preview?.status === 'failure' ? this.#preview.logTail : undefined
      const isGreen = failed.length === 0 && previewLog === undefined
      if (isGreen || !(await this.#sendBack({ pull, sha, link, checks: failed, previewLog })))
        return statusOf(checks)
      const turn = await this.#followTurn()
      // The agent may answer with another pull request, whose checks are not those that failed.
      const isOther = !samePullRequest(this.#link, link, session.context.serverUrl)
      const goesOn = turn === 'completed' && (isOther || (await hasMoved(reading, pull, sha, waiting)))
      if (session.deps.monotonic() >= waiting.deadline || (isOther && !goesOn)) return this.#stopped()
      if (!goesOn) return statusOf(checks)
      this.#reading = undefined
      await result.publish({ checks: this.#report('pending', 'reading'), preview: undefined })
    }
  }

  /** A preview that is under way is waited for, whatever the checks say. */
  async #readAndDeploy(session: Session, pull: PullRequestRef): Promise<ReadEnd> {
    const reading = readChecks(session, pull, this.#options.waiting)
    await Promise.allSettled([reading, this.#deploy()])
    return await reading
  }

  async #deploy(): Promise<void> {
    const { waiting, result } = this.#options
    const { job } = checksOf(this.#request)
    this.#preview = await previewOf(this.#session, this.#request, job, () => waiting)
    if (this.#preview !== undefined) await result.publish({ preview: this.#preview })
  }

  async #sendBack(failures: Failures): Promise<boolean> {
    const { fixAttempts, waiting, result } = this.#options
    const isSent = await sendBack(this.#session, this.#request, failures, {
      fixAttempts,
      deadline: waiting.deadline,
      announce: async () => {
        await result.publish({ checks: this.#report('pending', 'fixing') })
        return result
      },
    })
    if (!isSent) return false
    this.#sentBack.push(...failures.checks.map(({ name }) => name))
    if (failures.previewLog !== undefined) this.#isPreviewSentBack = true
    return true
  }

  /**
   * Follows the job while it works on what went back.
   * @param isEarlier an earlier attempt sent it: what the record says of the job is from before it
   */
  async #followTurn(isEarlier = false): Promise<'completed' | 'failed' | 'late'> {
    const { deps, client } = this.#session
    const { waiting } = this.#options
    const onJob = (read: Job) => noteJob(this.#request, read)
    if (isEarlier) {
      const { id } = checksOf(this.#request).job
      const job = await retryRead(deps, { ...waiting, isKnown: true }, (left, signal) =>
        client.read(id, left, signal),
      )
      if ('timedOut' in job) return 'late'
      onJob(job)
    }
    const state = checksOf(this.#request)
    // As far as the clocks of two runners agree.
    const messagedAt = deps.monotonic() - Math.max(0, deps.now() - lastMessagedAt(state))
    const { job, timedOut } = await pollJob(deps, client, { ...waiting, job: state.job, messagedAt, onJob })
    if (timedOut !== undefined) return 'late'
    return isDone(job) ? 'completed' : 'failed'
  }
}
