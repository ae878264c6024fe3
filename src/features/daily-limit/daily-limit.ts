// Off without `daily-limit`: then asks are counted for other workflows, and nothing is read.

import { isRefused } from '../../base/errors.ts'
import { DAY_MS } from '../../inputs/period.ts'
import { type Ending, ending } from '../../record/outcome.ts'
import { endingAfter } from '../../thread/ending-after.ts'
import { readRecords } from '../../thread/read-records.ts'
import type { Run } from '../../thread/run.ts'
import type { Session } from '../../thread/session.ts'
import { explainRefusal } from '../../words/explain.ts'
import { limitReached, NOT_COUNTED, unverifiedNotCounted } from '../../words/notes.ts'

/**
 * When the agent may be asked again, in ms since the epoch; undefined for now.
 * @param asks when requests and fixes went to the agent, or may have, in ms since the epoch by GitHub's clock
 */
export function nextFreeAt(limit: number, asks: readonly number[], now: number): number | undefined {
  const ofDay = [...new Set(asks)].filter((time) => Math.abs(now - time) < DAY_MS)
  const leaving = ofDay.toSorted((a, b) => a - b).at(-limit)
  return leaving === undefined ? undefined : leaving + DAY_MS
}

/**
 * Before the agent is asked. Two runs at once may both be let in.
 * @param limit of the input @returns how the run ends where the agent was asked so often
 */
export async function refusedToday(
  session: Session,
  run: Run,
  limit: number | undefined,
): Promise<Ending | undefined> {
  const { deps, github } = session
  if (limit === undefined) return undefined
  if (run.writableThread(session) === undefined) {
    if (run.state.state === 'idle') deps.core.warning(NOT_COUNTED)
    return undefined
  }
  try {
    const { asks, uncounted } = await readAsks(session)
    if (uncounted > 0 && run.state.state === 'idle') deps.core.warning(unverifiedNotCounted(uncounted))
    const freeAt = nextFreeAt(limit, asks, github.clock())
    return freeAt === undefined ? undefined : ending('skipped', 'daily-limit', limitReached(limit, freeAt))
  } catch (error) {
    if (!isRefused(error)) return endingAfter(deps, error)
    const doing = 'count the requests of the last day for `daily-limit`'
    const [cause, then] = explainRefusal(error, doing, 'issues: write')
    return ending('error', 'github-unavailable', `${cause} ${then}`)
  }
}

/** The agent is asked, or may have been: the next record says so. */
export function countAsk({ deps, github }: Session, run: Run): void {
  // GitHub's clock counts seconds, and two asks of the same one are two.
  const at = Math.round(github.clock() + 1000 * deps.random())
  run.updateIdentity({ asks: [at, ...run.identity.asks] })
}

/** How failures of checks count, which go to the agent as well. @param limit undefined for none */
export const quotaOf = (session: Session, run: Run, limit: number | undefined) => ({
  end: () => refusedToday(session, run, limit),
  count: () => countAsk(session, run),
})

/** One list, as a sweep reads it. @returns times in ms since the epoch, and the number of comments that do not verify @throws {GitHubError} */
async function readAsks(session: Session) {
  const { github } = session
  const since = new Date(github.clock() - DAY_MS).toISOString()
  const asks: number[] = []
  let uncounted = 0
  for await (const comments of github.listRepositoryComments(since)) {
    const { recorded, unverified } = await readRecords(session, comments, ({ thread }) => thread)
    for (const { record, updatedAt } of recorded) {
      asks.push(...record.asks)
      // It may have gone out.
      if (record.state === 'sending') asks.push(updatedAt)
    }
    uncounted += unverified.length
  }
  return { asks, uncounted }
}
