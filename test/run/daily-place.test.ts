import { expect, test } from 'vitest'
import { type Ending, ending } from '../../src/request/outcome.ts'
import type { RequestIdentity } from '../../src/request/record.ts'
import { signRecord } from '../../src/request/signed-record.ts'
import { dailyPlace } from '../../src/run/daily-place.ts'
import type { Request } from '../../src/thread/request.ts'
import type { Session } from '../../src/thread/session.ts'
import { IDENTITY, recordOf } from '../request/helpers.ts'

const NOW = Date.UTC(2026, 6, 1)
const SCOPE = { keys: ['test-key'], projectId: 'docs', repositoryId: 4242 }
const OTHER = 20

/**
 * Two runs want the last place of a day, and each has written its ask into its comment.
 * @param own ids of the own comment before the ask was written, and after it; undefined for none
 */
async function confirmed(own: {
  readonly before?: number
  readonly after: number
}): Promise<Ending | undefined> {
  let identity: RequestIdentity = IDENTITY
  let commentId = own.before
  const request = {
    get identity() {
      return identity
    },
    updateIdentity(more: Partial<RequestIdentity>) {
      identity = { ...identity, ...more }
    },
    writableThread: () => ({}),
    records: () => ({ own: commentId === undefined ? undefined : { id: commentId } }),
    action: 'announced',
    // GitHub took the comment.
    ...{ failure: undefined, lastWrite: 'done' },
  }
  const listed: object[] = []
  const deps = { random: () => 0.5, now: () => NOW, monotonic: () => 0, core: { warning: () => {} } }
  const github = {
    clock: () => NOW,
    async *listRepositoryComments() {
      yield listed
    },
  }
  const session = { deps, github, scope: SCOPE } as unknown as Session
  const place = dailyPlace(session, request as unknown as Request, 1)
  expect(await place.take()).toBeUndefined()
  commentId = own.after
  const asks = ['000000zzz'.replace('000000', identity.asks[0]?.slice(0, 6) ?? '')]
  for (const [id, key, all] of [
    [own.after, 'mine', identity.asks],
    [OTHER, 'other', asks],
  ] as const) {
    const record = recordOf({ state: 'sending', jobId: '', ending: undefined, ...{ key, asks: [...all] } })
    const body = `words\n\n${signRecord(record, { ...SCOPE, thread: 12 })}`
    const times = { createdAt: NOW, updatedAt: NOW }
    listed.push({ id, url: '', body, author: { login: 'docs[bot]', bot: true }, thread: 12, ...times })
  }
  return await place.confirm()
}

const refused = expect.objectContaining({ ...ending('skipped', 'daily-limit'), message: expect.any(String) })

test.each<[string, { readonly before?: number; readonly after: number }, unknown]>([
  ['a request whose comment is the older one is sent', { after: OTHER - 1 }, undefined],
  ['a request whose comment is the newer one gives way', { after: OTHER + 1 }, refused],
  ['a re-run with a new comment is a request like any other', { before: 5, after: OTHER - 1 }, undefined],
  ['a fix gives way, because its comment is older than its ask', { before: 5, after: 5 }, refused],
])('3.15 of two runs that want the last place of the day: %s', async (_, own, end) => {
  expect(await confirmed(own)).toEqual(end)
})
