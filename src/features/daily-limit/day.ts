import { ending } from '../../core/outcome.ts'
import type { Request } from '../../core/request.ts'
import type { Session } from '../../core/session.ts'
import { countOtherKeys, trustedRecords } from '../../core/thread.ts'
import { isRefused } from '../../errors.ts'
import { explainGitHub } from '../../words/explain.ts'
import { endingAfter, limitReached, NOT_COUNTED, otherKeysNotCounted } from '../../words/notes.ts'
import { DAY_MS, type Day, nextPlace } from './daily-limit.ts'

/** @param limit the input `daily-limit`: without it, asks are counted for other workflows, and nothing is read */
export const dayOf = (session: Session, request: Request, limit: number | undefined): Day => ({
  async full() {
    const { deps, github } = session
    if (limit === undefined) return undefined
    if (request.writableThread(session) === undefined) {
      if (request.action === 'none') deps.core.warning(NOT_COUNTED)
      return undefined
    }
    try {
      const { asks, otherKeys } = await readAsks(session)
      if (otherKeys > 0 && request.action === 'none') deps.core.warning(otherKeysNotCounted(otherKeys))
      const freeAt = nextPlace(limit, asks, github.clock())
      return freeAt === undefined ? undefined : ending('skipped', 'daily-limit', limitReached(limit, freeAt))
    } catch (error) {
      if (!isRefused(error)) return endingAfter(deps, error)
      const doing = 'count the requests of the last day for `daily-limit`'
      return ending('error', 'github-unavailable', explainGitHub(error, doing, 'issues: write'))
    }
  },
  count() {
    const { deps, github } = session
    // GitHub's clock counts seconds, and two asks of the same one are two.
    const at = Math.round(github.clock() + 1000 * deps.random())
    request.updateIdentity({ asks: [at, ...request.identity.asks] })
  },
})

/** One list, as a sweep reads it. @returns times in ms since the epoch, and the number of comments by other keys @throws {GitHubError} */
async function readAsks({ github, scope }: Session) {
  const since = new Date(github.clock() - DAY_MS).toISOString()
  const asks: number[] = []
  let otherKeys = 0
  for await (const comments of github.listRepositoryComments(since)) {
    const recorded = await trustedRecords(github, comments, ({ thread }) => ({ ...scope, thread }))
    for (const { record } of recorded) {
      asks.push(...record.asks)
      // It may have gone out.
      if (record.state === 'sending') asks.push(record.writtenAt)
    }
    const known = new Set(recorded.map(({ id }) => id))
    const others = comments.filter(({ id }) => !known.has(id))
    otherKeys += await countOtherKeys(github, others, scope)
  }
  return { asks, otherKeys }
}
