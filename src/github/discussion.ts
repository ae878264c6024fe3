import { unusableAnswer } from '../base/errors.ts'
import { asArray, asId, asObject, asString, asTime, isObject, type JsonObject } from '../base/json.ts'
import type { RepositoryName } from '../base/link.ts'
import { codeSpan } from '../base/text.ts'
import type { CommentChannel } from '../event/mail.ts'
import { type Account, parseAccount } from '../event/objects.ts'
import type { Octokit } from './octokit.ts'
import { CONTEXT_MS } from './retry-budget.ts'

/** A review, or a comment on a line of the diff, as GitHub shows it. */
export interface DiscussionEntry {
  readonly id: number
  readonly author: Account | undefined
  /** When others could see it first, in ms since the epoch. */
  readonly createdAt: number
  /** 0 where it never was. */
  readonly changedAt: number
  readonly isHidden: boolean
  /** As it was written. */
  readonly body: string
  readonly html: string
  readonly via: CommentChannel
  /** The review that a line comment belongs to, or its own id. */
  readonly review: number
  /** Of a line comment: the first comment of its thread; 0 for a review. */
  readonly thread: number
  /** Such as `` `docs/guide.mdx`, line 7 ``, for a heading; '' for a review. */
  readonly place: string
  /** Of its thread of line comments: somebody marked it as done. */
  readonly isResolved: boolean
  /** Of its thread of line comments: newer commits changed the line. */
  readonly isOutdated: boolean
}

export interface Discussion {
  readonly entries: readonly DiscussionEntry[]
  /** How many older comments on lines GitHub has beside them, or threads of such. */
  readonly older: number
  /** It has older reviews, which may hold no words: GitHub makes one without for each reply at a line. */
  readonly hasOlderReviews: boolean
}

/** So many of the newest are read. */
export const MOST_REVIEWS = 100

const WRITTEN =
  'databaseId body bodyHTML createdViaEmail lastEditedAt isMinimized author { login __typename }'
/** https://docs.github.com/graphql/reference/objects#pullrequest */
const QUERY = `query($owner: String!, $name: String!, $number: Int!) { repository(owner: $owner, name: $name) { pullRequest(number: $number) { reviews(last: ${MOST_REVIEWS}) { totalCount nodes { ${WRITTEN} submittedAt } } reviewThreads(last: 50) { totalCount nodes { path line originalLine isResolved isOutdated comments(last: 30) { totalCount nodes { ${WRITTEN} publishedAt pullRequestReview { databaseId } } } } } } } }`

/**
 * The newest reviews of a pull request, and its newest comments on lines, whether hidden or not: REST does not tell that.
 * @throws {GitHubError} where GitHub does not show them
 */
export async function readDiscussion(
  octokit: Octokit,
  { owner, repo: name }: RepositoryName,
  number: number,
): Promise<Discussion> {
  const request = { patienceMs: CONTEXT_MS }
  const answer = await octokit.graphql(QUERY, { owner, name, number, request })
  const { reviews, reviewThreads } = asObject(asObject(asObject(answer).repository).pullRequest)
  if (!isObject(reviews) || !isObject(reviewThreads)) throw unusableAnswer('one without reviews')
  const ofReviews = nodesOf(reviews).map((raw) => entryOf(raw, raw.submittedAt))
  const threads = nodesOf(reviewThreads)
  const ofLines = threads.flatMap((thread) => {
    const comments = nodesOf(asObject(thread.comments))
    const line = asId(thread.line) ?? asId(thread.originalLine)
    const place = `${codeSpan(asString(thread.path))}${line === undefined ? '' : `, line ${line}`}`
    const first = asId(comments[0]?.databaseId) ?? 0
    return comments.map((raw) => ({
      ...entryOf(raw, raw.publishedAt),
      review: asId(asObject(raw.pullRequestReview).databaseId) ?? 0,
      thread: first,
      place,
      isResolved: thread.isResolved === true,
      isOutdated: thread.isOutdated === true,
    }))
  })
  const older = [reviewThreads, ...threads.map(({ comments }) => asObject(comments))].reduce(
    (sum, list) => sum + unreadOf(list),
    0,
  )
  // A review without a text says nothing of its own.
  const entries = [...ofReviews, ...ofLines].filter(({ html }) => html.trim() !== '')
  return { entries, older, hasOlderReviews: unreadOf(reviews) > 0 }
}

const nodesOf = ({ nodes }: JsonObject): readonly JsonObject[] => asArray(nodes).filter(isObject)

const unreadOf = (list: JsonObject): number => Math.max(0, Number(list.totalCount) - nodesOf(list).length)

function entryOf(raw: JsonObject, shownAt: unknown): DiscussionEntry {
  const id = asId(raw.databaseId) ?? 0
  return {
    id,
    author: authorOf(asObject(raw.author)),
    createdAt: asTime(shownAt),
    changedAt: asTime(raw.lastEditedAt),
    isHidden: raw.isMinimized !== false,
    body: asString(raw.body),
    html: asString(raw.bodyHTML),
    via: channelOf(raw),
    review: id,
    thread: 0,
    place: '',
    isResolved: false,
    isOutdated: false,
  }
}

/** @param raw with `createdViaEmail`, which GitHub may leave out */
export function channelOf({ createdViaEmail }: JsonObject): CommentChannel {
  if (typeof createdViaEmail !== 'boolean') return 'unknown'
  return createdViaEmail ? 'email' : 'page'
}

/** GraphQL names bots without `[bot]`. */
function authorOf({ login, __typename: type }: JsonObject): Account | undefined {
  return parseAccount({ login: type === 'Bot' ? `${login}[bot]` : login, type })
}
