import pLimit from 'p-limit'
import { type PullRequest, targetBranch } from '../../event/objects.ts'
import type { ChangesSince } from '../../inputs/inputs.ts'
import { type PathFilter, touchesPaths } from '../../inputs/paths.ts'
import { type Part, partOf } from '../../prompt/parts.ts'
import type { Task } from '../../prompt/task.ts'
import type { Facts } from '../../record/fold.ts'
import { type Ending, ending } from '../../record/outcome.ts'
import { linksInThreads, readAgentJobs, withoutAgents } from '../../thread/agent-pull-requests.ts'
import { MAX_FILES } from '../../thread/pull-changes.ts'
import type { Run } from '../../thread/run.ts'
import type { Session } from '../../thread/session.ts'
import { nothingMerged } from '../../words/notes.ts'
import { closedPage, describeChanges, mergedSince, pointOf, since } from './merged-since.ts'
import { noteUncounted, pickMerges } from './pick-merges.ts'

/** As far as the changes can be read before the thread is known. */
export async function listChanges(session: Session, { trigger }: Task, changesSince: ChangesSince) {
  const { subject, release } = trigger
  // Every other event belongs to the branch of its workflow; those of tags, to the default branch.
  const branch = (subject && targetBranch(subject)) || release?.branch || session.runner.branch
  const [firstPage, agents] = await Promise.all([closedPage(session, branch, 1), readAgentJobs(session)])
  return { changesSince, branch, firstPage, agents }
}

interface Points extends Awaited<ReturnType<typeof listChanges>> {
  /** Of the closed issues before this one, where it has no point of its own. */
  readonly coveredByClosed: Facts['covered'] | undefined
}

interface Merged {
  /** For the agent. */
  readonly about: readonly Part[]
  /** In the order of their merges; undefined where they cannot be read. */
  readonly pulls: readonly PullRequest[] | undefined
}

/**
 * Reads what was merged, and notes in the request how far it goes.
 * @returns how the run ends where there is nothing to ask for
 */
export async function readMerged(
  session: Session,
  run: Run,
  task: Task,
  listing: Points,
): Promise<Merged | Ending> {
  const changes = await readChanges(session, run, task, listing)
  if ('outcome' in changes) return changes
  run.updateIdentity({ coversUntil: changes.coversUntil })
  return changes
}

interface MergedChanges extends Merged {
  /** The newest of the merges, in ms since the epoch; 0 where they cannot be remembered. */
  readonly coversUntil: number
}

/**
 * The pull requests merged since then, without the agent's own.
 * @returns how the run ends where there are none
 */
async function readChanges(
  session: Session,
  run: Run,
  { inputs, trigger, references }: Task,
  { changesSince, branch, firstPage, agents, coveredByClosed }: Points,
): Promise<MergedChanges | Ending> {
  const { job, covered: own } = run.facts
  const covered = own.until > 0 ? own : (coveredByClosed ?? own)
  const point = pointOf(changesSince, covered, run.identity.requestedAt)
  const isLastRun = changesSince === 'last-run'
  const isNew = ({ number }: PullRequest) => !isLastRun || !covered.merged.includes(number)
  // Merges are dated in whole seconds, so one of the last covered second may have come after the list was read.
  const from = isLastRun && point === covered.until ? point - 1 : point
  const all = await mergedSince(session, branch, from, firstPage)
  const found = all?.filter(isNew)
  const without = (pulls: typeof all, links: readonly string[]) =>
    pulls && withoutAgents(session, inputs.allowedBots, pulls, links)
  const links = [...agents.links, job?.prLink ?? '']
  const unknown = await without(found, links)
  const merged = await without(unknown, await linksInThreads(session, unknown ?? [], agents.since))
  const picked = merged && pickMerges(found ?? [], merged, inputs, links)
  // What a person asks is about all files.
  const paths = trigger.comment === undefined ? inputs.paths : undefined
  const pulls = picked && (await countsByFiles(session, paths)(picked.counting))
  if (picked && pulls?.length === 0) {
    const { counting, uncounted } = picked
    const counts = { all: found?.length ?? 0, counting: counting.length }
    // What readers miss is worth a request also where nothing was merged.
    return references.length === 0
      ? ending('skipped', 'no-changes', nothingMerged(counts, uncounted, since(branch, point)))
      : { about: [noneMerged(noteUncounted(session, uncounted))], coversUntil: 0, pulls: undefined }
  }
  const note = picked ? noteUncounted(session, picked.uncounted) : ''
  const about = await describeChanges(session, branch, point, pulls, { paths: inputs.paths, note })
  // Where the history cannot be read, merges between the last run and the first days are not covered.
  const coversUntil = isLastRun && run.records() === undefined ? 0 : (pulls?.at(-1)?.mergedAt ?? 0)
  return { about, coversUntil, pulls }
}

/** Nothing, where there is no note. */
const noneMerged = (note: string): Part => partOf({ kind: 'merged titles', count: 0 }, '', { note })

/**
 * Gives those of the merged pull requests that change a file that `paths` names. It reads the files of each once, however often
 * it is called; one whose files GitHub refuses to show counts.
 * @throws {GitHubError} where GitHub does not answer: nothing was asked then
 */
export function countsByFiles({ github, warnings }: Session, paths: PathFilter | undefined) {
  const counts = new Map<number, boolean>()
  return async (pulls: readonly PullRequest[]): Promise<readonly PullRequest[]> => {
    if (paths === undefined) return pulls
    const unknown = pulls.filter(({ number }) => !counts.has(number))
    await pLimit(8).map(unknown, async ({ number }) => {
      const files = await warnings.warnIfRefused('files', () => github.pullRequestFiles(number, MAX_FILES))
      counts.set(number, touchesPaths(paths, files, MAX_FILES))
    })
    return pulls.filter(({ number }) => counts.get(number) === true)
  }
}
