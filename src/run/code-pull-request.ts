import { createHash } from 'node:crypto'
import { orCancelled } from '../deps.ts'
import { isRefused } from '../errors.ts'
import { isPullRequestEvent } from '../event/gate.ts'
import { fullName, isInRepository, pullRequestOf } from '../link.ts'
import { endComment } from '../messages/comments.ts'
import { pullRequestLink } from '../messages/phrases.ts'
import { describeIncrement, type PullRequestChanges, readPullRequestChanges } from '../prompt/context.ts'
import type { RequestComment } from '../request/history.ts'
import { type Ending, ending, reportedOutcome } from '../request/outcome.ts'
import { threadJob } from '../request/plan.ts'
import type { RequestRecord } from '../request/record.ts'
import type { Session } from '../thread/session.ts'
import { Thread } from '../thread/thread.ts'
import { leaveElsewhere, pullRequestState } from './agent-pull-requests.ts'
import { readThread } from './find-thread.ts'
import type { Asked, Request } from './request.ts'

/** GitHub lists no more: https://docs.github.com/rest/pulls/pulls#list-pull-requests-files */
const MAX_FILES = 3000

export interface DigestedChanges extends PullRequestChanges {
  /** '' where the files of the head that was asked for cannot be read whole. */
  readonly digest: string
}

/**
 * The latest request of a `pull_request` event that the agent has, and whose job did not fail (contract 3.13): of the same
 * step, and of an earlier event. Where a command asks, of any step.
 */
export const keptInStep = ({
  history,
  identity,
}: Pick<Request, 'history' | 'identity'>): RequestComment | undefined =>
  history?.others.find(
    ({ record }) =>
      record.head.sha !== '' &&
      hasAgent(record) &&
      runIdOf(record) !== runIdOf(identity) &&
      (identity.head.step === '' || record.head.step === identity.head.step),
  )

const runIdOf = ({ run }: Pick<RequestRecord, 'run'>): string => run.split('.')[0] ?? ''

function hasAgent(record: RequestRecord): boolean {
  if (record.state !== 'reported') return record.state === 'running'
  const outcome = reportedOutcome(record)
  return outcome !== undefined && outcome !== 'failed'
}

