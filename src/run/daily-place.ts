import { isRefused } from '../errors.ts'
import { explainGitHub } from '../messages/explain.ts'
import { endingAfter, limitReached, NOT_COUNTED, otherKeysNotCounted } from '../messages/notes.ts'
import {
  askAt,
  DAY_MS,
  type DailyPlace,
  nextPlace,
  type OwnAsk,
  type RecordedAsks,
} from '../request/daily-limit.ts'
import { type Ending, ending } from '../request/outcome.ts'
import { isRequestRecord } from '../request/record.ts'
import type { Request } from '../thread/request.ts'
import type { Session } from '../thread/session.ts'
import { otherKeysOf, trustedRecords } from '../thread/thread.ts'

/** @param limit the input `daily-limit`: without it, asks are noted for other workflows, and nothing is read */
export function dailyPlace(session: Session, request: Request, limit: number | undefined): DailyPlace {
  const { deps, github } = session
  let ask = ''
  let commentBefore: number | undefined

  const write = () => {
    ask = askAt(github.clock(), deps.random())
    request.updateIdentity({ asks: [ask, ...request.identity.asks] })
  }
  const giveBack = () => request.updateIdentity({ asks: request.identity.asks.filter((one) => one !== ask) })

  async function refusal(own?: OwnAsk): Promise<Ending | undefined> {
    if (limit === undefined || request.writableThread(session) === undefined) return undefined
    try {
      const { records, otherKeys } = await readAsks(session)
      if (otherKeys > 0 && request.action === 'none') deps.core.warning(otherKeysNotCounted(otherKeys))
      const freeAt = nextPlace(limit, records, github.clock(), own)
      return freeAt === undefined ? undefined : ending('skipped', 'daily-limit', limitReached(limit, freeAt))
    } catch (error) {
      if (!isRefused(error)) return endingAfter(deps, error)
      const doing = 'count the requests of the last day for `daily-limit`'
      return ending('error', 'github-unavailable', explainGitHub(error, doing, 'issues: write'))
    }
  }

  return {
    async take() {
      const isUncounted = limit !== undefined && request.writableThread(session) === undefined
      if (isUncounted && request.action === 'none') deps.core.warning(NOT_COUNTED)
      const end = await refusal()
      if (end !== undefined) return end
      commentBefore = request.records()?.own?.id
      write()
      return undefined
    },
    async confirm() {
      if (request.lastWrite !== 'done') {
        if (limit !== undefined && request.lastWrite === 'refused') deps.core.warning(NOT_COUNTED)
        return undefined
      }
      const comment = request.records()?.own?.id
      return await refusal({ ask, commentId: comment === commentBefore ? undefined : comment })
    },
    redate() {
      giveBack()
      write()
    },
    giveBack,
  }
}

/** One list, as a sweep reads it. @throws {GitHubError} */
async function readAsks({
  github,
  scope,
}: Session): Promise<{ readonly records: readonly RecordedAsks[]; readonly otherKeys: number }> {
  const since = new Date(github.clock() - DAY_MS).toISOString()
  const records: RecordedAsks[] = []
  let otherKeys = 0
  for await (const comments of github.listRepositoryComments(since)) {
    const recorded = await trustedRecords(github, comments, ({ thread }) => ({ ...scope, thread }))
    for (const { id, record } of recorded) {
      const asks = [...record.asks, ...(record.memory?.grows.asks ?? [])]
      const isNext = isRequestRecord(record) && record.state === 'sending'
      records.push({ commentId: id, asks, next: isNext ? record.asks[0] : undefined })
    }
    const known = new Set(recorded.map(({ id }) => id))
    const others = comments.filter(({ id, author }) => author?.bot === true && !known.has(id))
    otherKeys += otherKeysOf(others, scope).count
  }
  return { records, otherKeys }
}
