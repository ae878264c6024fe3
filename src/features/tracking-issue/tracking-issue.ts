// Off without `issue-title`.

import { ActionError, isRefused } from '../../base/errors.ts'
import type { Issue } from '../../github/answers.ts'
import { AUTHORS, REQUESTER } from '../../inputs/readers.ts'
import { type Facts, NO_FACTS } from '../../record/fold.ts'
import {
  type ActionRecord,
  type Covered,
  MOST_MERGED,
  NO_IDENTITY,
  type RequestIdentity,
} from '../../record/record.ts'
import { holdsForeignRecord, recordInText, signedAnew, signRecord } from '../../record/signed-record.ts'
import { writeStatus } from '../../thread/comment.ts'
import type { Run } from '../../thread/run.ts'
import type { Session } from '../../thread/session.ts'
import { Thread } from '../../thread/thread.ts'
import { trackingBody } from '../../words/comments.ts'
import { otherKeyOfIssue } from '../../words/notes.ts'

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
 * @param countsMerges a new one goes on from the merge up to which a closed one of this title got all, with a new job
 * @returns undefined for none, where the token may not open or read issues
 * @throws {GitHubError} where GitHub does not answer: there may be an issue that remembers an earlier attempt
 */
export async function findTrackingIssue(
  session: Session,
  title: string,
  identity: RequestIdentity,
  { creates, countsMerges }: { readonly creates: boolean; readonly countsMerges: boolean },
): Promise<Thread | undefined> {
  return await session.warnings.warnIfRefused(['issue-title', `“${title}”`], async () => {
    const issues = await ownIssues(session, title, 'open')
    const earlier = session.runner.runAttempt > 1 ? await holderAmong(session, issues, identity) : undefined
    const last = earlier ?? issues.find(({ record }) => record !== undefined) ?? issues[0]
    if (last !== undefined) {
      const thread = new Thread(last.number, last.record)
      if (last.record === undefined) {
        // A command there may have begun afresh.
        await thread.read(session)
        if (thread.recordsFor(identity).others.length === 0)
          throw new ActionError('bad-input', otherKeyOfIssue(last.number, identity.command))
      } else if (creates) await signBodyAnew(session, last)
      return thread
    }
    if (!creates) return undefined
    const { covered } = NO_FACTS
    const known = { job: undefined, covered: countsMerges ? await coveredByClosed(session, title) : covered }
    return await open(session, title, identity, known)
  })
}

/** Two runs that start together open an issue each, and one that takes no more comments has a successor: a re-run goes back to its own. */
async function holderAmong(
  session: Session,
  issues: readonly TrackingIssue[],
  identity: RequestIdentity,
): Promise<TrackingIssue | undefined> {
  if (issues.length < 2) return undefined
  for (const issue of issues) {
    const thread = new Thread(issue.number, issue.record)
    await session.warnings.warnIfRefused(['thread', issue.number], () => thread.read(session))
    if (thread.recordsFor(identity).current !== undefined) return issue
  }
  return undefined
}

/** With the key that signed it, what the body remembers would be lost. */
async function signBodyAnew(
  { github, scope, warnings }: Session,
  { number, body }: TrackingIssue,
): Promise<void> {
  const text = signedAnew(body, { ...scope, thread: NOT_YET_NUMBERED })
  if (text !== body) await warnings.warnOnFailure('issue-body', () => github.updateIssue(number, text))
}

/** @throws {GitHubError} where GitHub does not answer: with less than that, merges would be paid twice */
async function coveredByClosed(session: Session, title: string): Promise<Covered> {
  const { warnings } = session
  const [last] = await ownIssues(session, title, 'closed')
  if (last === undefined) return NO_FACTS.covered
  const { number, record } = last
  const closed = new Thread(number, record)
  if (record !== undefined) await warnings.warnIfRefused(['thread', number], () => closed.read(session))
  const { covered } = closed.recordsFor(NO_IDENTITY).facts
  const isUnread = record === undefined || (covered.until === 0 && closed.otherKeys > 0)
  if (isUnread) warnings.omit({ kind: 'closed-issue', number })
  return covered
}

/**
 * Opens an issue that goes on with what this one knows: GitHub takes no more than 2,500 comments in one, and none where it is
 * locked.
 * @returns whether it has the record of the request
 */
export async function moveToSuccessor(
  session: Session,
  run: Run,
  title: string | undefined,
): Promise<boolean> {
  const { identity } = run
  const known = run.records()?.facts
  if (!identity.tracking || title === undefined || known === undefined) return false
  const successor = await session.warnings.warnIfRefused(['issue-title', `“${title}”`], () =>
    open(session, title, identity, known),
  )
  if (successor === undefined) return false
  await successor.readOrWarn(session)
  run.answerIn(successor)
  await writeStatus(session, run)
  return run.lastWrite === 'done'
}

async function open(
  { github, scope, deps }: Session,
  title: string,
  identity: RequestIdentity,
  { job, covered }: Pick<Facts, 'job' | 'covered'>,
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

interface TrackingIssue extends Pick<Issue, 'number' | 'body'> {
  /** What a predecessor knew; undefined where no key at hand signed it. */
  readonly record: ActionRecord | undefined
}

/** The last one first, such as the successor of one that takes no more comments. */
async function ownIssues(
  session: Session,
  title: string,
  state: 'open' | 'closed',
): Promise<readonly TrackingIssue[]> {
  const { github } = session
  const list = state === 'open' ? github.openIssues : github.closedIssues
  const openedBy = async (creator: string | undefined, own?: string): Promise<readonly TrackingIssue[]> => {
    const listed = await list(creator).catch((error: unknown) => {
      // A server that does not know the account.
      if (isRefused(error, 422)) return []
      throw error
    })
    return listed
      .flatMap((issue) => (issue.title === title && trackingOf(session, issue, own)) || [])
      .toSorted((a, b) => b.number - a.number)
  }
  const [own, ofWorkflows] = await Promise.all([github.ownLogin(), openedBy(WORKFLOW_BOT)])
  // An app's token does not tell its account, so every issue counts.
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
  if (record === undefined) return holdsForeignRecord(body, scope) ? { number, body, record } : undefined
  return record.state === 'tracking' ? { number, body, record } : undefined
}

/** The person who asked, or without one the reviewers, teams as `owner/team`. */
export function subscribersOf(asked: readonly string[], requestedBy: string): readonly string[] {
  const known = asked.filter((name) => name !== REQUESTER && name !== AUTHORS)
  const names = requestedBy === '' ? known : [requestedBy]
  // What can be mentioned, and nothing that could mean more to Markdown: an app cannot be notified.
  return [...new Set(names)].filter((name) => /^([\w.-]+\/)?[\w.-]+$/.test(name))
}