/** What a pull request changes at a head, with a digest that a rebase and a merge of the base leave as it is. */
export async function digestChanges(
  session: Session,
  subject: { readonly number: number; readonly headSha: string },
): Promise<DigestedChanges> {
  const changes = await readPullRequestChanges(session, subject, MAX_FILES)
  const { files = [], pull } = changes
  const { headSha, changedFiles = files.length } = pull ?? { headSha: '' }
  const isWhole = headSha === subject.headSha && changedFiles === files.length && files.length < MAX_FILES
  // Of a file without either nothing tells whether it is the same.
  if (!isWhole || files.some(({ patch, sha }) => patch === '' && sha === ''))
    return { ...changes, digest: '' }
  const lines = files.map(({ path, earlierPath, status, patch, sha }) =>
    JSON.stringify([path, earlierPath, status, patch === '' ? sha : patch.replace(HUNK, '@@')]),
  )
  return { ...changes, digest: digestOf(lines.sort().join('\n')) }
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** Line numbers, and the heading that Git finds above. */
const HUNK = /^@@ -[\d,]+ \+[\d,]+ @@.*$/gm

type Increment =
  /** The agent has all. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'whole' }
  /** '' without context. */
  | { readonly kind: 'part'; readonly text: string }

const NOTHING: Increment = { kind: 'nothing' }
const WHOLE: Increment = { kind: 'whole' }

/** What of a `pull_request` event the agent does not have yet (contract 3.13). */
export async function planIncrement(
  session: Session,
  request: Request,
  { trigger, inputs }: Asked,
  { files, digest, pull }: DigestedChanges,
): Promise<Increment> {
  const { subject } = trigger
  const before = keptInStep(request)
  if (before === undefined || subject === undefined || !isPullRequestEvent(trigger)) return WHOLE
  const { head } = before.record
  if (before.record.state === 'running' && !inputs.dryRun) {
    // A job that failed may not be reported yet.
    const job = await session.client.read(before.record.job.id).catch(() => undefined)
    if (job?.status === 'failed') return WHOLE
  }
  const areKnown = digest !== '' && head.digest !== ''
  if (areKnown ? digest === head.digest : subject.headSha === head.sha) return NOTHING
  const { forge, warnings } = session
  const comparison = await forge.compare(head.sha, subject.headSha).catch((error: unknown) => {
    // After a force push, the forge may not know the earlier head any more.
    const isNoNews = isRefused(error, 404) || !inputs.context
    return isNoNews ? undefined : warnings.add('comparison', error)
  })
  // A later event brought what this one is about, or all that there is now.
  const isLate = pull !== undefined && pull.headSha !== subject.headSha
  const hasNewest = pull?.headSha === head.sha
  // Run ids grow: the agent has what a later event brought, and the next one brings what was pushed since.
  const isEarlier = Number(runIdOf(request.identity)) < Number(runIdOf(before.record))
  const isBehind = ['behind', 'identical'].includes(comparison?.status ?? '')
  if (isLate && (hasNewest || isEarlier || isBehind)) return NOTHING
  // Without a digest of before the agent may have got no files.
  if (!areKnown || comparison?.status !== 'ahead' || comparison.files === undefined || files === undefined)
    return WHOLE
  if (!inputs.context) return { kind: 'part', text: '' }
  const paths = new Set(files.flatMap(({ path, earlierPath }) => [path, earlierPath]))
  const own = comparison.files.filter(
    ({ path, earlierPath }) => paths.has(path) || (earlierPath !== '' && paths.has(earlierPath)),
  )
  if (own.length === 0) return WHOLE
  const others = comparison.files.length - own.length
  return { kind: 'part', text: describeIncrement(subject, head.sha, comparison, own, others) }
}

/**
 * Says that the code's pull request was merged or closed, while the one of the docs is open: there, or else in the thread;
 * once for each end (contract 3.13).
 * @returns undefined for every other event, and where no request keeps the docs in step
 */
export async function tellOfEnd(
  session: Session,
  request: Request,
  asked: Asked,
): Promise<Ending | undefined> {
  const { warnings, context, commentMode, deps } = session
  const { thread, identity } = request
  const { trigger, inputs } = asked
  if (!isPullRequestEvent(trigger) || trigger.action !== 'closed') return undefined
  await orCancelled(deps.cancellation, readThread(session, request, asked))
  const { history } = request
  // Another job of the workflow may take this event alone.
  const anyStep = { ...identity, head: { ...identity.head, step: '' } }
  if (keptInStep({ history, identity: anyStep }) === undefined) return undefined
  const done = ending('skipped', 'pull-request-closed')
  const job = history && threadJob(history)
  const link = job?.prLink ?? ''
  if (job === undefined || link === '' || thread === undefined || commentMode === 'off' || inputs.dryRun)
    return done
  request.shownJob = job
  const state = await pullRequestState(session, link)
  if (state === 'merged' || state === 'closed') return done
  const pull = pullRequestOf(link, context.serverUrl)
  const isHere = pull !== undefined && isInRepository(context.repository, pull)
  const code = `${fullName(context.repository)}#${thread.number}`
  const { state: end, closedAt = 0 } = trigger.subject ?? {}
  const isMerged = end === 'merged'
  // Each workflow that keeps the docs in step gets the event of the same end.
  const ofThisEnd =
    closedAt === 0 ? identity : { ...identity, key: digestOf(`${thread.number} ${end} ${closedAt}`) }
  if (pull !== undefined && !isHere && !thread.holds(ofThisEnd)) {
    const isNew = closedAt === 0 && context.runAttempt === 1
    const leave = () => leaveElsewhere(session, pull, endComment(code, isMerged), isNew, closedAt)
    if ((await warnings.warnOnFailure('end', leave)) !== false) return done
  }
  for (const place of [...(isHere ? [new Thread(pull.number)] : []), thread]) {
    const isThread = place === thread
    try {
      if (!isThread) await place.read(session)
      if (place.holds(ofThisEnd)) return done
      const text = endComment(code, isMerged, isThread ? pullRequestLink(link) : '')
      await place.link(session, ofThisEnd, job, text)
      return done
    } catch (error) {
      if (isThread || !isRefused(error)) {
        warnings.add('end', error)
        return done
      }
    }
  }
  return done
}
