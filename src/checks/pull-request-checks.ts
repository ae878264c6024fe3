import { Cancelled } from '../errors.ts'
import type { WaitOptions } from '../http/retry.ts'
import { pullRequestOf } from '../link.ts'
import { explainChecks } from '../messages/checks-words.ts'
import { explainError } from '../messages/explain.ts'
import type { PullRequestFacts } from '../messages/phrases.ts'
import { type ChecksReport, UNREAD } from '../request/checks-report.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { BaseBranch } from './base-branch.ts'
import { noteChecks, reportedOf } from './checks-record.ts'
import { FixTurns, type Said } from './fix-turns.ts'
import { FollowedHead } from './followed-head.ts'
import { quietTimes, Unreadable } from './head-watch.ts'
import { previewOf } from './pull-request-preview.ts'
import { WorkflowRuns } from './read-head.ts'

interface ChecksOptions {
  readonly waiting: WaitOptions
  /** How often failures may go back to the agent in all, over all attempts. */
  readonly fixAttempts: number
  /** Shows what becomes known, everywhere, and leaves the record true. */
  readonly say: (more: PullRequestFacts) => Promise<Said>
}

/** How the checks stand, once the run does nothing more about them. */
type ChecksEnd = Pick<ChecksReport, 'status' | 'followedBy'>

const PENDING: ChecksEnd = { status: 'pending' }

/**
 * Follows checks and preview of a pull request, and lets the agent fix what fails (contract 4.12). It follows a head
 * until its checks end, then the agent's turn about the failures, and then the head that this turn makes.
 */
export class PullRequestChecks {
  readonly #session: Session
  readonly #reading: Session
  readonly #request: Request
  readonly #options: ChecksOptions
  readonly #turns: FixTurns
  /** The head that is followed. Undefined at first, and once the agent may have replaced that head. */
  #head: FollowedHead | undefined

  constructor(session: Session, request: Request, options: ChecksOptions) {
    this.#session = session
    this.#reading = session
    this.#request = request
    this.#options = options
    const say = () => options.say({ checks: this.#report({ ...PENDING, phase: 'fixing' }) })
    this.#turns = new FixTurns(session, this.#reading, request, { ...options, say })
  }

  /** Follows the checks until they are green, or until nothing more can be done about them. It never throws. */
  async follow(): Promise<PullRequestFacts> {
    const end = await this.#end()
    noteChecks(this.#request, { status: end.status })
    this.#request.apply({ type: 'close', part: 'checks' })
    return { checks: this.#report(end) }
  }

  async #end(): Promise<ChecksEnd> {
    const { core } = this.#session.deps
    try {
      return await this.#followHeads()
    } catch (error) {
      if (error instanceof Unreadable) return { status: 'unavailable' }
      if (error instanceof Cancelled) {
        core.info('The run was cancelled while it followed the checks. A re-run goes on with them.')
        this.#head = undefined
        return PENDING
      }
      core.warning(explainChecks('lost', reportedOf(this.#request).job.prLink, explainError(core, error)))
      return { status: this.#head?.status ?? 'pending' }
    }
  }

  async #followHeads(): Promise<ChecksEnd> {
    const { deps, context } = this.#session
    const { waiting, say } = this.#options
    const { headBefore: sha, checks } = reportedOf(this.#request)
    const until = deps.monotonic() + quietTimes(this.#session, waiting.pollMs).minuteMs
    // The push of a job that went on can come late.
    const unmoved = sha === undefined ? undefined : { sha, until }
    const workflowRuns = new WorkflowRuns()
    const shared = { ...this.#options, unmoved, workflowRuns, base: new BaseBranch(workflowRuns) }
    // An earlier attempt sent failures back.
    if (checks.messagedAt > 0 && (await this.#turns.followUnread()) === 'timed-out') return PENDING
    for (;;) {
      const { job } = reportedOf(this.#request)
      const pull = pullRequestOf(job.prLink, context.serverUrl)
      if (pull === undefined) {
        deps.core.warning(explainChecks('elsewhere', job.prLink, new URL(context.serverUrl).host))
        // The action reads no checks on another server. The service deploys the preview all the same.
        const preview = await previewOf(this.#session, this.#request, job, () => waiting)
        if (preview !== undefined) await say({ preview })
        return { status: 'unavailable' }
      }
      const head = new FollowedHead(this.#session, this.#reading, this.#request, { ...shared, pull })
      this.#head = head
      const found = await head.follow()
      if (typeof found === 'string') return { status: found }
      const fix = await this.#turns.fix(found)
      if (fix === 'unchanged' || fix === 'unsent') return { status: head.status }
      if (fix === 'postponed') return PENDING
      // What was read of it may no longer be true.
      this.#head = undefined
      if (fix === 'outdated') return PENDING
      if (fix !== 'moved') return { ...PENDING, ...fix }
      await say({ checks: this.#report({ ...PENDING, phase: 'reading' }), preview: undefined })
    }
  }

  #report(now: ChecksEnd & Pick<ChecksReport, 'phase'>): ChecksReport {
    const { sent } = this.#turns
    return {
      ...(this.#head?.checks ?? UNREAD),
      ...now,
      fixes: reportedOf(this.#request).checks.sentFor.length,
      sentBack: sent.flatMap(({ checks }) => checks.map(({ name }) => name)),
      isPreviewSentBack: sent.some(({ previewLog }) => previewLog !== undefined),
    }
  }
}
