import { ifKnown } from '../../agent/agent-client.ts'
import { orCancelled, throwIfCancelled } from '../../base/deps.ts'
import { Cancelled, CreationUncertain, GitHubError } from '../../base/errors.ts'
import { type PullRequestRef, pullRequestOf } from '../../base/link.ts'
import { waitsFor } from '../../http/retry.ts'
import { ServiceError } from '../../http/service.ts'
import { type ChecksReport, isRed, statusOf } from '../../record/check-results.ts'
import type { Job } from '../../record/job.ts'
import type { CheckState } from '../../record/record.ts'
import { afterReading, beginTurn, turnIsOver } from '../../record/turn.ts'
import type { Session } from '../../thread/session.ts'
import { explainChecks, NO_RECORD, TURNED_NONE } from '../../words/checks-words.ts'
import { explainError, explainGitHub } from '../../words/explain.ts'
import type { ChecksRecord, ChecksTask, Saved } from './checks-task.ts'
import { hasTurnedNone, type ReadCheck } from './classify.ts'
import { fixMessage } from './fix-message.ts'
import { mayGoBack } from './may-go-back.ts'
import { checksOf, type Head, quietHead } from './quiet-head.ts'

// One loop follows the checks of a pull request, and its deadline is far for a run that waits, and near for a sweep:
//
//   what it finds                      a run that waits                       a sweep
//   the agent works on failures        reads the job until its turn is over   reads the job once, and leaves it
//   checks have not settled            reads the head until they have         waits up to its deadline, or leaves it
//   no checks                          `none` after a minute                  `none` ten minutes after the head came
//   settled, nothing may go back       ends with how they stand               the same
//   settled, failures may go back      record, message, next turn             record as a comment of its own, message, leaves it
//   GitHub or the service is away      waits for it until its deadline        leaves it
//
// What a sweep leaves stays to be followed in the record, and the next process begins where it stood.

/** How the checks stand, once this process does nothing more about them. */
type ChecksEnd = Pick<ChecksReport, 'status' | 'followedBy'> & { readonly isLeft?: true }

const PENDING: ChecksEnd = { status: 'pending' }
/** The next process goes on. */
const LEFT: ChecksEnd = { status: 'pending', isLeft: true }

/** For the message of a sweep, in ms. */
const MESSAGE_MS = 60_000

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

