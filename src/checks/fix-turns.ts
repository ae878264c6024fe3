import { asMonotonic, orCancelled, sleepUnlessCancelled, throwIfCancelled } from '../deps.ts'
import { CreationUncertain, ForgeError } from '../errors.ts'
import type { WaitOptions } from '../http/retry.ts'
import { ServiceError } from '../http/service.ts'
import { samePullRequest } from '../link.ts'
import { type ChecksTrouble, explainChecks } from '../messages/checks-words.ts'
import { explainError } from '../messages/explain.ts'
import type { CheckState } from '../request/check-state.ts'
import type { Job } from '../request/job.ts'
import { isDone, isTerminal } from '../request/outcome.ts'
import { count } from '../text.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { mayGoBack, noteChecks, noteJob, reportedOf } from './checks-record.ts'
import { type Failures, fixMessage } from './fix-message.ts'
import { waitForPush } from './head-watch.ts'
import { type JobRequests, NO_OTHERS, otherRequests } from './job-requests.ts'

/** What became of failures that were to go back to the agent. */
type FixEnd =
  /** The pull request has another head or is over, or the job has another pull request. */
  | 'moved'
  /** The agent's turn left the head as it was. */
  | 'unchanged'
  /** They did not go out, or it is not known whether the agent got them: this run sends nothing more. */
  | 'unsent'
  /** They can go to the agent after the deadline: a re-run sends them. */
  | 'postponed'
  /** The agent may have replaced the head, and there is no time to read it, or no use in that. */
  | 'outdated'
  /** A later request of the job follows its checks: who asked, '' for no person. */
  | { readonly followedBy: string }

type TurnEnd = 'completed' | 'failed' | 'timed-out'

interface FixOptions {
  readonly waiting: WaitOptions
  /** How often failures may go back in all, over all attempts. */
  readonly fixAttempts: number
  /** Shows that they go back, and leaves the record true. */
  readonly say: () => Promise<Said>
}

/** How the thread took what the run said. */
export interface Said {
  /** Why GitHub did not take it. */
  readonly failure: unknown
  /** The thread shows the words of another run, which stay. */
  readonly isTheirs: boolean
}

/** The turns in which the agent fixes what fails of its pull request, one for each commit (contract 4.12). */
export class FixTurns {
  readonly #session: Session
  /** Tries no request beyond the deadline. */
  readonly #reading: Session
  readonly #request: Request
  readonly #options: FixOptions
  /** What this process sent back. */
  readonly #sent: Failures[] = []

  constructor(session: Session, reading: Session, request: Request, options: FixOptions) {
    this.#session = session
    this.#reading = reading
    this.#request = request
    this.#options = options
  }

  get sent(): readonly Failures[] {
    return this.#sent
  }

