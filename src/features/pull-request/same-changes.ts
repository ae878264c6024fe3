import { isRefused } from '../../base/errors.ts'
import { isPullRequestEvent } from '../../event/gate.ts'
import type { ChangedFile } from '../../github/answers.ts'
import { describeIncrement } from '../../prompt/context.ts'
import type { Part } from '../../prompt/parts.ts'
import type { PromptSource } from '../../prompt/task.ts'
import type { Facts } from '../../record/fold.ts'
import type { ThreadRecords } from '../../record/log.ts'
import { isLeased } from '../../record/log.ts'
import { type Ending, ending } from '../../record/outcome.ts'
import type { RequestIdentity } from '../../record/record.ts'
import { isOfSameRun } from '../../record/request-identity.ts'
import { hasJobFailed, isEndUncertain, isInDoubt, isInProgress, isWithAgent } from '../../record/states.ts'
import { noteHead, type PullChanges } from '../../thread/pull-changes.ts'
import type { Run } from '../../thread/run.ts'
import type { Session } from '../../thread/session.ts'
import { skipSentence } from '../../words/comments.ts'
import { earlierInDoubt, type Verdict } from '../../words/commit-verdict.ts'
import { CAUSES } from '../../words/notes.ts'

// A pull request whose changes go to the agent, each once: the same changes are the same request, also after a rebase, and
// for people who go back to earlier changes.

/** What the thread says of the changes of a `pull_request` event. */
export interface Answer {
  readonly ending: Ending
  /** What the status says of the head, where no request has decided it. */
  readonly otherwise?: Verdict
}

/** What a person wants who causes the event. Times are in ms since the epoch, on GitHub's clock. */
interface Wanted {
  readonly now: number
  /** A person asked for this attempt. */
  readonly isReRun: boolean
  /** When a person set a label; 0 for every other event. */
  readonly labeledAt: number
}

/**
 * @param idle what becomes of changes that need no docs
 * @returns undefined where the run goes on with its own request, or asks
 */
export function answerOfThread(
  records: ThreadRecords,
  identity: RequestIdentity,
  { now, isReRun, labeledAt }: Wanted,
  idle?: Answer,
): Answer | undefined {
  const { current, facts } = records
  const { skip } = facts
  if (skip !== undefined) return { ending: ending('skipped', 'docs-skipped', skipSentence(skip)) }
  if (idle !== undefined) return idle
  const record = current?.record
  if (record !== undefined && isOfSameRun(record, identity)) return undefined
  if (current === undefined || record === undefined)
    return isReRun ? undefined : doubtOf(records, identity, now)
  if (isInProgress(record) && isLeased(record, current.updatedAt, now))
    return { ending: record.state === 'running' ? SAME_CHANGES : BEING_SENT }
  // Only a person's re-run or command may ask what may have been asked already.
  if (isInDoubt(record)) return isReRun ? undefined : { ending: MAY_BE_ASKED }
  if (isEndUncertain(record)) return { ending: END_UNCERTAIN }
  // What was set before the failure was known does not say that it is to be tried again.
  if (hasJobFailed(record))
    return isReRun || labeledAt > current.updatedAt ? undefined : { ending: FAILED_BEFORE }
  return isWithAgent(record) && record.state !== 'running' ? { ending: SAME_CHANGES } : undefined
}

/** A job that is not known may have other changes of the pull request: only a person asks. */
function doubtOf(
  { facts: { job, inDoubt } }: ThreadRecords,
  { command }: Pick<RequestIdentity, 'command'>,
  now: number,
): Answer | undefined {
  const isLost = inDoubt.some(({ record, updatedAt }) => !isLeased(record, updatedAt, now))
  if (job !== undefined || !isLost) return undefined
  return { ending: EARLIER_IN_DOUBT, otherwise: earlierInDoubt(command) }
}

const EARLIER_IN_DOUBT = ending('skipped', 'no-changes', CAUSES.earlierInDoubt)
const MAY_BE_ASKED = ending('skipped', 'no-changes', CAUSES.mayBeAsked)
const END_UNCERTAIN = ending('skipped', 'no-changes', CAUSES.endUncertain)
const FAILED_BEFORE = ending('skipped', 'no-changes', CAUSES.failedBefore)
const SAME_CHANGES = ending('skipped', 'no-changes', CAUSES.sameChanges)
const BEING_SENT = ending('skipped', 'no-changes', CAUSES.beingSent)

/**
 * Notes in the request which changes it is about.
 * @returns what of them the agent lacks since it got the pull request, empty without context; undefined for the whole
 */
export async function noteChanges(
  session: Session,
  run: Run,
  task: PromptSource,
  changes: PullChanges,
): Promise<readonly Part[] | undefined> {
  const { inputs, trigger } = task
  const { facts } = run
  await noteHead(session, run, inputs.commitStatus, changes)
  const { workflowStep } = run.identity.head
  if (!isPullRequestEvent(trigger) || workflowStep === '') return undefined
  const before = facts.acceptedChanges.find(
    (one) => one.workflowStep === workflowStep && one.jobId === facts.job?.id,
  )
  return await describeNew(session, before, task, changes)
}

async function describeNew(
  { github, warnings }: Session,
  before: Facts['acceptedChanges'][number] | undefined,
  { trigger: { subject }, inputs }: PromptSource,
  { files = [], pull, digest }: PullChanges,
): Promise<readonly Part[] | undefined> {
  // Without a digest of the earlier changes, the agent may not have got their files.
  if (before === undefined || before.digest === '' || digest === '') return undefined
  if (subject === undefined || pull === undefined) return undefined
  const comparison = await github.compare(before.sha, pull.headSha).catch((error: unknown) => {
    // After a force push, GitHub may not know the earlier head any more.
    return isRefused(error, 404) || !inputs.context ? undefined : warnings.add('comparison', error)
  })
  const compared = comparison?.status === 'ahead' ? (comparison.files ?? []) : []
  const own = ofPullRequest(compared, files)
  if (comparison === undefined || own.length === 0) return undefined
  if (!inputs.context) return []
  return describeIncrement(subject, before.sha, comparison, own, compared.length - own.length, inputs.paths)
}

/** Without the files that only a merge of the base brought. */
function ofPullRequest(
  files: readonly ChangedFile[],
  changed: readonly ChangedFile[],
): readonly ChangedFile[] {
  const paths = new Set(changed.flatMap(({ path, earlierPath }) => [path, earlierPath].filter(Boolean)))
  return files.filter(({ path, earlierPath }) => paths.has(path) || paths.has(earlierPath))
}
