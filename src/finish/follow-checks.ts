import type { WaitOptions } from '../agent/poll.ts'
import { ActionError, Cancelled, unexpectedError } from '../errors.ts'
import { fullName } from '../event/run-context.ts'
import { isInRepository, type PullRequestRef, pullRequestOf } from '../link.ts'
import { checksTask } from '../messages/checks-words.ts'
import { pullRequestLink, type Report } from '../messages/report.ts'
import { type ChecksReport, statusOf } from '../request/checks.ts'
import type { Preview } from '../request/job.ts'
import type { ChecksStatus } from '../request/states.ts'
import { plainText } from '../text.ts'
import type { Written } from '../thread/thread.ts'
import type { Failures } from './fix-message.ts'
import { failuresOf, followEarlierTurn, followed, followTurn, sendBack } from './fixing.ts'
import { ownUntil } from './follow.ts'
import { previewOf } from './preview-result.ts'
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
    this.#request.apply({ type: 'check', checks: { ...followed(this.#request).checks, status } })
    return this.#report(status)
  }

  async #outcome(): Promise<ChecksStatus> {
    const { session } = this.#request
    const { prLink } = followed(this.#request).job
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
        const isOwn = isInRepository(session.context.repository, pull)
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

  #report(status: ChecksStatus, phase?: ChecksReport['phase']): ChecksReport {
    const fixes = followed(this.#request).checks.sentFor.length
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
    const wasSent = followed(this.#request).checks.messagedAt > 0
    if (wasSent && (await followEarlierTurn(this.#request, waiting)) === 'late') return 'pending'
    for (;;) {
      const end = await this.#readAndDeploy(pull)
      this.#reading = end.reading
      if (end.kind === 'late') return 'pending'
      if (end.kind === 'closed') return this.#asRead()
      const { sha, checks } = end.reading
      const failures = failuresOf(pull, end.reading, this.#preview)
      if (failures === undefined || !(await this.#sendBack(failures, sha))) return statusOf(checks)
      const turn = await followTurn(this.#request, waiting)
      const goesOn = turn === 'completed' && (await hasMoved(session, pull, sha, waiting))
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
    const { job } = followed(this.#request)
    this.#preview = await previewOf(this.#request, { outcome: 'pull-request', job }, () => waiting)
    if (this.#preview !== undefined) await publish({ preview: this.#preview })
  }

  async #sendBack(failures: Failures, sha: string): Promise<boolean> {
    const { waiting, attempts, publish } = this.#options
    const record = () => publish({ checks: this.#report('pending', 'fixing') })
    const { deadline } = waiting
    if (!(await sendBack(this.#request, failures, { sha, attempts, deadline, record }))) return false
    this.#sentBack.push(...failures.runs.map(({ name }) => name))
    this.#sentBack.push(...failures.statuses.map(({ context }) => context))
    return true
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
