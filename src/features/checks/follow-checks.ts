import { orCancelled, throwIfCancelled } from '../../base/deps.ts'
import { Cancelled, CreationUncertain, GitHubError } from '../../base/errors.ts'
import { type PullRequestRef, pullRequestOf } from '../../base/link.ts'
import { type WaitOptions, waitsFor } from '../../http/retry.ts'
import { type ChecksReport, isRed, statusOf } from '../../record/check-results.ts'
import type { Facts } from '../../record/fold.ts'
import type { Job } from '../../record/job.ts'
import type { Ending } from '../../record/outcome.ts'
import type { CheckState } from '../../record/record.ts'
import type { Session } from '../../thread/session.ts'
import { explainChecks, skippedFixes, TURNED_NONE } from '../../words/checks-words.ts'
import { skipSentence } from '../../words/comments.ts'
import { explainError, explainGitHub } from '../../words/explain.ts'
import { hasTurnedNone, type ReadCheck } from './classify.ts'
import { fixMessage } from './fix-message.ts'
import { checksOf, type Head, quietHead } from './quiet-head.ts'
import type { RequestsOfJob } from './requests-of-job.ts'

/** What the record says of the job and of the checks of its pull request. */
export interface ChecksRecord {
  readonly job: Job
  readonly checks: CheckState
}

export interface ChecksPolicy {
  readonly waiting: WaitOptions
  /** How often failures may go back to the agent in all, over all attempts. */
  readonly fixAttempts: number
  /** What checks print goes back also from a repository that is not public. */
  readonly checkLogs: boolean
  /** What the day allows: what goes back counts, too. */
  readonly day?: {
    /** @returns how the run ends where the agent was asked too often */
    end(): Promise<Ending | undefined>
    /** The agent is asked, or may have been. */
    count(): void
  }
}

interface ChecksTask extends ChecksPolicy {
  readonly record: ChecksRecord
  /** SHA of the head from before the request went to the job as a message; '' for none. */
  readonly headBefore: string
  /** What the thread knows of the job. */
  readonly before: Pick<Facts, 'sentFor'> & { readonly hadChecks: boolean }
  /** Reads what other requests did about the job. @throws {GitHubError} */
  readonly others: (pull: PullRequestRef) => Promise<RequestsOfJob>
  /** Writes the record, and shows how the checks stand. @returns whether the thread has the record, and it is this run's */
  readonly save: (record: ChecksRecord, report: ChecksReport) => Promise<boolean>
}

/** How the checks stand, once the run does nothing more about them. */
type ChecksEnd = Pick<ChecksReport, 'status' | 'followedBy'>

const PENDING: ChecksEnd = { status: 'pending' }

/**
 * Follows the checks of the job's pull request until they have ended: reads a head, sends back to the job what fails of it,
 * follows the turn, and reads the head that this turn makes. It never throws.
 */
export async function followChecks(
  session: Session,
  task: ChecksTask,
): Promise<ChecksRecord & { readonly report: ChecksReport }> {
  return await new ChecksWatch(session, task).follow()
}

/** What one run knows of the checks by now. */
class ChecksWatch {
  readonly #session: Session
  readonly #task: ChecksTask
  #record: ChecksRecord
  /** As last read; undefined once the agent may have replaced it. */
  #head: Head | undefined
  /** SHA of the head that the agent is to replace; '' for none. */
  #before: string
  /** Those of the commit that went back last; undefined until they are read. */
  #sentChecks: readonly ReadCheck[] | undefined
  #notSentBack = ''

  constructor(session: Session, task: ChecksTask) {
    const { record, headBefore } = task
    const { sentFor } = record.checks
    this.#session = session
    this.#task = task
    this.#record = record
    this.#before = sentFor.at(-1) ?? headBefore
    this.#sentChecks = sentFor.length === 0 ? [] : undefined
  }

