// Off without `issue-title`.

import { unlessRefused } from '../../base/errors.ts'
import { WORKFLOW_BOT } from '../../github/account.ts'
import type { Issue } from '../../github/answers.ts'
import { AUTHORS, REQUESTER } from '../../inputs/readers.ts'
import { type Facts, NO_FACTS } from '../../record/fold.ts'
import { NO_IDENTITY, type RequestIdentity } from '../../record/record.ts'
import { lastRecord, signRecord } from '../../record/signed-record.ts'
import { ofWriter } from '../../thread/read-records.ts'
import type { Session } from '../../thread/session.ts'
import { Thread } from '../../thread/thread.ts'
import { trackingBody } from '../../words/comments.ts'

/**
 * A record is bound to its thread, and the number of an issue is only known once it is there. So the body carries a record of
 * thread 0, which counts only where the action's own account, or a bot, opened the issue: the issue is complete at once, and a
 * kill or a lost answer leaves none that the next run would not find.
 */
const NOT_YET_NUMBERED = 0

/**
 * The open issue of this title that the action created; it creates one where there is none.
 * @param creates a dry run, and one that writes no comments, create none
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
    const issues = await ownIssues(session, title, 'open')
    const earlier = session.runner.runAttempt > 1 ? await holderAmong(session, issues, identity) : undefined
    const last = earlier ?? issues.find(({ isVerified }) => isVerified) ?? issues[0]
    if (last !== undefined) return threadOf(last)
    return creates ? await createTrackingIssue(session, title, identity) : undefined
  })
}

/** Two runs that start together open an issue each: a re-run goes back to its own. */
async function holderAmong(
  session: Session,
  issues: readonly TrackingIssue[],
  identity: RequestIdentity,
): Promise<TrackingIssue | undefined> {
  if (issues.length < 2) return undefined
  for (const issue of issues) {
    const thread = threadOf(issue)
    await session.warnings.warnIfRefused(['thread', issue.number], () => thread.read(session))
    if (thread.recordsFor(identity).current !== undefined) return issue
  }
  return undefined
}

/** Closed issues without a point of their own, such as those that a bot closed again and again. */
const MOST_CLOSED = 10

/**
 * The point up to which the closed issues of this title got the merges, for one that has none yet.
 * @throws {GitHubError} where GitHub does not answer: with less than that, merges would be paid twice
 */
export async function coveredByClosed(session: Session, title: string): Promise<Facts['covered']> {
  const { warnings } = session
  const closed = await warnings.warnIfRefused(['issue-title', `“${title}”`], () =>
    ownIssues(session, title, 'closed'),
  )
  for (const issue of closed?.slice(0, MOST_CLOSED) ?? []) {
    const { number } = issue
    const thread = threadOf(issue)
    await warnings.warnIfRefused(['thread', number], () => thread.read(session))
    const { covered } = thread.recordsFor(NO_IDENTITY).facts
    if (covered.until > 0) return covered
    if (thread.hasUnverifiedRecords) {
      warnings.omit({ kind: 'closed-issue', number })
      break
    }
  }
  return NO_FACTS.covered
}

async function createTrackingIssue(
  { github, scope, deps }: Session,
  title: string,
  { command, settings, requestedBy }: RequestIdentity,
): Promise<Thread> {
  const text = trackingBody(command, subscribersOf(settings.reviewers, requestedBy))
  // It is never the newest request.
  const record = { ...NO_IDENTITY, state: 'tracking', writtenAt: deps.now(), leaseMs: 0 } as const
  const signed = signRecord(record, { ...scope, thread: NOT_YET_NUMBERED })
  const { number } = await github.createIssue(title, `${text}\n\n${signed}`)
  return new Thread(number)
}

interface TrackingIssue extends Pick<Issue, 'number' | 'createdAt' | 'author'> {
  readonly isVerified: boolean
}

const threadOf = ({ number, createdAt, isVerified }: TrackingIssue): Thread =>
  new Thread(number, isVerified ? 0 : createdAt)

/** The last one first. */
async function ownIssues(
  session: Session,
  title: string,
  state: 'open' | 'closed',
): Promise<readonly TrackingIssue[]> {
  const { github } = session
  const list = state === 'open' ? github.openIssues : github.closedIssues
  const openedBy = async (creator: string | undefined, own?: string): Promise<readonly TrackingIssue[]> => {
    // A server may not know the account.
    const listed = await unlessRefused(list(creator), [], 422)
    const found = listed.flatMap((issue) => (issue.title === title && trackingOf(session, issue, own)) || [])
    const unverified = found.filter(({ isVerified }) => !isVerified)
    const mine = await ofWriter(github, unverified)
    return found.filter((one) => one.isVerified || mine.includes(one)).toSorted((a, b) => b.number - a.number)
  }
  const [own, ofWorkflows] = await Promise.all([github.ownLogin(), openedBy(WORKFLOW_BOT)])
  // An app's token does not tell its account, so every issue counts.
  return ofWorkflows.length > 0 ? ofWorkflows : await openedBy(own, own)
}

/** What people write around the record changes nothing. @param own login of the token's account */
function trackingOf(
  { scope }: Session,
  { body, author, isPullRequest, number, createdAt }: Issue,
  own: string | undefined,
): TrackingIssue | undefined {
  const isOwn = author?.bot === true || (author !== undefined && author.login === own)
  if (isPullRequest || !isOwn) return undefined
  const found = lastRecord(body, { ...scope, thread: NOT_YET_NUMBERED })
  if (found === undefined || (found.record !== undefined && found.record.state !== 'tracking'))
    return undefined
  return { number, createdAt, author, isVerified: found.record !== undefined }
}

/** The person who asked, or without one the reviewers, teams as `owner/team`. */
export function subscribersOf(asked: readonly string[], requestedBy: string): readonly string[] {
  const accounts = asked.filter((name) => name !== REQUESTER && name !== AUTHORS)
  const names = requestedBy === '' ? accounts : [requestedBy]
  // What can be mentioned, and nothing that could mean more to Markdown: an app cannot be notified.
  return [...new Set(names)].filter((name) => /^([\w.-]+\/)?[\w.-]+$/.test(name))
}
