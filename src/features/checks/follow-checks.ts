import type { Known } from '../../core/fold.ts'
import type { Job } from '../../core/job.ts'
import type { Ending } from '../../core/outcome.ts'
import type { CheckState } from '../../core/record.ts'
import type { Session } from '../../core/session.ts'
import { orCancelled, throwIfCancelled } from '../../deps.ts'
import { Cancelled, CreationUncertain, GitHubError } from '../../errors.ts'
import { type WaitOptions, waitsFor } from '../../http/retry.ts'
import { type PullRequestRef, pullRequestOf } from '../../link.ts'
import { explainChecks, skippedFixes, TURNED_NONE } from '../../words/checks-words.ts'
import { skipSentence } from '../../words/comments.ts'
import { explainError, explainGitHub } from '../../words/explain.ts'
import { hasTurnedNone, type ReadCheck } from './classify.ts'
import { fixMessage } from './fix-message.ts'
import { type ChecksReport, isRed, statusOf } from './record.ts'
import type { RequestsOfJob } from './requests-of-job.ts'
import { checksOf, type Head, settledHead } from './settled-head.ts'

/** What the record says of the job and of the checks of its pull request. */
export interface ChecksRecord {
  readonly job: Job
  readonly checks: CheckState
}

export interface ChecksPolicy {
  readonly waiting: WaitOptions
  /** How often failures may go back to the agent in all, over all attempts. */
  readonly fixAttempts: number
  /** What the day allows: what goes back counts, too. */
  readonly day?: {
    /** @returns how the run ends where the agent was asked too often */
    end(): Promise<Ending | undefined>
    /** The agent is asked, or may have been. */
    count(): void
  }
}

export interface ChecksTask extends ChecksPolicy {
  readonly record: ChecksRecord
  /** SHA of the head from before the request went to the job as a message; '' for none. */
  readonly headBefore: string
  /** What the thread knows of the job. */
  readonly known: Pick<Known, 'sentFor'> & { readonly hadChecks: boolean }
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
  const { deps, context, client, warnings } = session
  const { waiting, fixAttempts, headBefore, known, others, day, save } = task
  let { job, checks } = task.record
  /** As last read; undefined once the agent may have replaced it. */
  let head: Head | undefined
  /** Those of the commit that went back last; undefined until they are read. */
  let sentChecks: readonly ReadCheck[] | undefined
  let notSentBack = ''

  const end = await followHeads().catch(endAfter)
  checks = { ...checks, status: end.status, isWatched: false }
  return { job, checks, report: reportOf(end) }

  async function followHeads(): Promise<ChecksEnd> {
    let sha = checks.sentFor.at(-1) ?? headBefore
    // An earlier attempt may have sent failures back.
    if (checks.sentFor.length > 0 && !(await followTurn())) return PENDING
    for (;;) {
      const pull = pullRequestOf(job.prLink, context.serverUrl)
      if (pull === undefined) {
        deps.core.warning(explainChecks('elsewhere', job.prLink, new URL(context.serverUrl).host))
        return { status: 'unavailable' }
      }
      sentChecks ??= checks.sentFor.length === 0 ? [] : await checksOf(session, pull, sha)
      const { lateMs } = waitsFor(client.access.baseUrl, waiting.pollMs)
      const before = { sha, until: deps.monotonic() + lateMs }
      const hadChecks = checks.hadAny || known.hadChecks
      const settled = await settledHead(session, pull, waiting, { before, hadChecks, goesBack })
      if (settled.end === 'refused') {
        warnings.add(['checks', pull], settled.error)
        return { status: 'unavailable' }
      }
      head = settled.head
      if (head !== undefined && head.checks.length > 0) checks = { ...checks, hadAny: true }
      if (settled.end === 'late') return unsettled()
      if (!goesBack(settled.head)) {
        if (canGoBack(settled.head)) notSentBack = TURNED_NONE
        const lacksChecks = settled.head.checks.length === 0 && hadChecks
        return lacksChecks ? PENDING : { status: statusOf(settled.head.checks) }
      }
      const sent = await sendBack(pull, settled.head)
      if (sent === 'unsent') return unsettled()
      sha = settled.head.sha
      sentChecks = settled.head.checks
      head = undefined
      if (sent !== 'sent') return { ...PENDING, ...sent }
      if (!(await followTurn())) return PENDING
      await save({ job, checks }, reportOf(PENDING, 'reading'))
    }
  }