  async follow(): Promise<ChecksRecord & { readonly report: ChecksReport }> {
    const end = await this.#followHeads().catch((error: unknown) => this.#endAfter(error))
    this.#note({ status: end.status, isWatched: false })
    return { ...this.#record, report: this.#reportOf(end) }
  }

  async #followHeads(): Promise<ChecksEnd> {
    // An earlier attempt may have sent failures back.
    if (this.#record.checks.sentFor.length > 0 && !(await this.#followTurn())) return PENDING
    for (;;) {
      const end = await this.#followHead()
      if (end !== undefined) return end
      await this.#save('reading')
    }
  }

  /** @returns undefined where the agent has made another head of what failed */
  async #followHead(): Promise<ChecksEnd | undefined> {
    const { deps, runner, warnings } = this.#session
    const { prLink } = this.#record.job
    const pull = pullRequestOf(prLink, runner.serverUrl)
    if (pull === undefined) {
      deps.core.warning(explainChecks('elsewhere', prLink, new URL(runner.serverUrl).host))
      return { status: 'unavailable' }
    }
    const quiet = await this.#waitUntilQuiet(pull)
    if (quiet.end === 'refused') {
      warnings.add(['checks', pull], quiet.error)
      return { status: 'unavailable' }
    }
    if (quiet.end === 'late') return this.#notQuiet()
    const { head } = quiet
    if (!this.#goesBack(head)) return this.#endAt(head)
    const sent = await this.#sendBack(pull, head)
    if (sent === 'unsent') return this.#notQuiet()
    this.#before = head.sha
    this.#sentChecks = head.checks
    this.#head = undefined
    if (sent !== 'sent') return { ...PENDING, ...sent }
    return (await this.#followTurn()) ? undefined : PENDING
  }

  /** Reads the head until nothing of it changes any more. */
  async #waitUntilQuiet(pull: PullRequestRef) {
    const { deps, client } = this.#session
    const { waiting } = this.#task
    const sha = this.#before
    this.#sentChecks ??= await checksOf(this.#session, pull, sha)
    const { lateMs } = waitsFor(client.access.baseUrl, waiting.pollMs)
    const quiet = await quietHead(this.#session, pull, waiting, {
      before: { sha, until: deps.monotonic() + lateMs },
      hadChecks: this.#hadChecks,
      goesBack: (head) => this.#goesBack(head),
    })
    if (quiet.end === 'refused') return quiet
    this.#head = quiet.head
    if (this.#head !== undefined && this.#head.checks.length > 0) this.#note({ hadAny: true })
    return quiet
  }

  /** Of a head that does not go back. */
  #endAt(head: Head): ChecksEnd {
    if (this.#canGoBack(head)) this.#notSentBack = TURNED_NONE
    const lacksChecks = head.checks.length === 0 && this.#hadChecks
    return lacksChecks ? PENDING : { status: statusOf(head.checks) }
  }

  get #hadChecks(): boolean {
    return this.#record.checks.hadAny || this.#task.before.hadChecks
  }

