import { ActionError, isRefused } from '../errors.ts'
import type { Issue } from '../github/answers.ts'
import { trackingBody } from '../messages/comments.ts'
import { otherKeyOfIssue } from '../messages/notes.ts'
import { type Known, NOTHING_KNOWN } from '../request/fold.ts'
import { type ActionRecord, MOST_MERGED, NO_IDENTITY, type RequestIdentity } from '../request/record.ts'
import { subscribersOf } from '../request/reviewers.ts'
import { isForeignText, recordInText, signRecord } from '../request/signed-record.ts'
import type { Session } from './session.ts'
import { Thread } from './thread.ts'

/** The account behind the token of a workflow, which cannot ask for its own name. */
const WORKFLOW_BOT = 'github-actions[bot]'

/**
 * A record is bound to its thread, and the number of an issue is only known once it is there. So the body carries a record of
 * thread 0, which counts only where the action's own account, or a bot, opened the issue: the issue is complete at once, and a
 * kill or a lost answer leaves none that the next run would not find.
 */
const NOT_YET_NUMBERED = 0

/**
 * The open issue of this title that the action created; it creates one where there is none.
 * @param creates a dry run creates none
 * @returns undefined for none, where the token may not open or read issues
 * @throws {GitHubError} where GitHub does not answer: there may be an issue that remembers an earlier attempt
 */
export async function findTrackingIssue(
  session: Session,
  title: string,
  identity: RequestIdentity,
  creates: boolean,
): Promise<Thread | undefined> {
  return await session.warnings.warnIfRefused(['issue-title', `“${title}”`], async () => {
    const found = await openIssues(session, title)
    // Of several, such as the successor of one that takes no more comments, the last one counts.
    const newestFirst = found.toSorted((a, b) => b.number - a.number)
    const last = newestFirst.find(({ record }) => record !== undefined) ?? newestFirst[0]
    if (last !== undefined) {
      const thread = new Thread(last.number, last.record)
      if (last.record !== undefined) return thread
      // A command there may have begun afresh.
      await thread.read(session)
      if (thread.recordsFor(identity).others.length > 0) return thread
      throw new ActionError('bad-input', otherKeyOfIssue(last.number, identity.command))
    }
    return creates ? await open(session, title, identity, NOTHING_KNOWN) : undefined
  })
}

/**
 * Opens an issue that goes on with what this one knows: GitHub takes no more than 2,500 comments in one, and none where it is
 * locked.
 * @returns undefined where the token may not open issues
 */
export const openSuccessor = async (
  session: Session,
  title: string,
  identity: RequestIdentity,
  known: Known,
): Promise<Thread | undefined> =>
  await session.warnings.warnIfRefused(['issue-title', `“${title}”`], () =>
    open(session, title, identity, known),
  )

async function open(
  { github, scope, deps }: Session,
  title: string,
  identity: RequestIdentity,
  { job, covered }: Pick<Known, 'job' | 'covered'>,
): Promise<Thread> {
  const subscribers = subscribersOf(identity.settings.reviewers, identity.requestedBy)
  const text = trackingBody(identity.command, subscribers)
  const merged = covered.merged.toSorted((a, b) => b - a).slice(0, MOST_MERGED)
  const known = { job, acceptedAt: 0, covered: { ...covered, merged } }
  // It is never the newest request. The merges of a refresh stand in its comment.
  const times = { writtenAt: deps.now(), heldForMs: 0 }
  const record: ActionRecord = { ...NO_IDENTITY, ...times, state: 'tracking', ...known }
  const signed = signRecord(record, { ...scope, thread: NOT_YET_NUMBERED })
  const { number } = await github.createIssue(title, `${text}\n\n${signed}`)
  return new Thread(number, record)
}

interface TrackingIssue {
  readonly number: number
  /** What a predecessor knew; undefined where no key at hand signed it. */
  readonly record: ActionRecord | undefined
}

async function openIssues(session: Session, title: string): Promise<readonly TrackingIssue[]> {
  const { github } = session
  const openedBy = async (creator: string | undefined, own?: string): Promise<readonly TrackingIssue[]> => {
    const open = await github.openIssues(creator).catch((error: unknown) => {
      // A server that does not know the account.
      if (isRefused(error, 422)) return []
      throw error
    })
    return open.flatMap((issue) => (issue.title === title && trackingOf(session, issue, own)) || [])
  }
  const [own, ofWorkflows] = await Promise.all([github.ownLogin(), openedBy(WORKFLOW_BOT)])
  // An app's token does not tell its account, so every open issue counts.
  return ofWorkflows.length > 0 ? ofWorkflows : await openedBy(own, own)
}

/** What people write around the record changes nothing. @param own login of the token's account */
function trackingOf(
  { scope }: Session,
  { body, author, isPullRequest, number }: Issue,
  own: string | undefined,
): TrackingIssue | undefined {
  const isOwn = author?.bot === true || (author !== undefined && author.login === own)
  if (isPullRequest || !isOwn) return undefined
  const record = recordInText(body, { ...scope, thread: NOT_YET_NUMBERED })
  if (record?.state === 'tracking') return { number, record }
  return isForeignText(body, scope) ? { number, record: undefined } : undefined
}
