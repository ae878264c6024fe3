import { deployPreview } from '../agent/preview.ts'
import { orCancelled, throwIfCancelled } from '../deps.ts'
import { Cancelled, CreationUncertain } from '../errors.ts'
import { whileReporting } from '../http/failure.ts'
import type { WaitOptions } from '../http/retry.ts'
import { ServiceError } from '../http/service.ts'
import { type PullRequestRef, pullRequestOf, samePullRequest } from '../link.ts'
import { type ChecksTrouble, explainChecks } from '../messages/checks-words.ts'
import { explainError } from '../messages/explain.ts'
import { type ChecksReport, type HeadChecks, statusOf, UNREAD } from '../request/checks-report.ts'
import type { Job, Preview } from '../request/job.ts'
import { isDone } from '../request/outcome.ts'
import type { CheckState, ChecksStatus, Reported } from '../request/record.ts'
import { count } from '../text.ts'
import { during, type Session } from '../thread/session.ts'
import { type Failures, fixMessage } from './fix-message.ts'
import type { Request } from './request.ts'
import type { LateFacts, Result } from './result.ts'
import {
  checksOfHead,
  type Head,
  type HeadEnd,
  Unreadable,
  waitForChecks,
  waitForPush,
} from './wait-for-checks.ts'

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
  #head: HeadChecks = UNREAD
  #preview: Preview | undefined

  constructor(session: Session, request: Request, options: ChecksOptions) {
    this.#session = session
    this.#request = request
    this.#options = options
  }

  /** From now on the run follows the checks, and no sweep takes the request. */
  begin(): LateFacts {
    this.#request.claimedUntil = this.#options.waiting.deadline
    this.#note({ status: 'pending' })
    return { checks: this.#report('pending', 'reading') }
  }

  /** Until they are green, or until nothing more can be done about them: it never throws. */
  async follow(): Promise<LateFacts> {
    const status = await this.#outcome()
    this.#note({ status }, false)
    return { checks: this.#report(status) }
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
      this.#warn('lost', explainError(deps.core, error))
      return this.#asRead()
    }
  }

  get #state(): Reported & { readonly checks: CheckState } {
    const { state } = this.#request
    if (state.state !== 'reported') throw new Error(`checks are not followed in the state ${state.state}`)
    return { ...state, checks: state.checks ?? { status: 'pending', sentFor: [], messagedAt: 0 } }
  }

  #note(change: Partial<CheckState>, follows = true): void {
    this.#request.apply({ type: 'check', checks: { ...this.#state.checks, ...change }, follows })
  }

  /** The pull request stays the job's, even where its last turn names none. */
  #noteJob(job: Job): void {
    const { prLink } = this.#state.job
    this.#request.apply({ type: 'read', job: job.prLink === '' ? { ...job, prLink } : job })
  }

  #warn(trouble: ChecksTrouble, why?: string): void {
    this.#session.deps.core.warning(explainChecks(trouble, this.#state.job.prLink, why))
  }

  #report(status: ChecksStatus, phase?: ChecksReport['phase']): ChecksReport {
    const fixes = this.#state.checks.sentFor.length
    const [sentBack, isPreviewSentBack] = [this.#sentBack, this.#isPreviewSentBack]
    return { ...this.#head, status, phase, fixes, sentBack, isPreviewSentBack }
  }

  #asRead(): ChecksStatus {
    return this.#head === UNREAD ? 'pending' : statusOf(this.#head)
  }

  /** What was read is of a head that the agent may have replaced by now. */
  #stopped(): ChecksStatus {
    this.#head = UNREAD
    return 'pending'
  }

  async #rounds(): Promise<ChecksStatus> {
    const { waiting } = this.#options
    // No try goes on beyond the deadline.
    const reading = during(this.#session, whileReporting(waiting.deadline))
    // An earlier attempt sent failures back: what the record says of the job is from before that.
    if (this.#state.checks.messagedAt > 0 && (await this.#readJob()) === 'late') return 'pending'
    for (;;) {
      const status = await this.#round(reading)
      if (status !== 'again') return status
    }
  }

  /** @returns how the checks end, or `again` where the agent has answered what went back to it */
  async #round(reading: Session): Promise<ChecksStatus | 'again'> {
    const { serverUrl } = this.#session.context
    const pull = pullRequestOf(this.#state.job.prLink, serverUrl)
    if (pull === undefined) {
      this.#warn('elsewhere', new URL(serverUrl).host)
      return 'unavailable'
    }
    const end = await this.#readAndDeploy(reading, pull)
    if (end.head !== undefined) this.#head = end.head
    if (end.kind === 'late') return 'pending'
    if (end.kind === 'closed') return this.#asRead()
    const failures = await this.#failuresOf(reading, pull, end.head)
    return failures === undefined ? statusOf(this.#head) : await this.#haveFixed(reading, failures)
  }

  /** Sends failures back, and waits for what the agent does about them. */
  async #haveFixed(reading: Session, failures: Failures): Promise<ChecksStatus | 'again'> {
    const { deps, context } = this.#session
    const { waiting, result } = this.#options
    const { pull, sha, link } = failures
    // What an earlier attempt sent back is not sent again; its answer may be on its way.
    const wasSent = this.#state.checks.sentFor.includes(sha)
    const sent = wasSent ? 'sent' : await this.#sendBack(failures)
    if (sent !== 'sent') return sent === 'later' ? 'pending' : statusOf(this.#head)
    const turn = wasSent ? 'completed' : await this.#followTurn()
    // The agent may answer with another pull request, whose checks are not those that failed.
    const isOther = !samePullRequest(this.#state.job.prLink, link, context.serverUrl)
    const isPushed = !isOther && turn === 'completed' && (await waitForPush(reading, pull, sha, waiting))
    if (turn === 'late' || deps.monotonic() >= waiting.deadline) return this.#stopped()
    if (turn === 'completed' && (isOther || isPushed)) {
      this.#head = UNREAD
      await result.publish({ checks: this.#report('pending', 'reading'), preview: undefined })
      return 'again'
    }
    return isOther ? this.#stopped() : statusOf(this.#head)
  }

  /** A preview that is under way is waited for, whatever the checks say. */
  async #readAndDeploy(reading: Session, pull: PullRequestRef): Promise<HeadEnd> {
    const { waiting, result } = this.#options
    const deploy = async () => {
      this.#preview = await previewOf(this.#session, this.#request, this.#state.job, () => waiting)
      if (this.#preview !== undefined) await result.publish({ preview: this.#preview })
    }
    const checks = waitForChecks(reading, pull, waiting)
    await Promise.allSettled([checks, deploy()])
    return await checks
  }

  /** @returns undefined where nothing fails, or where all that fails does so at the base as well */
  async #failuresOf(reading: Session, pull: PullRequestRef, head: Head): Promise<Failures | undefined> {
    const previewLog = this.#preview?.status === 'failure' ? this.#preview.logTail : undefined
    const failing = head.checks.filter(({ result }) => result === 'failed')
    if (failing.length === 0 && head.conflictsWith === '' && previewLog === undefined) return undefined
    const onBase = failing.length === 0 ? new Set() : await this.#failingOnBase(reading, pull, head.base)
    const marked = head.checks.map((check) =>
      check.result === 'failed' && onBase.has(nameOf(check)) ? { ...check, failsOnBase: true } : check,
    )
    this.#head = { ...head, checks: marked }
    const checks = marked.filter(({ result }) => result === 'failed')
    const { base, conflictsWith, sha } = head
    const isOwn = checks.some(({ failsOnBase }) => failsOnBase !== true)
    if (!isOwn && conflictsWith === '' && previewLog === undefined) return undefined
    return { pull, sha, link: this.#state.job.prLink, base, checks, conflictsWith, previewLog }
  }

  /** Names of what fails at the head of the base branch; none where that cannot be read. */
  async #failingOnBase(
    { forge, context }: Session,
    pull: PullRequestRef,
    base: string,
  ): Promise<ReadonlySet<string>> {
    const reading = Promise.all([forge.checkRuns(pull, base), forge.commitStatuses(pull, base)])
    const [runs, statuses] = await orCancelled(this.#session.deps.cancellation, reading).catch(
      (error: unknown) => {
        if (error instanceof Cancelled) throw error
        return [[], []] as const
      },
    )
    const checks = checksOfHead(runs, statuses, String(context.runId))
    return new Set(checks.filter(({ result }) => result === 'failed').map(nameOf))
  }

  /**
   * Sends what fails of a commit to the job, once: its SHA stands in the record before the message goes out.
   * @returns `later` where the service says when to come back, and that is after the deadline
   */
  async #sendBack(failures: Failures): Promise<'sent' | 'unsent' | 'later'> {
    const { deps, client } = this.#session
    const { waiting, fixAttempts, result } = this.#options
    const { deadline } = waiting
    const { job, checks } = this.#state
    const { sha } = failures
    if (checks.sentFor.length >= fixAttempts || deps.monotonic() >= deadline) return 'unsent'
    const prompt = await orCancelled(deps.cancellation, fixMessage(this.#session, failures))
    this.#note({ sentFor: [...checks.sentFor, sha], messagedAt: deps.now() })
    await result.publish({ checks: this.#report('pending', 'fixing') })
    try {
      // GitHub may have used up the time meanwhile, and no run would follow the message.
      if (result.failure !== undefined || result.standing === 'theirs' || deps.monotonic() >= deadline) {
        this.#note(checks)
        if (result.failure !== undefined) this.#warn('unrecorded')
        return 'unsent'
      }
      this.#noteJob(await client.send({ prompt, jobId: job.id, deadline }))
    } catch (error) {
      const isUncertain = error instanceof CreationUncertain
      if (!isUncertain) this.#note(checks)
      throwIfCancelled(deps.cancellation)
      if (isUncertain) this.#warn('uncertain', error.message)
      else this.#warn('unsent', explainError(deps.core, error))
      // The service says when to come back: a re-run goes on then.
      return error instanceof ServiceError && error.reason === 'rate-limited' ? 'later' : 'unsent'
    }
    this.#note({ messagedAt: deps.now() })
    this.#sentBack.push(...failures.checks.map(({ name }) => name))
    if (failures.previewLog !== undefined) this.#isPreviewSentBack = true
    const many =
      failures.checks.length +
      Number(failures.previewLog !== undefined) +
      Number(failures.conflictsWith !== '')
    const attempt = `attempt ${checks.sentFor.length + 1} of ${fixAttempts}`
    deps.core.info(`${count(many, 'failure')} of ${sha.slice(0, 7)} sent back to job ${job.id} (${attempt})`)
    return 'sent'
  }

  async #readJob(): Promise<'completed' | 'failed' | 'late'> {
    const { id } = this.#state.job
    const job = await this.#session.client.read(id, { ...this.#options.waiting, isKnown: true })
    if ('timedOut' in job) return 'late'
    this.#noteJob(job)
    return await this.#followTurn()
  }

  /** Follows the job while it works on what went back. */
  async #followTurn(): Promise<'completed' | 'failed' | 'late'> {
    const { deps, client } = this.#session
    const { job: known, checks } = this.#state
    // As far as the clocks of two runners agree.
    const messagedAt = deps.monotonic() - Math.max(0, deps.now() - checks.messagedAt)
    const request = {
      ...this.#options.waiting,
      job: known,
      messagedAt,
      onJob: (job: Job) => this.#noteJob(job),
    }
    const { job, timedOut } = await client.poll(request)
    if (timedOut !== undefined) return 'late'
    return isDone(job) ? 'completed' : 'failed'
  }
}

const nameOf = ({ name, run }: Head['checks'][number]): string => JSON.stringify([name, run?.app ?? ''])

/** Contract 4.10. @returns undefined where the request asks for none, or where the run is cancelled while it waits */
export async function previewOf(
  session: Session,
  { identity }: Request,
  job: Job | undefined,
  waiting: () => WaitOptions,
): Promise<Preview | undefined> {
  const { deps, client, forge, context } = session
  if (!identity.settings.preview || job === undefined) return undefined
  const pull = pullRequestOf(job.prLink, context.serverUrl)
  // The job may name the branch that it began from.
  const reading = pull && forge.pullRequest(pull).catch(() => undefined)
  try {
    const read = reading && (await orCancelled(deps.cancellation, reading))
    return await deployPreview(deps, client.access, read?.head || job.ref, waiting())
  } catch (error) {
    if (!(error instanceof Cancelled)) return { status: 'unavailable', why: explainError(deps.core, error) }
    deps.core.info('The run was cancelled while it waited for the preview. The result stays as it is.')
    return undefined
  }
}
