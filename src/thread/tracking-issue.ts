import { isRefused } from '../errors.ts'
import type { Issue } from '../github/answers.ts'
import { trackingBody, withLastRefresh } from '../messages/comments.ts'
import type { Report } from '../messages/report.ts'
import { closeIssueTask, findIssueTask, updateTrackingIssueTask } from '../messages/side-tasks.ts'
import {
  type RepositoryScope,
  type RequestIdentity,
  type SigningContext,
  signRecord,
  verifyRecord,
  withoutRecord,
} from '../request/record.ts'
import { subscribersOf } from '../request/reviewers.ts'
import type { Session } from './session.ts'
import type { Thread } from './thread.ts'

/** The account behind the token of a workflow, which cannot ask for its own name. */
const WORKFLOW_BOT = 'github-actions[bot]'

/**
 * A record is bound to its thread, and the number of an issue is only known once it is there. A new issue carries a
 * record of thread 0, which counts only where the action's own account, or a bot, opened the issue: so the issue is
 * complete at once, and a kill or a lost answer leaves none that the next run would not find.
 */
const NOT_YET_NUMBERED = 0

/**
 * Finds the open tracking issue of this title, or creates it, once (contract 3.9).
 * @param creates a dry run creates none
 * @returns undefined for none, where the token may not open or read issues
 * @throws {ForgeError} where GitHub does not answer: there may be an issue that remembers an earlier attempt
 */
export async function findTrackingIssue(
  session: Session,
  title: string,
  identity: RequestIdentity,
  creates: boolean,
): Promise<number | undefined> {
  const { forge, warnings } = session
  const found = await warnings.warnIfRefused(findIssueTask(title), () =>
    findOrCreate(session, title, identity, creates),
  )
  // The lowest number counts. Two runs that started together created one issue each.
  const [number, ...others] = [...new Set(found ?? [])].toSorted((a, b) => a - b)
  const close = (other: number) => warnings.warnOnFailure(closeIssueTask, () => forge.closeIssue(other))
  await Promise.all(others.map(close))
  return number
}

/** @returns the numbers of the open issues of this title that the action created, now or earlier */
async function findOrCreate(
  session: Session,
  title: string,
  identity: RequestIdentity,
  creates: boolean,
): Promise<readonly number[]> {
  const { forge, scope, deps } = session
  const openedBy = async (creator: string | undefined, own?: string): Promise<readonly number[]> => {
    const open = await forge.openIssues(creator).catch((error: unknown) => {
      // A server that does not know the account.
      if (isRefused(error, 422)) return []
      throw error
    })
    return open
      .filter((issue) => issue.title === title && isTracking(issue, scope, own))
      .map(({ number }) => number)
  }
  const [own, ofWorkflows] = await Promise.all([forge.ownLogin(), openedBy(WORKFLOW_BOT)])
  // An app's token does not tell its account, so every open issue counts.
  const found = ofWorkflows.length > 0 ? ofWorkflows : await openedBy(own, own)
  if (found.length > 0 || !creates) return found
  const signing = { ...scope, thread: NOT_YET_NUMBERED }
  const subscribers = subscribersOf(identity.settings.reviewers, identity.requestedBy)
  const body = signedBody(trackingBody(identity.command, subscribers), identity, deps.now(), signing)
  const created = await forge.createIssue(title, body)
  // Another run may have created one meanwhile.
  return [created.number, ...(await openedBy(created.author?.login, own).catch(() => []))]
}

function isTracking(issue: Issue, scope: RepositoryScope, own: string | undefined): boolean {
  const { body, number, author, isPullRequest } = issue
  const isOwn = author?.bot === true || (author !== undefined && author.login === own)
  return !isPullRequest && isTrackingBody(body, scope, isOwn ? [number, NOT_YET_NUMBERED] : [number])
}

const isTrackingBody = (body: string, scope: RepositoryScope, threads: readonly number[]): boolean =>
  threads.some((thread) => verifyRecord(body, { ...scope, thread })?.state === 'tracking')

function signedBody(text: string, identity: RequestIdentity, now: number, signing: SigningContext): string {
  // The numbers of a refresh belong to its comment.
  const record = { ...identity, merged: [], state: 'tracking', writtenAt: now } as const
  return `${text}\n\n${signRecord(record, signing)}`
}

/** Shows the refresh in the body of its tracking issue, read again because people may have edited it meanwhile. */
export async function updateTrackingIssue(session: Session, thread: Thread, report: Report): Promise<void> {
  const { forge, warnings, deps } = session
  const { identity, signing } = thread
  if (signing === undefined || identity.tracking !== true) return
  await warnings.warnOnFailure(updateTrackingIssueTask, async () => {
    const { body } = await forge.issue(signing.thread)
    if (!isTrackingBody(body, signing, [signing.thread, NOT_YET_NUMBERED])) return
    const text = withLastRefresh(withoutRecord(body), report, deps.now())
    await forge.updateIssue(signing.thread, signedBody(text, identity, deps.now(), signing))
  })
}