  /** Something fails that the job has not got yet, and attempts are left. */
  function canGoBack({ sha, state, checks: all }: Head): boolean {
    const { sentFor } = checks
    const isNew = sentFor.length < fixAttempts && ![...sentFor, ...known.sentFor].includes(sha)
    return isNew && state === 'open' && all.some(({ result }) => result === 'failed')
  }

  function goesBack(now: Head): boolean {
    return canGoBack(now) && !hasTurnedNone(now, sentChecks ?? [])
  }

  /** What is red stays red, and how anything else ends is not known. */
  function unsettled(): ChecksEnd {
    return head?.checks.some(isRed) ? { status: 'failure' } : PENDING
  }

  /** Sends back what fails of a commit, once for the job: its SHA stands in the record before the message goes out. */
  async function sendBack(
    pull: PullRequestRef,
    { sha, base, checks: all }: Head,
  ): Promise<'sent' | 'unsent' | Required<Pick<ChecksEnd, 'followedBy'>>> {
    const { followedBy, sentFor, skip } = await others(pull)
    if (followedBy !== undefined) return { followedBy }
    if (sentFor.includes(sha)) return 'unsent'
    if (skip !== undefined) {
      notSentBack = skippedFixes(skipSentence(skip))
      return 'unsent'
    }
    const writing = fixMessage(session, { pull, base, link: job.prLink, checks: all })
    const prompt = await orCancelled(deps.cancellation, writing)
    const full = await day?.end()
    if (full !== undefined) {
      throwIfCancelled(deps.cancellation)
      notSentBack = full.message
      return 'unsent'
    }
    const before = checks
    checks = { ...checks, sentFor: [...checks.sentFor, sha] }
    // Another run may write the next record.
    day?.count()
    const isRecorded = await save({ job, checks }, reportOf(PENDING, 'fixing'))
    // GitHub may have used up the time meanwhile, and no run would follow the message.
    if (!isRecorded || deps.monotonic() >= waiting.deadline) {
      checks = before
      if (!isRecorded) deps.core.warning(explainChecks('unrecorded', job.prLink))
      return 'unsent'
    }
    try {
      learn(await client.send({ prompt, jobId: job.id, deadline: waiting.deadline }))
      deps.core.info(`Failures of ${sha.slice(0, 7)} went back to job ${job.id}`)
      return 'sent'
    } catch (error) {
      const isUncertain = error instanceof CreationUncertain
      if (!isUncertain) checks = before
      throwIfCancelled(deps.cancellation)
      const why = isUncertain ? error.message : explainError(deps.core, error)
      deps.core.warning(explainChecks(isUncertain ? 'uncertain' : 'unsent', job.prLink, why))
      return 'unsent'
    }
  }

  /** Follows what the agent makes of the failures. @returns false where the deadline comes first */
  async function followTurn(): Promise<boolean> {
    // Somebody may have asked the job for something else meanwhile, so it has to be at rest for a while.
    const turn = { job, messagedAt: deps.monotonic(), wasBusy: true, onJob: learn }
    const { late } = await client.poll({ ...waiting, ...turn })
    return late === undefined && deps.monotonic() < waiting.deadline
  }

  /** The pull request stays the job's, even where its last turn names none. */
  function learn(read: Job): void {
    job = read.prLink === '' ? { ...read, prLink: job.prLink } : read
  }

  function endAfter(error: unknown): ChecksEnd {
    if (error instanceof Cancelled) {
      deps.core.info('The run was cancelled while it followed the checks. A re-run follows them again.')
    } else {
      const why =
        error instanceof GitHubError
          ? explainGitHub(error, 'read which failures went back before', 'issues: read')
          : explainError(deps.core, error)
      deps.core.warning(explainChecks('lost', job.prLink, why))
    }
    return unsettled()
  }

  function reportOf(end: ChecksEnd, phase?: ChecksReport['phase']): ChecksReport {
    return { ...end, checks: head?.checks ?? [], phase, fixes: checks.sentFor.length, notSentBack }
  }
}
