import type { WaitOptions } from '../http/retry.ts'
import type { PullRequestRef } from '../link.ts'
import { NO_PREVIEW } from '../messages/notes.ts'
import type { PullRequestFacts } from '../messages/phrases.ts'
import type { ChecksStatus } from '../request/check-state.ts'
import { type HeadChecks, statusOf, UNREAD } from '../request/checks-report.ts'
import type { Preview } from '../request/job.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import type { BaseBranch } from './base-branch.ts'
import { hadChecks, mayGoBack, noteChecks, reportedOf } from './checks-record.ts'
import type { Failures } from './fix-message.ts'
import { type HeadEnd, HeadWatch, quietTimes } from './head-watch.ts'
import { previewOf } from './pull-request-preview.ts'
import type { Patience, Watched } from './quiet.ts'
import type { Head, WorkflowRuns } from './read-head.ts'

interface HeadOptions {
  readonly pull: PullRequestRef
  readonly waiting: WaitOptions
  /** How often failures may go back to the agent in all. */
  readonly fixAttempts: number
  /** Until when the head from before the request is no answer to it. */
  readonly unmoved: Patience['unmoved']
  readonly workflowRuns: WorkflowRuns
  readonly base: BaseBranch
  /** Shows its preview. */
  readonly say: (more: PullRequestFacts) => Promise<unknown>
}

/** The head of a pull request between two turns of the agent: its checks and its preview (contract 4.12). */
export class FollowedHead {
  readonly #session: Session
  /** Tries no request beyond the deadline. */
  readonly #reading: Session
  readonly #request: Request
  readonly #options: HeadOptions
  /** Aborted when the run no longer waits for the preview. */
  readonly #abandoned = new AbortController()
  /** Undefined until it is read. */
  #read: HeadChecks | undefined
  /** When its preview was seen to have failed, in ms on the monotonic clock. */
  #previewFailedAt: number | undefined

  constructor(session: Session, reading: Session, request: Request, options: HeadOptions) {
    this.#session = session
    this.#reading = reading
    this.#request = request
    this.#options = options
  }

  /** As last read. */
  get checks(): HeadChecks {
    return this.#read ?? UNREAD
  }

  get status(): ChecksStatus {
    return this.#read === undefined ? 'pending' : statusOf(this.#read)
  }

  /**
   * Reads the head until a failure can go back to the agent, or until nothing is left to wait for.
   * @returns what fails, or how the checks of the head end
   * @throws {Unreadable} where the token may not read them
   * @throws {Cancelled} as soon as the runner asks the step to stop
   */
  async follow(): Promise<Failures | ChecksStatus> {
    const deploying = this.#deploy()
    try {
      return await this.#followChecks(deploying)
    } finally {
      await deploying
    }
  }

  async #followChecks(deploying: Promise<Preview | undefined>): Promise<Failures | ChecksStatus> {
    const { pull, waiting, workflowRuns } = this.#options
    const watch = new HeadWatch(this.#reading, pull, waiting, workflowRuns)
    /** Failures up to this time do not go back. */
    let settledAt = 0
    for (;;) {
      const end = await watch.wait((known) => this.#patienceWith(known, settledAt))
      if (end.head !== undefined) this.#read = this.#asEnded(end.head, end.kind)
      if (end.kind === 'late' || end.kind === 'stalled') return 'pending'
      const { kind, head, readAt } = end
      if (kind === 'closed') {
        this.#abandon(NO_PREVIEW.over)
        return this.status
      }
      const failures = await this.#failuresOf(head, await this.#previewInTime(head, deploying))
      if (failures !== undefined) return failures
      if (kind === 'ended') return this.status
      // A failure that comes during the wait for the preview has a later time.
      settledAt = Math.max(readAt, this.#previewFailedAt ?? 0)
    }
  }

  #patienceWith({ head, failedAt }: Watched, settledAt: number): Omit<Patience, 'times'> {
    if (head.checks.length > 0 && reportedOf(this.#request).checks.hadAny !== true)
      noteChecks(this.#request, { hadAny: true })
    const since = Math.max(failedAt ?? 0, this.#previewFailedAt ?? 0)
    const goesBack = since > settledAt && this.#mayGoBack(head)
    return {
      hadChecks: this.#hadChecks,
      unmoved: this.#options.unmoved,
      goesBackSince: goesBack ? since : undefined,
    }
  }

  #asEnded(head: Head, kind: HeadEnd['kind']): HeadChecks {
    // No workflow runs on a conflict, or before an approval: neither was waited for.
    const canHaveSome = head.conflictsWith === '' && !head.isParked
    const lacksChecks = kind === 'ended' && head.checks.length === 0 && canHaveSome && this.#hadChecks
    const checks = this.#options.base.mark(head.checks)
    return { ...head, checks, lacksChecks, isStalled: kind === 'stalled' }
  }

  /** @returns undefined where nothing fails, or where all that fails does so at the base as well */
  async #failuresOf(head: Head, preview: Preview | undefined): Promise<Failures | undefined> {
    const { pull, base: branch } = this.#options
    const { base, conflictsWith, sha } = head
    const previewLog = preview?.status === 'failure' ? preview.logTail : undefined
    const isBroken = conflictsWith !== '' || previewLog !== undefined
    const hasFailed = head.checks.some(({ result }) => result === 'failed')
    if (!hasFailed && !isBroken) return undefined
    if (hasFailed) await branch.read(this.#reading, pull, base)
    const marked = branch.mark(head.checks)
    this.#read = { ...this.checks, checks: marked }
    const checks = marked.filter(({ result }) => result === 'failed')
    if (!isBroken && checks.every(({ failsOnBase }) => failsOnBase === true)) return undefined
    return { pull, sha, link: reportedOf(this.#request).job.prLink, base, checks, conflictsWith, previewLog }
  }

  async #deploy(): Promise<Preview | undefined> {
    const { waiting, say } = this.#options
    const { job } = reportedOf(this.#request)
    const { signal } = this.#abandoned
    const deploying = previewOf(this.#session, this.#request, job, () => waiting, signal)
    const preview = await deploying.catch(() => undefined)
    if (preview?.status === 'failure') this.#previewFailedAt = this.#session.deps.monotonic()
    if (preview !== undefined) await say({ preview })
    return preview
  }

  /** Waits for the preview: five minutes at most if the head already has failures that can go back. */
  async #previewInTime(head: Head, deploying: Promise<Preview | undefined>): Promise<Preview | undefined> {
    const { deps } = this.#session
    if (!this.#mayGoBack(head) || statusOf(head) !== 'failure') return await deploying
    const { holdMs } = quietTimes(this.#session, this.#options.waiting.pollMs)
    const done = new AbortController()
    const noLonger = AbortSignal.any([done.signal, deps.cancellation.requested])
    deps.sleep(holdMs, noLonger).then(
      () => this.#abandon(NO_PREVIEW.notReady),
      () => undefined,
    )
    try {
      return await deploying
    } finally {
      done.abort()
    }
  }

  /** @param why people get no preview, a sentence */
  #abandon(why: string): void {
    this.#abandoned.abort(new DOMException(why, 'AbortError'))
  }

  get #hadChecks(): boolean {
    return hadChecks(this.#request, this.#session.context.serverUrl)
  }

  #mayGoBack({ sha }: Head): boolean {
    return mayGoBack(this.#request, sha, this.#options.fixAttempts)
  }
}
