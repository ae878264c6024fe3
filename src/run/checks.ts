import { type Failures, fixMessage } from '../checks/fix-message.ts'
import { type HeadEnd, HeadWatch, quietTimes, Unreadable, waitForPush } from '../checks/head-watch.ts'
import { type JobRequests, otherRequests } from '../checks/job-requests.ts'
import type { Patience, Watched } from '../checks/quiet.ts'
import { failingAt, type Head, nameOf, WorkflowRuns } from '../checks/read-head.ts'
import { orCancelled, sleepUnlessCancelled, throwIfCancelled } from '../deps.ts'
import { Cancelled, CreationUncertain, ForgeError } from '../errors.ts'
import { whileReporting } from '../http/failure.ts'
import type { WaitOptions } from '../http/retry.ts'
import { ServiceError } from '../http/service.ts'
import { type PullRequestRef, pullRequestOf, samePullRequest } from '../link.ts'
import { type ChecksTrouble, explainChecks } from '../messages/checks-words.ts'
import { explainError } from '../messages/explain.ts'
import { type ChecksReport, type HeadChecks, statusOf, UNREAD } from '../request/checks-report.ts'
import type { Job, Preview } from '../request/job.ts'
import { isDone, isTerminal } from '../request/outcome.ts'
import { type CheckState, type ChecksStatus, NO_CHECKS, type Reported } from '../request/record.ts'
import { count } from '../text.ts'
import { during, type Session } from '../thread/session.ts'
import { previewOf } from './pull-request-preview.ts'
import type { PullRequestFacts } from './reporter.ts'
import type { Request } from './request.ts'

type TurnEnd = 'completed' | 'failed' | 'timed-out'

interface ChecksOptions {
  readonly waiting: WaitOptions
  /** How often failures may go back to the agent in all, over all attempts. */
  readonly fixAttempts: number
  /** Shows what becomes known, everywhere, and leaves the record true. */
  readonly say: (more: PullRequestFacts) => Promise<Said>
}

/** What became of it in the thread. */
interface Said {
  /** Why GitHub did not take it. */
  readonly failure: unknown
  /** The thread shows the words of another run, which stay. */
  readonly isTheirs: boolean
}

/** Follows checks and preview of a pull request, and lets the agent fix what fails (contract 4.12). */
export class PullRequestChecks {
  readonly #session: Session
  readonly #request: Request
  readonly #options: ChecksOptions
  readonly #sentBack: string[] = []
  #isPreviewSentBack = false
  /** Right before the last message of this run. */
  #wasBusy = false
  /** As last read. */
  #head: HeadChecks = UNREAD
  #preview: Preview | undefined
  /** When the preview of the head was seen to have failed, in ms on the monotonic clock. */
  #previewFailedAt: number | undefined
  /** Until when the head from before the request is no answer to it. */
  #unmoved: Patience['unmoved']
  /** Who asked later, so that their run follows the checks. */
  #followedBy: string | undefined
  /** Names of what fails at the base branch as well, as far as that was read. */
  #onBase: ReadonlySet<string> = new Set()
  readonly #workflowRuns = new WorkflowRuns()

  constructor(session: Session, request: Request, options: ChecksOptions) {
    this.#session = session
    this.#request = request
    this.#options = options
  }

  /** While they are read. */
  get now(): ChecksReport {
    return this.#report('pending', 'reading')
  }