  /** Sends back what fails of a commit, once for the job, and waits for what the agent does about it. */
  async fix(failures: Failures): Promise<FixEnd> {
    const { checks } = reportedOf(this.#request)
    // What an earlier attempt sent back is not sent again; its answer may be on its way.
    if (checks.sentFor.includes(failures.sha)) return await this.#outcomeOf('completed', failures)
    const others = await this.#others(failures)
    if (others === undefined) return 'postponed'
    if (others.later !== undefined) return { followedBy: others.later.requestedBy }
    const sentFor = [...new Set([...checks.sentFor, ...others.sentFor])]
    noteChecks(this.#request, { sentFor })
    if (others.messagedAt > 0) {
      noteChecks(this.#request, { messagedAt: others.messagedAt, wasBusy: others.wasBusy })
      return await this.#outcomeOf(await this.followUnread(), failures)
    }
    if (await this.#isOutOfDate(failures)) return 'moved'
    const sent = await this.#send(failures)
    if (sent !== 'sent') return sent
    // The record has when the job got the message before anything else becomes known.
    const [, turn] = await Promise.all([this.#options.say(), this.#follow()])
    return await this.#outcomeOf(turn, failures)
  }

  /** Follows the turn of a message that another process sent: what the record says of the job is from before that. */
  async followUnread(): Promise<TurnEnd> {
    const { id } = reportedOf(this.#request).job
    const job = await this.#session.client.read(id, { ...this.#options.waiting, isKnown: true })
    if ('timedOut' in job) return 'timed-out'
    noteJob(this.#request, job)
    return await this.#follow()
  }

  async #follow(): Promise<TurnEnd> {
    const { deps, client } = this.#session
    const { job: known, checks } = reportedOf(this.#request)
    const messagedAt = asMonotonic(deps, checks.messagedAt)
    const onJob = (job: Job) => noteJob(this.#request, job)
    const turn = { job: known, messagedAt, wasBusy: checks.wasBusy === true, onJob }
    const { job, timedOut } = await client.poll({ ...this.#options.waiting, ...turn })
    if (timedOut !== undefined) return 'timed-out'
    return isDone(job) ? 'completed' : 'failed'
  }

  /** What the agent's turn made of the pull request: its push can come late. */
  async #outcomeOf(turn: TurnEnd, { pull, sha, link }: Failures): Promise<FixEnd> {
    const { deps, context } = this.#session
    const { waiting } = this.#options
    // The agent may answer with another pull request, whose checks are not those that failed.
    const isOther = !samePullRequest(reportedOf(this.#request).job.prLink, link, context.serverUrl)
    const hasMoved =
      turn === 'completed' && (isOther || (await waitForPush(this.#reading, pull, sha, waiting)))
    if (turn === 'timed-out' || deps.monotonic() >= waiting.deadline) return 'outdated'
    if (hasMoved) return 'moved'
    return isOther ? 'outdated' : 'unchanged'
  }

  /**
   * What other requests did about the job: one run follows its checks, and a commit's failures go to it once.
   * @returns undefined where GitHub does not tell before the deadline
   */
  async #others({ pull, sha }: Failures): Promise<JobRequests | undefined> {
    const { deps, commentMode } = this.#reading
    const { deadline, pollMs } = this.#options.waiting
    const { thread, identity } = this.#request
    const { id: jobId } = reportedOf(this.#request).job
    if (thread === undefined || commentMode === 'off') return NO_OTHERS
    while (deps.monotonic() < deadline) {
      try {
        const read = otherRequests(this.#reading, { thread, identity, jobId }, pull, sha)
        return await orCancelled(deps.cancellation, read)
      } catch (error) {
        if (!(error instanceof ForgeError) || error.kind !== 'away') throw error
        await sleepUnlessCancelled(deps, Math.min(pollMs, deadline - deps.monotonic()))
      }
    }
    return undefined
  }

  /** While the preview or GitHub was waited for, somebody may have pushed, or merged or closed the pull request. */
  async #isOutOfDate({ pull, sha }: Failures): Promise<boolean> {
    const { deps, forge } = this.#reading
    const reading = forge.pullRequest(pull).catch(() => undefined)
    const now = await orCancelled(deps.cancellation, reading)
    return now !== undefined && (now.headSha !== sha || now.state !== 'open')
  }

  /** The SHA of the commit stands in the record before the message goes out. */
  async #send(failures: Failures): Promise<'sent' | 'unsent' | 'postponed'> {
    const { deps, client } = this.#session
    const { waiting, fixAttempts, say } = this.#options
    const { deadline } = waiting
    const { job, checks: before } = reportedOf(this.#request)
    const { sha } = failures
    if (!mayGoBack(this.#request, sha, fixAttempts) || deps.monotonic() >= deadline) return 'unsent'
    const prompt = await orCancelled(deps.cancellation, fixMessage(this.#session, failures))
    const wasBusy = await this.#isBusy()
    noteChecks(this.#request, { sentFor: [...before.sentFor, sha], messagedAt: deps.now(), wasBusy })
    const { failure, isTheirs } = await say()
    // GitHub may have used up the time meanwhile, and no run would follow the message.
    if (failure !== undefined || isTheirs || deps.monotonic() >= deadline) {
      noteChecks(this.#request, before)
      if (failure !== undefined) this.#warn('unrecorded')
      return 'unsent'
    }
    try {
      noteJob(this.#request, await client.send({ prompt, jobId: job.id, deadline }))
    } catch (error) {
      return this.#refused(error, before)
    }
    noteChecks(this.#request, { messagedAt: deps.now() })
    this.#sent.push(failures)
    const { checks, previewLog, conflictsWith } = failures
    const many = checks.length + Number(previewLog !== undefined) + Number(conflictsWith !== '')
    const attempt = `attempt ${before.sentFor.length + 1} of ${fixAttempts}`
    deps.core.info(`${count(many, 'failure')} of ${sha.slice(0, 7)} sent back to job ${job.id} (${attempt})`)
    return 'sent'
  }

  /** @param before what the record said before the message */
  #refused(error: unknown, before: CheckState): 'unsent' | 'postponed' {
    const { deps } = this.#session
    const isUncertain = error instanceof CreationUncertain
    if (!isUncertain) noteChecks(this.#request, before)
    throwIfCancelled(deps.cancellation)
    if (isUncertain) this.#warn('uncertain', error.message)
    else this.#warn('unsent', explainError(deps.core, error))
    // The service says to come back after the deadline.
    return error instanceof ServiceError && error.reason === 'rate-limited' ? 'postponed' : 'unsent'
  }

  /** Whether the job works on what people asked it elsewhere; one that cannot be read is taken for idle, as last known. */
  async #isBusy(): Promise<boolean> {
    return await this.#session.client.read(reportedOf(this.#request).job.id).then(
      (job) => !isTerminal(job),
      () => false,
    )
  }

  #warn(trouble: ChecksTrouble, why?: string): void {
    const { prLink } = reportedOf(this.#request).job
    this.#session.deps.core.warning(explainChecks(trouble, prLink, why))
  }
}
