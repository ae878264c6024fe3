import type { WaitOptions } from '../agent/poll.ts'
import { Cancelled } from '../errors.ts'
import { type PullRequestRef, pullRequestOf, samePullRequest } from '../link.ts'
import { explainError } from '../messages/explain.ts'
import type { Report } from '../messages/report.ts'
import { type ChecksReport, statusOf } from '../request/checks.ts'
import type { Preview } from '../request/job.ts'
import type { ChecksStatus } from '../request/states.ts'
import type { AgentRequest } from '../step/agent-request.ts'
import type { Written } from '../thread/thread.ts'
import type { Failures } from './fix-message.ts'
import { followed, followTurn, noteChecks } from './follow.ts'
import { previewOf } from './preview-result.ts'
import { hasMoved, type ReadEnd, type Reading, readChecks, Unreadable } from './read-checks.ts'
import { sendBack, warnOfChecks } from './send-back.ts'

/** What becomes known of a pull request after the end of its job. */
export type LateFacts = Pick<Partial<Report>, 'checks' | 'preview'>

interface ChecksOptions {
  readonly waiting: WaitOptions
  /** How often failures may go back to the agent in all, over all attempts. */
  readonly fixAttempts: number
  /** Shows what became known, everywhere, and leaves the record true. */
  publish(facts: LateFacts): Promise<Written>
}

/** From now on the run follows the checks, and no sweep takes the request. */
export function beginChecks(request: AgentRequest, { deadline }: WaitOptions): ChecksReport {
  request.claimUntil(deadline)
  const known = 'checks' in request.state ? request.state.checks : undefined
  request.apply({ type: 'check', checks: { sentFor: [], messagedAt: 0, ...known, status: 'pending' } })
  return { status: 'pending', phase: 'reading', checks: [], fixes: known?.sentFor.length ?? 0, sentBack: [] }
}

/** Follows checks and preview of a pull request, and lets the agent fix what fails (contract 4.12). */
export class PullRequestChecks {
  readonly #request: AgentRequest
  readonly #options: ChecksOptions
  readonly #sentBack: string[] = []
  #isPreviewSentBack = false
  /** As last read. */
  #reading: Reading | undefined
  #preview: Preview | undefined

  constructor(request: AgentRequest, options: ChecksOptions) {
    this.#request = request
    this.#options = options
  }

  /** Until they are green, or until nothing more can be done about them: it never throws. */
  async follow(): Promise<ChecksReport> {
    const status = await this.#outcome()
    noteChecks(this.#request, { status })
    return this.#report(status)
  }

  async #outcome(): Promise<ChecksStatus> {
    const { deps } = this.#request.session
    try {
      return await this.#rounds()
    } catch (error) {
      if (error instanceof Unreadable) return 'unavailable'
      if (error instanceof Cancelled) {
        deps.core.info('The run was cancelled while it followed the checks. A re-run goes on with them.')
        return this.#stopped()
      }
      warnOfChecks(this.#request, 'lost', explainError(deps.core, error))
      return this.#asRead()
    }
  }

  get #link(): string {
    return followed(this.#request).job.prLink
  }

  /** @throws {Unreadable} */
  #pullRequest(): PullRequestRef {
    const { serverUrl } = this.#request.session.context
    const pull = pullRequestOf(this.#link, serverUrl)
    if (pull !== undefined) return pull
    warnOfChecks(this.#request, 'elsewhere', new URL(serverUrl).host)
    throw new Unreadable()
  }

  #report(status: ChecksStatus, phase?: ChecksReport['phase']): ChecksReport {
    const fixes = followed(this.#request).checks.sentFor.length
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
    const { session } = this.#request
    const { waiting, publish } = this.#options
    const wasSent = followed(this.#request).checks.messagedAt > 0
    if (wasSent && (await followTurn(this.#request, waiting, true)) === 'late') return 'pending'
    for (;;) {
      const link = this.#link
      const pull = this.#pullRequest()
      const end = await this.#readAndDeploy(pull)
      this.#reading = end.reading
      if (end.kind === 'late') return 'pending'
      if (end.kind === 'closed') return this.#asRead()
      const { sha, checks } = end.reading
      const failed = checks.filter(({ result }) => result === 'failed')
      const previewLog = this.#preview?.status === 'failure' ? this.#preview.logTail : undefined
      const isGreen = failed.length === 0 && previewLog === undefined
      if (isGreen || !(await this.#sendBack({ pull, sha, link, checks: failed, previewLog })))
        return statusOf(checks)
      const turn = await followTurn(this.#request, waiting)
      // The agent may answer with another pull request, whose checks are not those that failed.
      const isOther = !samePullRequest(this.#link, link, session.context.serverUrl)
      const goesOn = turn === 'completed' && (isOther || (await hasMoved(session, pull, sha, waiting)))
      if (session.deps.monotonic() >= waiting.deadline || (isOther && !goesOn)) return this.#stopped()
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

  async #deploy(): Promise<void> {
    const { waiting, publish } = this.#options
    const { job } = followed(this.#request)
    this.#preview = await previewOf(this.#request, job, () => waiting)
    if (this.#preview !== undefined) await publish({ preview: this.#preview })
  }

  async #sendBack(failures: Failures): Promise<boolean> {
    const { fixAttempts, waiting, publish } = this.#options
    const isSent = await sendBack(this.#request, failures, {
      fixAttempts,
      deadline: waiting.deadline,
      announce: async () => await publish({ checks: this.#report('pending', 'fixing') }),
    })
    if (!isSent) return false
    this.#sentBack.push(...failures.checks.map(({ name }) => name))
    if (failures.previewLog !== undefined) this.#isPreviewSentBack = true
    return true
  }
}
