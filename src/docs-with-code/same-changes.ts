import type { Known } from '../core/fold.ts'
import { isHeld } from '../core/lease.ts'
import type { ThreadRecords } from '../core/log.ts'
import { type Ending, ending } from '../core/outcome.ts'
import { isAtWork, isInDoubt, isOfRun, isWithAgent, type RequestIdentity } from '../core/record.ts'
import type { RunEnd } from '../core/report.ts'
import type { Session } from '../core/session.ts'
import { isRefused } from '../errors.ts'
import type { Subject } from '../event/trigger.ts'
import type { ChangedFile } from '../github/answers.ts'
import { skipSentence } from '../messages/comments.ts'
import { commitVerdictOf, NONE_IN_PATHS, type Verdict, WORKING } from '../messages/commit-verdict.ts'
import { CAUSES } from '../messages/notes.ts'
import { describeIncrement, type Excerpt } from '../prompt/context.ts'
import type { PromptSource } from '../prompt/task.ts'
import type { Code } from './code.ts'
import { verdictOfChanges } from './status.ts'

// A pull request whose changes go to the agent, each once: the same changes are the same request, also after a rebase, and
// for people who go back to earlier changes.

/** What the thread says of the changes of a `pull_request` event. */
interface Answer {
  readonly ending: Ending
  /** Of the head; undefined for none. */
  readonly verdict: Verdict | undefined
}

/**
 * @param now on GitHub's clock @param isReRun a person asked for this attempt
 * @param isInPaths a file counts
 * @returns undefined where the run goes on with its own request, or asks
 */
export function answerOfThread(
  records: ThreadRecords,
  identity: RequestIdentity,
  now: number,
  isReRun: boolean,
  isInPaths = true,
): Answer | undefined {
  const { own, known } = records
  const { skip } = known
  const verdict = verdictOfChanges(records, identity)
  if (skip !== undefined) return { ending: ending('skipped', 'docs-skipped', skipSentence(skip)), verdict }
  if (!isInPaths) return { ending: NOTHING_IN_PATHS, verdict: verdict ?? NONE_IN_PATHS }
  const record = own?.record
  if (record !== undefined && isOfRun(record, identity)) return undefined
  if (own === undefined || record === undefined) return undefined
  // A later command may have decided these changes meanwhile.
  if (isAtWork(record) && isHeld(record, own.updatedAt, now))
    return { ending: SAME_CHANGES, verdict: verdict ?? WORKING }
  // Only a person's re-run or command may ask what may have been asked already.
  if (isInDoubt(record))
    return isReRun
      ? undefined
      : { ending: MAY_BE_ASKED, verdict: verdict === WORKING ? uncertain(identity) : verdict }
  return isWithAgent(record) && record.state !== 'running' ? { ending: SAME_CHANGES, verdict } : undefined
}

/** @returns how the end of a pull request ends the run; undefined where its merge asks: the agent never got the changes */
export function answerToClosed(
  records: ThreadRecords | undefined,
  subject: Subject | undefined,
  isInPaths: boolean,
): RunEnd | undefined {
  const skip = records?.known.skip
  if (skip !== undefined) return ending('skipped', 'docs-skipped', skipSentence(skip))
  if (subject?.state !== 'merged') return ending('skipped', 'pull-request-closed')
  return isInPaths ? undefined : NOTHING_IN_PATHS
}

const NOTHING_IN_PATHS = ending('skipped', 'no-changes', CAUSES.noneInPaths)
const MAY_BE_ASKED = ending('skipped', 'no-changes', CAUSES.mayBeAsked)
const uncertain = ({ command }: RequestIdentity) =>
  commitVerdictOf({ outcome: 'error', reason: 'creation-uncertain', job: undefined, command })
const SAME_CHANGES = ending('skipped', 'no-changes', CAUSES.sameChanges)

/** @returns what the agent lacks of the pull request, '' without context; undefined for the whole */
export async function describeNew(
  { github, warnings }: Session,
  before: Known['code'][number] | undefined,
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