/** What one process knows of the checks by now. */
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
    const { isLeft = false, ...end } = await this.#followHeads().catch((error: unknown) =>
      this.#endAfter(error),
    )
    this.#note({ status: end.status, isWatched: isLeft })
    return { ...this.#record, report: this.#reportOf(end, isLeft ? 'left' : undefined) }
  }

  async #followHeads(): Promise<ChecksEnd> {
    // Failures went back, or may have.
    if (this.#record.checks.sentFor.length > 0 && !(await this.#turnEnds())) return this.#late()
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
    if (quiet.end === 'late') return this.#late()
    const { head } = quiet
    if (!this.#goesBack(head)) return this.#endAt(head)
    const end = await this.#sendBack(pull, head)
    if (end !== undefined) return end
    this.#before = head.sha
    this.#sentChecks = head.checks
    if (this.#task.sweep !== undefined) return LEFT
    this.#head = undefined
    return (await this.#turnEnds()) ? undefined : PENDING
  }

  /** Reads the head until nothing of it changes any more. */
  async #waitUntilQuiet(pull: PullRequestRef) {
    const { deps, client } = this.#session
    const { waiting, sweep } = this.#task
    const sha = this.#before
    const isLastRound = this.#record.checks.sentFor.length >= this.#task.fixAttempts
    if (!isLastRound)
      this.#sentChecks ??= await orCancelled(
        deps.cancellation,
        checksOf(this.#session, pull, sha).catch(() => undefined),
      )
    const { lateMs } = waitsFor(client.access.baseUrl, waiting.pollMs)
    const quiet = await quietHead(this.#session, pull, waiting, {
      before: { sha, until: deps.monotonic() + lateMs },
      hadChecks: this.#hadChecks,
      goesBack: (head) => this.#goesBack(head),
      isSweep: sweep !== undefined,
    })
    if (quiet.end === 'refused') return quiet
    this.#head = quiet.head
    if (this.#head !== undefined) this.#note({ branch: this.#head.branch })
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

  /** The deadline came first. */
  #late(): ChecksEnd {
    const { sweep } = this.#task
    return sweep === undefined || sweep.isLast ? this.#notQuiet() : LEFT
  }

  /** What is red stays red, and how anything else ends is not known. */
  #notQuiet(): ChecksEnd {
    return this.#head?.checks.some(isRed) ? { status: 'failure' } : PENDING
  }

  /** Sends back what fails of a commit, once for the job. @returns undefined where the job has it */
  async #sendBack(pull: PullRequestRef, head: Head): Promise<ChecksEnd | undefined> {
    const { deps } = this.#session
    const { checkLogs } = this.#task
    const writing = () => {
      const { base, checks, isPublic } = head
      const link = this.#record.job.prLink
      const failures = { pull, base, link, checks, sendsDetails: isPublic || checkLogs }
      return orCancelled(deps.cancellation, fixMessage(this.#session, failures))
    }
    const going = await mayGoBack(this.#task, pull, head.sha, writing)
    if (going.kind === 'left') return LEFT
    if (going.kind === 'followed') {
      this.#head = undefined
      return { ...PENDING, followedBy: going.by }
    }
    if (going.kind === 'goes') return await this.#send(head.sha, going.prompt)
    throwIfCancelled(deps.cancellation)
    this.#notSentBack = going.why
    return this.#notQuiet()
  }

  /** The SHA stands in the record before the message goes out. @returns undefined where the job has it */
  async #send(sha: string, prompt: string): Promise<ChecksEnd | undefined> {
    const { deps, client, github } = this.#session
    const { waiting, quota, sweep } = this.#task
    const { job, checks: before } = this.#record
    const deadline = sweep === undefined ? waiting.deadline : Number.POSITIVE_INFINITY
    this.#note({ sentFor: [...before.sentFor, sha], sentAt: github.clock(), isLastInDoubt: true })
    // Another run may write the next record.
    quota?.count()
    // A sweep may be lost before the message, so its words say no more than that it may have gone.
    const saved = await this.#save(sweep === undefined ? 'fixing' : 'left')
    // GitHub may have used up the time meanwhile, and no run would follow the message.
    if (saved !== 'done' || deps.monotonic() >= deadline) {
      this.#note(before)
      if (saved === 'taken' && sweep !== undefined) return LEFT
      if (saved !== 'done') {
        deps.core.warning(explainChecks('unrecorded', job.prLink))
        if (sweep !== undefined) this.#notSentBack = NO_RECORD
      }
      return this.#notQuiet()
    }
    try {
      const sending = { prompt, jobId: job.id, deadline: Math.min(deadline, deps.monotonic() + MESSAGE_MS) }
      this.#learn(await client.postPrompt(sweep === undefined ? { ...sending, deadline } : sending))
      this.#note({ isLastInDoubt: false })
      deps.core.info(`Failures of ${sha.slice(0, 7)} went back to job ${this.#record.job.id}`)
      return undefined
    } catch (error) {
      return this.#unsent(error, before)
    }
  }

  /** @param before what the record said before the message */
  #unsent(error: unknown, before: CheckState): ChecksEnd {
    const { deps } = this.#session
    const { sweep } = this.#task
    const isUncertain = error instanceof CreationUncertain
    if (!isUncertain) this.#note(before)
    throwIfCancelled(deps.cancellation)
    const why = isUncertain ? error.message : explainError(deps.core, error)
    const { prLink } = this.#record.job
    deps.core.warning(explainChecks(isUncertain ? 'uncertain' : 'unsent', prLink, why))
    if (sweep === undefined) return this.#notQuiet()
    // The next sweep sees what came of it, or tries again; what the service refuses, it refuses again.
    if (!(error instanceof ServiceError) || error.fate !== 'refused') return LEFT
    this.#notSentBack = why
    return this.#notQuiet()
  }

  /** What the agent makes of the failures. @returns false where its turn goes on at the deadline, or after one look */
  async #turnEnds(): Promise<boolean> {
    const { deps, client, github } = this.#session
    const { waiting, sweep } = this.#task
    const { job, checks } = this.#record
    if (sweep === undefined) {
      // Somebody may have asked the job for something else meanwhile, so it has to be at rest for a while.
      const turn = { job, messagedAt: deps.monotonic(), wasBusy: true, onJob: (now: Job) => this.#learn(now) }
      const { late } = await client.poll({ ...waiting, ...turn })
      return late === undefined && deps.monotonic() < waiting.deadline
    }
    const read = await ifKnown(client.read(job.id, { isKnown: true }))
    // A job that is gone does nothing more.
    if (read === undefined) return true
    this.#learn(read)
    const at = github.clock()
    const turn = beginTurn(job, checks.sentAt, false, checks.sentAt)
    return turnIsOver(afterReading(turn, read, at), at, client.lagOf(waiting.pollMs))
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

  async #save(phase: ChecksReport['phase']): Promise<Saved> {
    return await this.#task.save(this.#record, this.#reportOf(PENDING, phase))
  }

  #endAfter(error: unknown): ChecksEnd {
    const { core } = this.#session.deps
    const isSweep = this.#task.sweep !== undefined
    if (error instanceof Cancelled) {
      core.info(
        `The run was cancelled while it followed the checks. ${isSweep ? 'The next sweep' : 'A re-run'} follows them again.`,
      )
    } else {
      const why =
        error instanceof GitHubError
          ? explainGitHub(error, 'read which failures went back before', 'issues: read')
          : explainError(core, error)
      core.warning(explainChecks(isSweep ? 'later' : 'lost', this.#record.job.prLink, why))
    }
    return this.#late()
  }

  #reportOf(end: ChecksEnd, phase?: ChecksReport['phase']): ChecksReport {
    const { sentFor, isLastInDoubt } = this.#record.checks
    const checks = this.#head?.checks ?? []
    const fixes = sentFor.length
    return { ...end, checks, phase, fixes, isLastInDoubt, notSentBack: this.#notSentBack }
  }
}
