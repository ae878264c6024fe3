import type { PullRequest } from '../event/objects.ts'
import type { ChangesSince } from '../inputs/inputs.ts'
import { nothingMerged } from '../messages/notes.ts'
import { closedPage, countsByLabels, describeChanges, mergedSince, pointOf, since } from '../prompt/merges.ts'
import { type Ending, ending } from '../request/outcome.ts'
import { withAuthors } from '../request/reviewers.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { readAgentJobs, withoutAgents } from './agent-pull-requests.ts'
import type { Asked } from './asked.ts'

/** As far as the changes can be read before the thread is known (contract 5.8). */
export async function listChanges(session: Session, { trigger }: Asked, changesSince: ChangesSince) {
  const { subject } = trigger
  // A pull request belongs to its base; every other event belongs to the branch of its workflow.
  const branch = subject?.base || session.context.branch
  const [firstPage, { links }] = await Promise.all([closedPage(session, branch, 1), readAgentJobs(session)])
  return { changesSince, branch, firstPage, links }
}

export type Listing = Awaited<ReturnType<typeof listChanges>>

/**
 * The pull requests merged since then, without the agent's own (contract 3.10); the record remembers the newest.
 * @returns the text of the changes, or how the run ends where there are none
 */
export async function readChanges(
  session: Session,
  request: Request,
  { changesSince, branch, firstPage, links }: Listing,
  { inputs }: Asked,
): Promise<string | Ending> {
  const { history, identity } = request
  const point = pointOf(changesSince, history, identity.requestedAt)
  const isLastRun = changesSince === 'last-run'
  const isNew = ({ number }: PullRequest) => !isLastRun || history?.covered.has(number) !== true
  // Merges are dated in whole seconds, so one of the last covered second may have come after the list was read.
  const from = isLastRun && point === history?.coveredUntil ? point - 1 : point
  const all = await mergedSince(session, branch, from, firstPage)
  const found = all?.filter(isNew)
  const known = [...links, ...(history?.prLinks ?? [])]
  const merged = found && (await withoutAgents(session, inputs.allowedBots, found, known))
  const pulls = merged?.filter((pull) => countsByLabels(pull, inputs.mergedLabels))
  if (pulls?.length === 0) {
    const [all, others] = [found?.length ?? 0, merged?.length ?? 0]
    return ending('skipped', 'no-changes', nothingMerged(all, others, since(branch, point)))
  }
  const text = await describeChanges(session, branch, point, pulls)
  // Where the history cannot be read, merges between the last run and the first days are not covered.
  const newest = isLastRun && history === undefined ? 0 : (pulls?.at(-1)?.mergedAt ?? 0)
  const numbers = pulls?.map(({ number }) => number).slice(-MOST_NAMED)
  const authors = pulls && withAuthors(identity.settings, pulls.toReversed())
  request.amend({ coversUntil: newest, ...(numbers && { merged: numbers }), ...authors })
  return text
}

/** Numbers that a record holds; it has to fit into a comment. */
const MOST_NAMED = 500
