import { isRefused } from '../base/errors.ts'
import { byRequest, type RequestComment } from '../record/fold.ts'
import { isLeased } from '../record/log.ts'
import type { Run } from './run.ts'
import type { Session } from './session.ts'

/** A comment with a record, as it was at one time. */
export const versionOf = ({ id, record }: Pick<RequestComment, 'id' | 'record'>): string =>
  `${id} ${record.writtenAt}`

/** All records of the request. */
const recordsIn = ({ thread, identity }: Run): readonly RequestComment[] =>
  byRequest(thread?.log ?? []).get(identity.requestDigest) ?? []

/** The records of the request, as the thread has them now. */
export const versionsIn = (run: Run): ReadonlySet<string> => new Set(recordsIn(run).map(versionOf))

/**
 * Takes a request that no run holds, before something goes out for it: its record in a comment of its own, and then one look at the
 * thread. Of two processes that do so at once, both see the ids, and the lower one goes on.
 * @param before the records as they were when this process took it up @param body of the comment
 * @returns `taken` where another process holds it, has changed it, or may have: then this one sends nothing
 */
export async function acquireLease(
  session: Session,
  run: Run,
  before: ReadonlySet<string>,
  body: string,
): Promise<'done' | 'taken' | 'refused'> {
  const thread = run.writableThread(session)
  if (thread === undefined) return 'refused'
  const { warnings, github } = session
  const write = thread.write(session, undefined, run.recordNow(session), body)
  const mine = await write.catch((error: unknown) => {
    warnings.add(['comment', 'status comment'], error)
    return isRefused(error) ? ('refused' as const) : ('taken' as const)
  })
  if (typeof mine === 'string') return mine
  const isRead = await warnings.warnOnFailure(['thread', thread.number], async () => {
    await thread.read(session)
    return true
  })
  const isOthers = ({ id, record, updatedAt }: RequestComment) =>
    isLeased(record, updatedAt, github.clock()) || (id < mine.id && !before.has(versionOf({ id, record })))
  const others = recordsIn(run).filter(({ id }) => id !== mine.id)
  // A list without the own comment says nothing of the others there.
  const isListed = thread.comments.some(({ id }) => id === mine.id)
  if (isRead === true && isListed && !others.some(isOthers)) {
    // Each of the other processes deletes the comment that it wrote.
    for (const { id } of others) if (id > mine.id) thread.forget(id)
    run.noteWrite(undefined)
    return 'done'
  }
  await warnings.doneOrRefused('replaced', () => thread.delete(session, mine.id))
  return 'taken'
}

/** Whether another process wrote a record of the request since. @throws {GitHubError} */
export async function hasChanged(session: Session, run: Run, before: ReadonlySet<string>): Promise<boolean> {
  await run.thread?.read(session)
  const now = versionsIn(run)
  return now.size !== before.size || [...now].some((version) => !before.has(version))
}
