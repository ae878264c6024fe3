import { sleepUnlessCancelled } from '../deps.ts'
import { isRefused } from '../errors.ts'
import type { Issue } from '../github/answers.ts'
import { trackingBody, withLastRefresh } from '../messages/comments.ts'
import type { Report } from '../messages/phrases.ts'
import type { ActionRecord, RequestIdentity } from '../request/record.ts'
import { subscribersOf } from '../request/reviewers.ts'
import { recordInText, type SigningContext, signRecord, withoutRecord } from '../request/signed-record.ts'
import type { Session } from './session.ts'

/** The account behind the token of a workflow, which cannot ask for its own name. */
const WORKFLOW_BOT = 'github-actions[bot]'

/**
 * A record is bound to its thread, and the number of an issue is only known once it is there. A new issue carries a
 * record of thread 0, which counts only where the action's own account, or a bot, opened the issue: so the issue is
 * complete at once, and a kill or a lost answer leaves none that the next run would not find.
 */
const NOT_YET_NUMBERED = 0

interface TrackingIssue {
  readonly number: number
  /** When its body last got a refresh, in ms since the epoch; 0 for never. */
  readonly refreshedAt: number
}

/**
 * Contract 3.9.
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
  const found = await warnings.warnIfRefused(['issue-title', `“${title}”`], () =>
    findOrCreate(session, title, identity, creates),
  )
  const [current, ...others] = (found ?? []).toSorted(
    (a, b) => b.refreshedAt - a.refreshedAt || a.number - b.number,
  )
  // Two runs that started together created one issue each. An issue with a refresh is one that people reopened.
  const unused = others.filter(({ number, refreshedAt }) => refreshedAt === 0 && number !== current?.number)
  const close = ({ number }: TrackingIssue) =>
    warnings.warnOnFailure('second-issue', () => forge.closeIssue(number))
  await Promise.all(unused.map(close))
  return current?.number
}

/** @returns the open issues of this title that the action created, now or earlier */
async function findOrCreate(
  session: Session,
  title: string,
  identity: RequestIdentity,
  creates: boolean,
): Promise<readonly TrackingIssue[]> {
  const { forge } = session
  const openedBy = async (creator: string | undefined, own?: string): Promise<readonly TrackingIssue[]> => {
    const open = await forge.openIssues(creator).catch((error: unknown) => {
      // A server that does not know the account.
      if (isRefused(error, 422)) return []
      throw error
    })
    return open.flatMap((issue) => (issue.title === title && trackingOf(issue, session, own)) || [])
  }
  const [own, ofWorkflows] = await Promise.all([forge.ownLogin(), openedBy(WORKFLOW_BOT)])
  // An app's token does not tell its account, so every open issue counts.
  const found = ofWorkflows.length > 0 ? ofWorkflows : await openedBy(own, own)
  if (found.length > 0 || !creates) return found
  const subscribers = subscribersOf(identity.settings.reviewers, identity.requestedBy)
  const text = trackingBody(identity.command, subscribers)
  const created = await forge.createIssue(title, signedBody(session, text, identity, NOT_YET_NUMBERED))
  // Another run may have created one meanwhile: a list that shows the own one shows an earlier one, too.
  const { number } = created
  for (let looks = 1; ; looks += 1) {
    const now = await openedBy(created.author?.login, own).catch(() => undefined)
    const isShown = now === undefined || now.some((issue) => issue.number === number)
    if (isShown || looks === LOOKS) return [{ number, refreshedAt: 0 }, ...(now ?? [])]
    await sleepUnlessCancelled(session.deps, LIST_PAUSE_MS)
  }
}

/** A list may show a new issue a few seconds later. */
const LIST_PAUSE_MS = 2000
const LOOKS = 4

function trackingOf(
  { body, number, author, isPullRequest }: Issue,
  session: Session,
  own: string | undefined,
): TrackingIssue | undefined {
  if (isPullRequest) return undefined
  const refreshed = trackingRecord(body, session, number)
  if (refreshed !== undefined) return { number, refreshedAt: refreshed.writtenAt }
  const isOwn = author?.bot === true || (author !== undefined && author.login === own)
  if (!isOwn || trackingRecord(body, session, NOT_YET_NUMBERED) === undefined) return undefined
  return { number, refreshedAt: 0 }
}

const signingOf = ({ scope }: Session, thread: number): SigningContext => ({ ...scope, thread })

/** What people write around the record changes nothing. */
function trackingRecord(body: string, session: Session, thread: number): ActionRecord | undefined {
  const record = recordInText(body, signingOf(session, thread))
  return record?.state === 'tracking' ? record : undefined
}

function signedBody(session: Session, text: string, identity: RequestIdentity, thread: number): string {
  // The numbers of a refresh belong to its comment.
  const written = { state: 'tracking', writtenAt: session.deps.now(), waitsMs: 0 } as const
  return `${text}\n\n${signRecord({ ...identity, ...written, merged: [] }, signingOf(session, thread))}`
}

/**
 * Shows the last refresh in the body, which is read again, because people may have edited it meanwhile.
 * @throws {ForgeError} where GitHub refuses, or does not answer
 */
export async function updateTrackingIssue(
  session: Session,
  thread: number,
  identity: RequestIdentity,
  report: Report,
): Promise<void> {
  const { body } = await session.forge.issue(thread)
  if (![thread, NOT_YET_NUMBERED].some((bound) => trackingRecord(body, session, bound))) return
  const text = withLastRefresh(withoutRecord(body), report, session.deps.now())
  await session.forge.updateIssue(thread, signedBody(session, text, identity, thread))
}
