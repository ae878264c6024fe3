import { isRefused } from '../base/errors.ts'
import type { RequestComment } from '../record/fold.ts'
import { isLeased } from '../record/log.ts'
import { isOfSameRun } from '../record/request-identity.ts'
import { withoutRecord } from '../record/signed-record.ts'
import { jobOf } from '../record/states.ts'
import { versionOf } from './acquire-lease.ts'
import type { Run } from './run.ts'
import type { Session } from './session.ts'
import type { Thread } from './thread.ts'

/**
 * Deletes the comments that a newer one replaced, but for what another run holds. Of two processes at once, each may take its own
 * comment for the one that counts. Neither deletes the youngest one that names the job, so one always stays.
 * @returns whether none is left
 */
export async function deleteReplaced(session: Session, run: Run): Promise<boolean> {
  const thread = run.writableThread(session)
  if (thread === undefined) return true
  if (!(await movedToYoungest(session, run, thread))) return false
  const remove = ({ id }: RequestComment) =>
    session.warnings.doneOrRefused('replaced', () => thread.delete(session, id))
  return (await Promise.all(overIn(session, run, thread).over.map(remove))).every(Boolean)
}

/** The comment that counts, and those that are over. */
function overIn(session: Session, run: Run, thread: Thread) {
  const now = session.github.clock()
  const { current, replaced } = thread.recordsFor(run.identity)
  const over = replaced.filter(
    ({ record, updatedAt }) => isOfSameRun(record, run.identity) || !isLeased(record, updatedAt, now),
  )
  return { current, over }
}

/** The youngest comment of the request says what the one that counts says. @returns false where another process is about it */
async function movedToYoungest(session: Session, run: Run, thread: Thread): Promise<boolean> {
  const found = youngerIn(session, run, thread)
  if (found === undefined) return true
  if (!(await thread.readOrWarn(session))) return false
  const again = youngerIn(session, run, thread)
  if (again === undefined) return true
  const { current, youngest } = again
  const isUnchanged =
    versionOf(youngest) === versionOf(found.youngest) && versionOf(current) === versionOf(found.current)
  if (!isUnchanged) return false
  const record = { ...current.record, writtenAt: run.nextWrittenAt(session) }
  try {
    await thread.write(session, youngest.id, record, withoutRecord(current.body))
    return true
  } catch (error) {
    session.warnings.add(['comment', 'status comment'], error)
    if (isRefused(error, 404)) thread.forget(youngest.id)
    return isRefused(error, 404)
  }
}

/** Where a comment that is over is younger than the one that counts. */
function youngerIn(session: Session, run: Run, thread: Thread) {
  const { current, over } = overIn(session, run, thread)
  const [youngest] = over
    .filter(({ record }) => jobOf(record) !== undefined)
    .toSorted((one, other) => other.id - one.id)
  if (current === undefined || youngest === undefined || youngest.id < current.id) return undefined
  return { current, youngest }
}