  /** Something fails that the job has not got yet, and attempts are left. */
  #canGoBack({ sha, state, checks }: Head): boolean {
    const { fixAttempts, before } = this.#task
    const { sentFor } = this.#record.checks
    const isNew = sentFor.length < fixAttempts && ![...sentFor, ...before.sentFor].includes(sha)
    return isNew && state === 'open' && checks.some(({ result }) => result === 'failed')
  }

  #goesBack(head: Head): boolean {
    return this.#canGoBack(head) && !hasTurnedNone(head, this.#sentChecks ?? [])
  }

  /** What is red stays red, and how anything else ends is not known. */
  #notQuiet(): ChecksEnd {
    return this.#head?.checks.some(isRed) ? { status: 'failure' } : PENDING
  }

  /** Sends back what fails of a commit, once for the job. */
  async #sendBack(
    pull: PullRequestRef,
    head: Head,
  ): Promise<'sent' | 'unsent' | Required<Pick<ChecksEnd, 'followedBy'>>> {
    const { deps } = this.#session
    const { others, day, checkLogs } = this.#task
    const { followedBy, sentFor, skip } = await others(pull)
    if (followedBy !== undefined) return { followedBy }
    if (sentFor.includes(head.sha)) return 'unsent'
    if (skip !== undefined) {
      this.#notSentBack = skippedFixes(skipSentence(skip))
      return 'unsent'
    }
    const { base, checks, isPublic } = head
    const link = this.#record.job.prLink
    const writing = fixMessage(this.#session, {
      pull,
      base,
      link,
      checks,
      sendsDetails: isPublic || checkLogs,
    })
    const prompt = await orCancelled(deps.cancellation, writing)
    const full = await day?.end()
    if (full === undefined) return await this.#send(head.sha, prompt)
    throwIfCancelled(deps.cancellation)
    this.#notSentBack = full.message
    return 'unsent'
  }

  /** The SHA stands in the record before the message goes out. */
  async #send(sha: string, prompt: string): Promise<'sent' | 'unsent'> {
    const { deps, client } = this.#session
    const { waiting, day } = this.#task
    const { job, checks: before } = this.#record
    this.#note({ sentFor: [...before.sentFor, sha] })
    // Another run may write the next record.
    day?.count()
    const isRecorded = await this.#save('fixing')
    // GitHub may have used up the time meanwhile, and no run would follow the message.
    if (!isRecorded || deps.monotonic() >= waiting.deadline) {
      this.#note(before)
      if (!isRecorded) deps.core.warning(explainChecks('unrecorded', job.prLink))
      return 'unsent'
    }
    try {
      this.#learn(await client.postPrompt({ prompt, jobId: job.id, deadline: waiting.deadline }))
      deps.core.info(`Failures of ${sha.slice(0, 7)} went back to job ${this.#record.job.id}`)
      return 'sent'
    } catch (error) {
      const isUncertain = error instanceof CreationUncertain
      if (!isUncertain) this.#note(before)
      throwIfCancelled(deps.cancellation)
      const why = isUncertain ? error.message : explainError(deps.core, error)
      deps.core.warning(explainChecks(isUncertain ? 'uncertain' : 'unsent', job.prLink, why))
      return 'unsent'
    }
  }

  /** Follows what the agent makes of the failures. @returns false where the deadline comes first */
  async #followTurn(): Promise<boolean> {
    const { deps, client } = this.#session
    const { waiting } = this.#task
    const { job } = this.#record
    // Somebody may have asked the job for something else meanwhile, so it has to be at rest for a while.
    const turn = { job, messagedAt: deps.monotonic(), wasBusy: true, onJob: (now: Job) => this.#learn(now) }
    const { late } = await client.poll({ ...waiting, ...turn })
    return late === undefined && deps.monotonic() < waiting.deadline
  }

  /** The pull request stays the job's, even where its last turn names none. */
  #learn(read: Job): void {
    const { job, checks } = this.#record
    this.#record = { job: read.prLink === '' ? { ...read, prLink: job.prLink } : read, checks }
  }

  #note(more: Partial<CheckState>): void {
    const { job, checks } = this.#record
    this.#record = { job, checks: { ...checks, ...more } }
  }

  /** @returns whether the thread has the record, and it is this run's */
  async #save(phase: ChecksReport['phase']): Promise<boolean> {
    return await this.#task.save(this.#record, this.#reportOf(PENDING, phase))
  }

  #endAfter(error: unknown): ChecksEnd {
    const { core } = this.#session.deps
    if (error instanceof Cancelled) {
      core.info('The run was cancelled while it followed the checks. A re-run follows them again.')
    } else {
      const why =
        error instanceof GitHubError
          ? explainGitHub(error, 'read which failures went back before', 'issues: read')
          : explainError(core, error)
      core.warning(explainChecks('lost', this.#record.job.prLink, why))
    }
    return this.#notQuiet()
  }

  #reportOf(end: ChecksEnd, phase?: ChecksReport['phase']): ChecksReport {
    const { sentFor } = this.#record.checks
    const checks = this.#head?.checks ?? []
    return { ...end, checks, phase, fixes: sentFor.length, notSentBack: this.#notSentBack }
  }
}