  /** Until they are green, or until nothing more can be done about them: it never throws. */
  async follow(): Promise<PullRequestFacts> {
    const status = await this.#outcome()
    this.#note({ status })
    this.#request.apply({ type: 'close', part: 'checks' })
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
        return this.#forgetHead()
      }
      this.#warn('lost', explainError(deps.core, error))
      return this.#asRead()
    }
  }

  get #state(): Reported & { readonly checks: CheckState } {
    const { state } = this.#request
    if (state.state !== 'reported') throw new Error(`checks are not followed in the state ${state.state}`)
    return { ...state, checks: state.checks ?? NO_CHECKS }
  }

  #note(change: Partial<CheckState>): void {
    this.#request.apply({ type: 'check', checks: { ...this.#state.checks, ...change } })
  }

  /** The pull request stays the job's, even where its last turn names none. */
  #applyRead(job: Job): void {
    const { prLink } = this.#state.job
    this.#request.apply({ type: 'read', job: job.prLink === '' ? { ...job, prLink } : job })
  }

  #warn(trouble: ChecksTrouble, why?: string): void {
    this.#session.deps.core.warning(explainChecks(trouble, this.#state.job.prLink, why))
  }

  #report(status: ChecksStatus, phase?: ChecksReport['phase']): ChecksReport {
    const fixes = this.#state.checks.sentFor.length
    const [sentBack, isPreviewSentBack] = [this.#sentBack, this.#isPreviewSentBack]
    return { ...this.#head, status, phase, fixes, sentBack, isPreviewSentBack, followedBy: this.#followedBy }
  }

  #asRead(): ChecksStatus {
    return this.#head === UNREAD ? 'pending' : statusOf(this.#head)
  }

  /** What was read is of a head that the agent may have replaced by now. */
  #forgetHead(): ChecksStatus {
    this.#head = UNREAD
    return 'pending'
  }

  async #rounds(): Promise<ChecksStatus> {
    const { waiting } = this.#options
    // No try goes on beyond the deadline.
    const reading = during(this.#session, whileReporting(waiting.deadline))
    const { headBefore, messagedAt } = this.#state
    const { minuteMs } = quietTimes(this.#session, waiting.pollMs)
    // The push of a job that went on can come late.
    if (messagedAt > 0 && headBefore !== undefined)
      this.#unmoved = { sha: headBefore, until: this.#session.deps.monotonic() + minuteMs }
    // An earlier attempt sent failures back: what the record says of the job is from before that.
    if (this.#state.checks.messagedAt > 0 && (await this.#readJob()) === 'timed-out') return 'pending'
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
    const watch = new HeadWatch(reading, pull, this.#options.waiting, this.#workflowRuns)
    const abandoned = new AbortController()
    const deploying = this.#deploy(abandoned.signal)
    /** What came until then does not go back. */
    let settledAt = 0
    for (;;) {
      const end = await this.#wait(watch, settledAt, deploying)
      if (end.head !== undefined) this.#head = this.#asEnded(end.head, end.kind)
      if (end.kind === 'late' || end.kind === 'stalled') {
        await deploying
        return 'pending'
      }
      if (end.kind === 'closed') {
        await deploying
        return this.#asRead()
      }
      if (!(await this.#isDeployed(deploying, end.head))) {
        abandoned.abort()
        await deploying
      }
      const failures = await this.#failuresOf(reading, pull, end.head)
      if (failures !== undefined) return await this.#haveFixed(reading, failures)
      if (end.kind === 'ended') return statusOf(this.#head)
      settledAt = this.#session.deps.monotonic()
    }
  }

  #asEnded(head: Head, kind: HeadEnd['kind']): HeadChecks {
    // No workflow runs on a conflict, or before an approval: neither was waited for.
    const canHaveSome = head.conflictsWith === '' && !head.isParked
    const lacksChecks = kind === 'ended' && head.checks.length === 0 && canHaveSome && this.#hadChecks
    return { ...head, checks: this.#marked(head), lacksChecks, isStalled: kind === 'stalled' }
  }

  async #wait(watch: HeadWatch, settledAt: number, deploying: Promise<void>): Promise<HeadEnd> {
    try {
      return await watch.wait((known) => {
        const { head } = known
        if (head.checks.length > 0 && this.#state.checks.hadAny !== true) this.#note({ hadAny: true })
        const goesBackSince = this.#goesBackSince(known, settledAt)
        return { hadChecks: this.#hadChecks, unmoved: this.#unmoved, goesBackSince }
      })
    } catch (error) {
      await deploying
      throw error
    }
  }

  /** A head of the pull request had a check, as far as this run and the records of the thread know. */
  get #hadChecks(): boolean {
    const { history } = this.#request
    const { checks, job } = this.#state
    if (checks.hadAny === true) return true
    const records = [...(history?.ownComments ?? []), ...(history?.others ?? [])].map(({ record }) => record)
    return records.some(
      (record) =>
        record.state === 'reported' &&
        samePullRequest(record.job.prLink, job.prLink, this.#session.context.serverUrl) &&
        (record.checks?.hadAny === true || record.checks?.status === 'success'),
    )
  }

  /** When the last of the failures came that can go back to the agent. */
  #goesBackSince({ head, failedAt }: Watched, settledAt: number): number | undefined {
    const { sentFor } = this.#state.checks
    if (sentFor.length >= this.#options.fixAttempts || sentFor.includes(head.sha)) return undefined
    const since = Math.max(failedAt ?? 0, this.#previewFailedAt ?? 0)
    return since > settledAt ? since : undefined
  }

  /** Sends failures back, and waits for what the agent does about them. */
  async #haveFixed(reading: Session, failures: Failures): Promise<ChecksStatus | 'again'> {
    const { deps, context } = this.#session
    const { waiting, say } = this.#options
    const { pull, sha, link } = failures
    // What an earlier attempt sent back is not sent again; its answer may be on its way.
    const wasSent = this.#state.checks.sentFor.includes(sha)
    const others = wasSent ? { messagedAt: 0, later: undefined } : await this.#others(reading, pull, sha)
    if (others === undefined) return 'pending'
    if (others.later !== undefined) {
      this.#followedBy = others.later.requestedBy
      return this.#forgetHead()
    }
    if (!wasSent && others.messagedAt > 0) this.#note({ messagedAt: others.messagedAt })
    const sent = wasSent || others.messagedAt > 0 ? 'sent' : await this.#sendBack(failures)
    if (sent !== 'sent') return sent === 'later' ? 'pending' : statusOf(this.#head)
    const turn = wasSent ? 'completed' : await this.#turnAfterMessage(others.messagedAt > 0)
    // The agent may answer with another pull request, whose checks are not those that failed.
    const isOther = !samePullRequest(this.#state.job.prLink, link, context.serverUrl)
    const isPushed = !isOther && turn === 'completed' && (await waitForPush(reading, pull, sha, waiting))
    if (turn === 'timed-out' || deps.monotonic() >= waiting.deadline) return this.#forgetHead()
    if (turn === 'completed' && (isOther || isPushed)) {
      this.#head = UNREAD
      await say({ checks: this.now, preview: undefined })
      return 'again'
    }
    return isOther ? this.#forgetHead() : statusOf(this.#head)
  }

  /** @param isOthers another request's run sent the message */
  async #turnAfterMessage(isOthers: boolean): Promise<TurnEnd> {
    if (isOthers) return await this.#readJob()
    // The record has when the job got the message before anything else becomes known.
    const saying = this.#options.say({ checks: this.#report('pending', 'fixing') })
    const [turn] = await Promise.all([this.#followTurn(), saying])
    return turn
  }

  /**
   * What other requests did about the job: one run follows its checks, and a commit's failures go to it once.
   * @returns undefined where GitHub does not tell before the deadline
   */
  async #others(reading: Session, pull: PullRequestRef, sha: string): Promise<JobRequests | undefined> {
    const { deps } = this.#session
    const { deadline, pollMs } = this.#options.waiting
    const { thread, identity } = this.#request
    const { id } = this.#state.job
    if (thread === undefined || reading.commentMode === 'off') return { messagedAt: 0, later: undefined }
    while (deps.monotonic() < deadline) {
      try {
        const read = otherRequests(reading, { thread, identity, jobId: id }, pull, sha)
        return await orCancelled(deps.cancellation, read)
      } catch (error) {
        if (!(error instanceof ForgeError) || error.kind !== 'away') throw error
        await sleepUnlessCancelled(deps, Math.min(pollMs, deadline - deps.monotonic()))
      }
    }
    return undefined
  }

  /** @param abandoned the fix no longer waits for it */
  async #deploy(abandoned: AbortSignal): Promise<void> {
    const { waiting, say } = this.#options
    const { deps } = this.#session
    this.#previewFailedAt = undefined
    this.#preview = await previewOf(
      this.#session,
      this.#request,
      this.#state.job,
      () => waiting,
      abandoned,
    ).catch(() => undefined)
    if (this.#preview?.status === 'failure') this.#previewFailedAt = deps.monotonic()
    if (this.#preview !== undefined) await say({ preview: this.#preview })
  }

  /**
   * Waits for the preview once the checks have ended: where a fix waits for it, five minutes at most.
   * @returns false where the fix waits no longer
   */
  async #isDeployed(deploying: Promise<void>, head: Head): Promise<boolean> {
    const { deps } = this.#session
    const { checks } = this.#state
    const mayGoBack = checks.sentFor.length < this.#options.fixAttempts && !checks.sentFor.includes(head.sha)
    if (!mayGoBack || statusOf(head) !== 'failure') {
      await deploying
      return true
    }
    const done = new AbortController()
    const deployed = deploying.then(() => true)
    const { holdMs } = quietTimes(this.#session, this.#options.waiting.pollMs)
    const late = deps.sleep(holdMs, AbortSignal.any([done.signal, deps.cancellation.requested])).then(
      () => false,
      () => true,
    )
    try {
      return await Promise.race([deployed, late])
    } finally {
      done.abort()
    }
  }

  /** @returns undefined where nothing fails, or where all that fails does so at the base as well */
  async #failuresOf(reading: Session, pull: PullRequestRef, head: Head): Promise<Failures | undefined> {
    const previewLog = this.#preview?.status === 'failure' ? this.#preview.logTail : undefined
    const failing = head.checks.filter(({ result }) => result === 'failed')
    if (failing.length === 0 && head.conflictsWith === '' && previewLog === undefined) return undefined
    this.#onBase =
      failing.length === 0 ? new Set() : await failingAt(reading, pull, head.base, this.#workflowRuns)
    const marked = this.#marked(head)
    this.#head = { ...this.#head, checks: marked }
    const checks = marked.filter(({ result }) => result === 'failed')
    const { base, conflictsWith, sha } = head
    const isOwn = checks.some(({ failsOnBase }) => failsOnBase !== true)
    if (!isOwn && conflictsWith === '' && previewLog === undefined) return undefined
    return { pull, sha, link: this.#state.job.prLink, base, checks, conflictsWith, previewLog }
  }

  #marked({ checks }: Head): Head['checks'] {
    return checks.map((check) =>
      check.result === 'failed' && this.#onBase.has(nameOf(check)) ? { ...check, failsOnBase: true } : check,
    )
  }

  /**
   * Sends what fails of a commit to the job, once: its SHA stands in the record before the message goes out.
   * @returns `later` where the service says when to come back, and that is after the deadline
   */
  async #sendBack(failures: Failures): Promise<'sent' | 'unsent' | 'later'> {
    const { deps, client } = this.#session
    const { waiting, fixAttempts, say } = this.#options
    const { deadline } = waiting
    const { job, checks } = this.#state
    const { sha } = failures
    if (checks.sentFor.length >= fixAttempts || deps.monotonic() >= deadline) return 'unsent'
    const prompt = await orCancelled(deps.cancellation, fixMessage(this.#session, failures))
    this.#note({ sentFor: [...checks.sentFor, sha], messagedAt: deps.now() })
    const [{ failure, isTheirs }, wasBusy] = await Promise.all([
      say({ checks: this.#report('pending', 'fixing') }),
      this.#isBusy(),
    ])
    this.#wasBusy = wasBusy
    try {
      // GitHub may have used up the time meanwhile, and no run would follow the message.
      if (failure !== undefined || isTheirs || deps.monotonic() >= deadline) {
        this.#note(checks)
        if (failure !== undefined) this.#warn('unrecorded')
        return 'unsent'
      }
      this.#applyRead(await client.send({ prompt, jobId: job.id, deadline }))
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

  /** Whether the job works on what people asked it elsewhere; one that cannot be read is taken for idle, as last known. */
  async #isBusy(): Promise<boolean> {
    return await this.#session.client.read(this.#state.job.id).then(
      (job) => !isTerminal(job),
      () => false,
    )
  }

  async #readJob(): Promise<TurnEnd> {
    const { id } = this.#state.job
    const job = await this.#session.client.read(id, { ...this.#options.waiting, isKnown: true })
    if ('timedOut' in job) return 'timed-out'
    this.#applyRead(job)
    return await this.#followTurn()
  }

  /** Follows the job while it works on what went back. */
  async #followTurn(): Promise<TurnEnd> {
    const { deps, client } = this.#session
    const { job: known, checks } = this.#state
    // As far as the clocks of two runners agree.
    const messagedAt = deps.monotonic() - Math.max(0, deps.now() - checks.messagedAt)
    const request = {
      ...this.#options.waiting,
      job: known,
      messagedAt,
      wasBusy: this.#wasBusy,
      onJob: (job: Job) => this.#applyRead(job),
    }
    const { job, timedOut } = await client.poll(request)
    if (timedOut !== undefined) return 'timed-out'
    return isDone(job) ? 'completed' : 'failed'
  }
}
