import { isRefused } from '../errors.ts'
import { isPullRequestEvent } from '../event/gate.ts'
import type { ChangedFile } from '../github/answers.ts'
import { describeIncrement } from '../prompt/context.ts'
import type { PromptSource } from '../prompt/prompt.ts'
import { isWaitedFor } from '../request/lease.ts'
import type { RequestComment } from '../request/precedence.ts'
import { isOfRun, type RequestRecord, runIdOf } from '../request/record.ts'
import { jobOf, reportedOutcome } from '../request/states.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import type { DigestedChanges } from './digest.ts'

/**
 * The latest request of a `pull_request` event that the agent has, and whose job did not fail (contract 3.13): of the same
 * step, and of an earlier event. Where a command asks, of any step.
 */
export const latestInStep = ({
  history,
  identity,
}: Pick<Request, 'history' | 'identity'>): RequestComment | undefined =>
  history?.others.find(
    ({ record }) =>
      record.head.sha !== '' &&
      hasAgent(record) &&
      !isOfSameEvent(record, identity) &&
      (identity.head.step === '' || record.head.step === identity.head.step),
  )

/** A request that this run took up from an earlier event has the id of this run, and the origin of that event. */
const isOfSameEvent = (record: RequestRecord, identity: Request['identity']): boolean =>
  isOfRun(record, identity) && (record.head.step !== identity.head.step || record.origin === identity.origin)

/** The agent has what the request brought, or works on it, and has not failed as far as the thread tells. */
export function hasAgent(record: RequestRecord): boolean {
  if (record.state !== 'reported') return record.state === 'running'
  const outcome = reportedOutcome(record)
  return outcome !== undefined && outcome !== 'failed'
}

/**
 * The latest request, if the agent works on it and no run waits for it any more. A rebase cancels the run that waited,
 * but brings nothing that the agent lacks, so the run of the rebase, or its re-run, follows the job (contract 3.13).
 */
export function leftToFollow({ deps }: Session, request: Request): RequestComment | undefined {
  const before = latestInStep(request)
  if (before === undefined || !('job' in before.record)) return undefined
  const { record } = before
  const { identity, history } = request
  const now = deps.now()
  // If two runs followed one job, each would send its failures back (contract 4.12).
  const isFollowed = history?.others.some(
    ({ record: one }) => jobOf(one)?.id === record.job.id && isWaitedFor(one, now) && !isOfRun(one, identity),
  )
  return isFollowed === true || (record.state !== 'running' && !isOfRun(record, identity))
    ? undefined
    : before
}

type Increment =
  /** The agent has all. */
  | { readonly kind: 'nothing' }
  /** Another head took the place of this one, and has an event of its own. */
  | { readonly kind: 'replaced' }
  | { readonly kind: 'whole' }
  /** '' without context. */
  | { readonly kind: 'part'; readonly text: string }

/** The agent lacks something. */
export type NewToAgent = Extract<Increment, { readonly kind: 'whole' | 'part' }>

const NOTHING: Increment = { kind: 'nothing' }
const REPLACED: Increment = { kind: 'replaced' }
const WHOLE: Increment = { kind: 'whole' }

/** What of a `pull_request` event the agent does not have yet (contract 3.13). */
export async function planIncrement(
  session: Session,
  request: Request,
  { trigger, inputs }: PromptSource,
  changes: DigestedChanges,
): Promise<Increment> {
  const { subject } = trigger
  const before = latestInStep(request)?.record
  if (before === undefined || subject === undefined || !isPullRequestEvent(trigger)) return WHOLE
  const { head } = before
  if (before.state === 'running' && !inputs.dryRun) {
    // A job that failed may not be reported yet.
    const job = await session.client.read(before.job.id).catch(() => undefined)
    if (job?.status === 'failed') return WHOLE
  }
  const areKnown = changes.digest !== '' && head.digest !== ''
  if (areKnown ? changes.digest === head.digest : subject.headSha === head.sha) return NOTHING
  const { forge, warnings } = session
  const comparison = await forge.compare(head.sha, subject.headSha).catch((error: unknown) => {
    // After a force push, the forge may not know the earlier head any more.
    const isNoNews = isRefused(error, 404) || !inputs.context
    return isNoNews ? undefined : warnings.add('comparison', error)
  })
  const { pull } = changes
  if (pull !== undefined && pull.headSha !== subject.headSha) {
    // Run ids grow: the agent has what a later event brought, and the next one brings what was pushed since.
    const isEarlier = Number(runIdOf(request.identity)) < Number(runIdOf(before))
    const late = lateEvent(comparison?.status, isEarlier || pull.headSha === head.sha)
    if (late !== undefined) return late
  }
  // Without a digest of the earlier changes, the agent may not have got their files.
  if (!areKnown || comparison?.status !== 'ahead') return WHOLE
  const own = comparison.files && ofPullRequest(comparison.files, changes.files)
  if (own === undefined) return WHOLE
  if (!inputs.context) return { kind: 'part', text: '' }
  if (own.length === 0) return WHOLE
  const others = (comparison.files?.length ?? 0) - own.length
  return { kind: 'part', text: describeIncrement(subject, head.sha, comparison, own, others) }
}

/**
 * What a late event brings: its pull request has another head by now.
 * @param status how its head stands to the one that the agent has; undefined where the forge does not compare them
 * @param isKnown the agent has what a later event brought, or all that there is now
 * @returns undefined if it brings what any other event does
 */
function lateEvent(status: string | undefined, isKnown: boolean): Increment | undefined {
  if (status === undefined || status === 'diverged') return REPLACED
  return isKnown || status === 'behind' || status === 'identical' ? NOTHING : undefined
}

/** Those of the files that the pull request changes. @param changed undefined where they are not known */
function ofPullRequest(
  files: readonly ChangedFile[],
  changed: readonly ChangedFile[] | undefined,
): readonly ChangedFile[] | undefined {
  if (changed === undefined) return undefined
  const paths = new Set(changed.flatMap(({ path, earlierPath }) => [path, earlierPath]))
  return files.filter(
    ({ path, earlierPath }) => paths.has(path) || (earlierPath !== '' && paths.has(earlierPath)),
  )
}
