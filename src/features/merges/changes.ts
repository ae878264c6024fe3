import pLimit from 'p-limit'
import { linksInThreads, readAgentJobs, withoutAgents } from '../../core/agent-pull-requests.ts'
import { NOTHING_KNOWN } from '../../core/fold.ts'
import type { ThreadRecords } from '../../core/log.ts'
import { type Ending, ending } from '../../core/outcome.ts'
import type { Request } from '../../core/request.ts'
import type { Session } from '../../core/session.ts'
import { isPullRequestEvent } from '../../event/gate.ts'
import type { PullRequest } from '../../event/objects.ts'
import type { ChangesSince } from '../../inputs/inputs.ts'
import { type PathFilter, touchesPaths } from '../../inputs/paths.ts'
import type { Excerpt } from '../../prompt/context.ts'
import type { Task } from '../../prompt/task.ts'
import { nothingMerged } from '../../words/notes.ts'
import { aboutHead, type Code, MAX_FILES } from '../pull-request/code.ts'
import { describeNew } from '../pull-request/same-changes.ts'
import { forMerges, withAuthors } from '../reviewers-and-labels/reviewers.ts'
import { closedPage, countsByLabels, describeChanges, mergedSince, pointOf, since } from './merges.ts'

/** As far as the changes can be read before the thread is known. */
export async function listChanges(session: Session, { trigger }: Task, changesSince: ChangesSince) {
  const { subject } = trigger
  // A pull request belongs to its base; every other event belongs to the branch of its workflow.
  const branch = subject?.base || session.context.branch
  const [firstPage, agents] = await Promise.all([closedPage(session, branch, 1), readAgentJobs(session)])
  return { changesSince, branch, firstPage, agents }
}

type Listing = Awaited<ReturnType<typeof listChanges>>

/** What the agent does not have yet; undefined for nothing. */
export interface News {
  /** Of the pull request that an event is about, since the agent got it; undefined for all of it. */
  readonly ofPullRequest: Excerpt | undefined
  readonly merged: Excerpt | undefined
}

/**
 * Notes in the request which pull requests it is about, and reads what of them the agent does not have.
 * @param code the pull request that a status is about
 * @param listing undefined where the request is about no merges
 * @returns how the run ends where there is nothing to ask for
 */
export async function readNews(
  session: Session,
  request: Request,
  task: Task,
  code: Code | undefined,
  listing: Listing | undefined,
): Promise<News | Ending> {
  const { inputs, trigger, references } = task
  const { subject } = trigger
  const { known } = request
  const { settings, requestedAt } = request.identity
  if (subject?.isPullRequest === true) request.updateIdentity({ ...withAuthors(settings, [subject]) })
  if (code !== undefined && !inputs.dryRun)
    request.updateIdentity(await aboutHead(session, request.identity, inputs.commitStatus, code, known.job))
  const { step } = request.identity.head
  const before = known.code.find((one) => one.step === step)
  const isKnown = isPullRequestEvent(trigger) && step !== '' && code !== undefined
  const ofPullRequest = isKnown ? await describeNew(session, before, task, code) : undefined
  if (listing === undefined) return { ofPullRequest, merged: undefined }
  const changes = await readChanges(session, request.records(), listing, task, requestedAt)
  // What readers miss is worth a request also where nothing was merged.
  if ('outcome' in changes) return references === '' ? changes : { ofPullRequest, merged: undefined }
  const { coversUntil, pulls, text } = changes
  request.updateIdentity({ coversUntil })
  if (pulls !== undefined) request.updateIdentity(forMerges(settings, pulls))
  return { ofPullRequest, merged: text }
}

interface MergedChanges {
  /** For the agent. */
  readonly text: Excerpt
  /** The newest of the merges, in ms since the epoch; 0 where they cannot be remembered. */
  readonly coversUntil: number
  /** In the order of their merges; undefined where they cannot be read. */
  readonly pulls: readonly PullRequest[] | undefined
}

/**
 * The pull requests merged since then, without the agent's own.
 * @param records of the thread; undefined where it cannot be read @param now in ms since the epoch
 * @returns how the run ends where there are none
 */
async function readChanges(
  session: Session,
  records: ThreadRecords | undefined,
  { changesSince, branch, firstPage, agents }: Listing,
  { inputs, trigger }: Task,
  now: number,
): Promise<MergedChanges | Ending> {
  const { job, covered } = records?.known ?? NOTHING_KNOWN
  const point = pointOf(changesSince, covered, now)
  const isLastRun = changesSince === 'last-run'
  const isNew = ({ number }: PullRequest) => !isLastRun || !covered.merged.includes(number)
  // Merges are dated in whole seconds, so one of the last covered second may have come after the list was read.
  const from = isLastRun && point === covered.until ? point - 1 : point
  const all = await mergedSince(session, branch, from, firstPage)
  const found = all?.filter(isNew)
  const without = (pulls: typeof all, links: readonly string[]) =>
    pulls && withoutAgents(session, inputs.allowedBots, pulls, links)
  const unknown = await without(found, [...agents.links, job?.prLink ?? ''])
  const merged = await without(unknown, await linksInThreads(session, unknown ?? [], agents.since))
  const labelled = merged?.filter((pull) => countsByLabels(pull, inputs.mergedLabels))
  // What a person asks is about all files.
  const paths = trigger.comment === undefined ? inputs.paths : undefined
  const pulls = labelled && (await countsByFiles(session, paths)(labelled))
  if (pulls?.length === 0) {
    const place = since(branch, point)
    const [all = 0, others = 0, counting = 0] = [found?.length, merged?.length, labelled?.length]
    return ending('skipped', 'no-changes', nothingMerged(all, others, counting, place))
  }
  const text = await describeChanges(session, branch, point, pulls)
  // Where the history cannot be read, merges between the last run and the first days are not covered.
  const coversUntil = isLastRun && records === undefined ? 0 : (pulls?.at(-1)?.mergedAt ?? 0)
  return { text, coversUntil, pulls }
}

/**
 * Gives those of the merged pull requests that change a file that `paths` names. It reads the files of each once, however often
 * it is called; one whose files GitHub refuses to show counts.
 * @throws {GitHubError} where GitHub does not answer: nothing was asked then
 */
export function countsByFiles({ github, warnings }: Session, paths: PathFilter | undefined) {
  const known = new Map<number, boolean>()
  return async (pulls: readonly PullRequest[]): Promise<readonly PullRequest[]> => {
    if (paths === undefined) return pulls
    const unknown = pulls.filter(({ number }) => !known.has(number))
    await pLimit(8).map(unknown, async ({ number }) => {
      const files = await warnings.warnIfRefused('files', () => github.pullRequestFiles(number, MAX_FILES))
      known.set(number, touchesPaths(paths, files, MAX_FILES))
    })
    return pulls.filter(({ number }) => known.get(number) === true)
  }
}
