import { isRefused, unlessRefused } from '../base/errors.ts'
import { asObject } from '../base/json.ts'
import { isInRepository, type PullRequestRef, pullRequestOf, samePullRequest } from '../base/link.ts'
import type { ThreadComment } from '../github/answers.ts'
import type { PlanNote } from '../record/record.ts'
import type { Session } from './session.ts'
import { type Backlink, Thread } from './thread.ts'

interface DocsPullRequest extends PullRequestRef {
  /** The pull request is in the repository of the workflow. */
  readonly isHere: boolean
}

/**
 * The pull request that a link leads to, by the name that its repository has now: the service may know the repository of the
 * workflow by the name from before it was renamed or transferred, which GitHub redirects for reads only.
 * @returns undefined for another host or another kind of page @throws {GitHubError} where GitHub does not answer
 */
export async function docsPullRequest(
  { github, runner }: Session,
  link: string,
): Promise<DocsPullRequest | undefined> {
  const { repository, serverUrl } = runner
  const pull = pullRequestOf(link, serverUrl)
  if (pull === undefined) return undefined
  const isHere = isInRepository(repository, pull) || (await github.hadName(pull))
  return { ...(isHere ? repository : pull), number: pull.number, isHere }
}

/** @throws {GitHubError} where GitHub does not answer */
export async function isSamePullRequest(session: Session, a: string, b: string): Promise<boolean> {
  if (a === '' || b === '') return false
  if (samePullRequest(a, b, session.runner.serverUrl)) return true
  const [left, right] = await Promise.all([docsPullRequest(session, a), docsPullRequest(session, b)])
  if (left === undefined || right === undefined) return false
  return left.number === right.number && isInRepository(left, right)
}

export interface PullRequestNow {
  readonly state: 'none' | 'open' | NonNullable<PlanNote['pullRequest']>
  /** '' where it is not known. */
  readonly headSha: string
}

/** @throws {GitHubError} where GitHub does not answer: a message must not go to merged work */
export async function pullRequestNow({ github, runner }: Session, link: string): Promise<PullRequestNow> {
  if (link === '') return { state: 'none', headSha: '' }
  const pull = pullRequestOf(link, runner.serverUrl)
  if (pull === undefined) return { state: 'unreadable', headSha: '' }
  return await unlessRefused(github.pullRequest(pull), { state: 'unreadable', headSha: '' })
}

interface Link extends Backlink {
  /** No backlink can be there yet. */
  readonly isNew?: boolean
  /** Whether the thread of a pull request of this repository, as it was read, has the backlink. */
  readonly isThere: (place: Thread) => boolean
  /** In another repository, an older comment with the same text does not count; in ms since the epoch on GitHub's clock. */
  readonly since?: number
}

/**
 * Leaves a backlink on a pull request of the docs, once. @returns whether it is there: what another repository refuses is no fault
 * of the workflow @throws {GitHubError} where this repository refuses, or GitHub does not answer
 */
export async function leaveBacklink(session: Session, pull: DocsPullRequest, link: Link): Promise<boolean> {
  if (!pull.isHere) return await leaveElsewhere(session, pull, link)
  const place = new Thread(pull.number)
  if (link.isNew !== true) await place.read(session)
  if (!link.isThere(place)) await place.writeBacklink(session, link)
  return true
}

async function leaveElsewhere(
  { github, runner }: Session,
  pull: PullRequestRef,
  { text, isNew = false, since = 0 }: Link,
): Promise<boolean> {
  try {
    // A public pull request names no thread of a private repository, nor of one of which the event does not tell.
    const isPublic = asObject(runner.payload.repository).private === false
    if (!isPublic && (await github.pullRequest(pull)).isPrivate !== true) return false
    const { listComments, createComment } = github.threadsOf(pull)
    const isIt = ({ body, createdAt }: ThreadComment) => body.trim() === text && createdAt >= since
    const isThere = !isNew && (await listComments(pull.number)).some(isIt)
    if (!isThere) await createComment(pull.number, text)
    return true
  } catch (error) {
    if (isRefused(error)) return false
    throw error
  }
}
