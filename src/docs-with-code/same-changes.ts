import { isRefused } from '../errors.ts'
import type { Subject } from '../event/trigger.ts'
import type { ChangedFile } from '../github/answers.ts'
import { skipSentence } from '../messages/comments.ts'
import { type Verdict, WORKING } from '../messages/commit-verdict.ts'
import { CAUSES } from '../messages/notes.ts'
import { describeIncrement, type Excerpt } from '../prompt/context.ts'
import type { PromptSource } from '../prompt/task.ts'
import type { Latest } from '../request/memory.ts'
import { type Ending, ending, failsStatus } from '../request/outcome.ts'
import { hasFailed, isHeld, isOfRun, isWithAgent, type RequestIdentity } from '../request/record.ts'
import type { RunEnd } from '../request/report.ts'
import type { ThreadRecords } from '../request/thread-records.ts'
import type { Session } from '../thread/session.ts'
import type { Code } from './code.ts'
import { verdictOfChanges } from './status.ts'

// A pull request whose changes go to the agent, each once: the same changes are the same request, also after a rebase, and
// for people who go back to earlier changes.

/** What the thread says of the changes of a `pull_request` event. */
export interface Answer {
  readonly ending: Ending
  /** Of the head; undefined for none. */
  readonly verdict: Verdict | undefined
}

/** What a person wants who causes the event. Times are in ms since the epoch, on GitHub's clock. */
export interface Wanted {
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
  { own, memory, others }: ThreadRecords,
  identity: RequestIdentity,
  { now, isReRun, labeledAt }: Wanted,
  idle?: Answer,
): Answer | undefined {
  const { skip } = memory.latest
  const verdict = verdictOfChanges({ own, memory, others }, identity)
  if (skip !== undefined) return { ending: ending('skipped', 'docs-skipped', skipSentence(skip)), verdict }
  if (idle !== undefined) return { ...idle, verdict: verdict ?? idle.verdict }
  const record = own?.record
  if (record !== undefined && isOfRun(record, identity)) return undefined
  if (own !== undefined && (record?.state === 'running' || record?.state === 'sending'))
    return isHeld(own.record, own.updatedAt, now) ? { ending: SAME_CHANGES, verdict: WORKING } : undefined
  const earlier = memory.grows.verdicts.find(({ key }) => key === identity.key)
  const said = record !== undefined && 'ending' in record ? record.ending : earlier
  // Only a person's re-run or command may ask what may have been asked already.
  if (said?.reason === 'creation-uncertain')
    return isReRun ? undefined : { ending: ending('skipped', 'no-changes', CAUSES.mayBeAsked), verdict }
  // What was set before the failure was known does not say that it is to be tried again.
  const hasFailedBefore = record === undefined ? earlier?.outcome === 'failed' : hasFailed(record)
  if (hasFailedBefore)
    return isReRun || labeledAt > (own?.updatedAt ?? 0)
      ? undefined
      : { ending: ending('skipped', 'no-changes', CAUSES.failedBefore), verdict }
  const isAnswered =
    record === undefined ? earlier !== undefined && !failsStatus(earlier) : isWithAgent(record)
  return isAnswered ? { ending: SAME_CHANGES, verdict } : undefined
}

/** @returns how the end of a pull request ends the run; undefined where its merge asks: the agent never got the changes */
export function answerToClosed(
  records: ThreadRecords | undefined,
  subject: Subject | undefined,
  idle: Answer | undefined,
): RunEnd | undefined {
  const skip = records?.memory.latest.skip
  if (skip !== undefined) return ending('skipped', 'docs-skipped', skipSentence(skip))
  if (subject?.state !== 'merged') return ending('skipped', 'pull-request-closed')
  return idle?.ending
}

const SAME_CHANGES = ending('skipped', 'no-changes', CAUSES.sameChanges)

/** @returns what the agent lacks of the pull request, '' without context; undefined for the whole */
export async function describeNew(
  { github, warnings }: Session,
  before: Latest['code'][number] | undefined,
  { trigger: { subject }, inputs }: PromptSource,
  { files = [], pull, digest }: Code,
): Promise<Excerpt | undefined> {
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
  if (!inputs.context) return { text: '', leftOut: [] }
  return describeIncrement(subject, before.sha, comparison, own, compared.length - own.length)
}

/** Those of the files that the pull request changes: a push may merge the base. */
function ofPullRequest(
  files: readonly ChangedFile[],
  changed: readonly ChangedFile[],
): readonly ChangedFile[] {
  const paths = new Set(changed.flatMap(({ path, earlierPath }) => [path, earlierPath].filter(Boolean)))
  return files.filter(({ path, earlierPath }) => paths.has(path) || paths.has(earlierPath))
}
