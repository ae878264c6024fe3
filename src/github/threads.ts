import { isGone, isRefused } from '../errors.ts'
import type { RepositoryName } from '../link.ts'
import type { Reaction } from '../request/outcome.ts'
import {
  type CommentReaction,
  type Issue,
  parseComment,
  parseIssue,
  parseList,
  parseReaction,
  parseRepositoryComment,
  parseReview,
  parseReviewComment,
  type RepositoryComment,
  type Review,
  type ReviewComment,
  type ThreadComment,
} from './answers.ts'
import type { Connection } from './octokit.ts'
import { entriesOf, LONG_BODIES, linkTo, PAGE_SIZE, pagesOf } from './pages.ts'

/** Issue comments and review comments have their own endpoints. */
export interface CommentRef {
  readonly kind: 'issue' | 'review'
  readonly id: number
}

const ISSUES = 'GET /repos/{owner}/{repo}/issues'
const COMMENTS = `${ISSUES}/comments`
const OF_THREAD = `${ISSUES}/{issue_number}/comments`
const PULL = 'GET /repos/{owner}/{repo}/pulls/{pull_number}'

/**
 * Issues, comments and reactions of a repository. `since` (ISO 8601): only what was updated since then. What is created is
 * created once, also where the answer was lost. If a thread is gone, a call rejects with an error that `isGone` knows.
 */
export function threadCalls({ octokit, once }: Connection, repository: RepositoryName) {
  const { issues, reactions } = octokit.rest
  const { owner, repo } = repository
  /** Where the comments of each kind are, and how a reaction to one is added and taken back. */
  const places = {
    issue: {
      path: 'issues/comments',
      react: reactions.createForIssueComment,
      takeBack: reactions.deleteForIssueComment,
    },
    review: {
      path: 'pulls/comments',
      react: reactions.createForPullRequestReviewComment,
      takeBack: reactions.deleteForPullRequestComment,
    },
  } as const

  const deleteReaction = async ({ kind, id }: CommentRef, reaction_id: number): Promise<boolean> =>
    await wasThere(places[kind].takeBack({ owner, repo, comment_id: id, reaction_id }))

  const threads = {
    /**
     * The oldest first. They are read from the last page back to the first one: what people delete meanwhile moves
     * comments only to pages that are still to come.
     */
    async listComments(issue_number: number, since?: string): Promise<readonly ThreadComment[]> {
      const filter = { owner, repo, issue_number, ...LONG_BODIES, ...(since !== undefined && { since }) }
      const first = await octokit.request(OF_THREAD, filter)
      const last = Number(/[?&]page=(\d+)/.exec(linkTo('last', first))?.[1] ?? 1)
      if (last === 1 && linkTo('next', first) !== '')
        return await entriesOf(octokit, OF_THREAD, filter, parseComment)
      const pages = last === 1 ? [first.data] : []
      for (let page = last; page >= 1 && last > 1; page--)
        pages.unshift((await octokit.request(OF_THREAD, { ...filter, page })).data)
      const comments = pages.flatMap(parseList).map(parseComment)
      return [...new Map(comments.map((comment) => [comment.id, comment])).values()]
    },

    /** Of all threads, a page at a time. */
    async *listRepositoryComments(since: string): AsyncGenerator<readonly RepositoryComment[], void> {
      for await (const page of pagesOf(octokit, COMMENTS, { owner, repo, since, ...LONG_BODIES }))
        yield page.flatMap(parseRepositoryComment)
    },

    /** The hundred of the repository that changed last. */
    async recentComments(): Promise<readonly RepositoryComment[]> {
      const lastChanged = { owner, repo, sort: 'updated', direction: 'desc', ...LONG_BODIES }
      const most = { most: PAGE_SIZE }
      return (await entriesOf(octokit, COMMENTS, lastChanged, parseRepositoryComment, most)).flat()
    },

    /** Whether the comment is still there. */
    async hasComment({ kind, id }: CommentRef): Promise<boolean> {
      const route = `GET /repos/{owner}/{repo}/${places[kind].path}/{comment_id}`
      return await wasThere(octokit.request(route, { owner, repo, comment_id: id }))
    },

    async createComment(issue_number: number, body: string): Promise<ThreadComment> {
      return await once(
        async () => parseComment((await issues.createComment({ owner, repo, issue_number, body })).data),
        async () => sameText(await threads.listComments(issue_number), body),
      )
    },

    async updateComment(comment_id: number, body: string): Promise<ThreadComment> {
      return parseComment((await issues.updateComment({ owner, repo, comment_id, body })).data)
    },

    /** A comment that is already gone is no error. */
    async deleteComment(comment_id: number): Promise<void> {
      await wasThere(issues.deleteComment({ owner, repo, comment_id }))
    },

    async reactions({ kind, id }: CommentRef): Promise<readonly CommentReaction[]> {
      const route = `GET /repos/{owner}/{repo}/${places[kind].path}/{comment_id}/reactions`
      return await entriesOf(octokit, route, { owner, repo, comment_id: id }, parseReaction)
    },

    /** @returns the reaction's id, also of one that is already there */
    async addReaction({ kind, id }: CommentRef, content: Reaction): Promise<number> {
      return (await places[kind].react({ owner, repo, comment_id: id, content })).data.id
    },

    async removeReaction(comment: CommentRef, content: Reaction, id: number): Promise<void> {
      if (id !== 0 && (await deleteReaction(comment, id))) return
      // Adding it once more tells its id and, unlike the list, cannot meet the same reaction of another account.
      await deleteReaction(comment, await threads.addReaction(comment, content))
    },

    async review(pull_number: number, review_id: number): Promise<Review> {
      return parseReview((await octokit.rest.pulls.getReview({ owner, repo, pull_number, review_id })).data)
    },

    /** The line comments of one submitted review, the oldest first: GitHub does not tell their lines there. */
    async reviewComments(pull_number: number, review_id: number): Promise<readonly ReviewComment[]> {
      const parameters = { owner, repo, pull_number, review_id, ...LONG_BODIES }
      const listed = await entriesOf(
        octokit,
        `${PULL}/reviews/{review_id}/comments`,
        parameters,
        parseReviewComment,
      )
      return listed.toSorted((a, b) => a.id - b.id)
    },

    /**
     * The same with their lines, which the list of the pull request has, the newest first: no more pages are read than it takes to
     * find them. Without those that were deleted meanwhile.
     */
    async withLines(
      pull_number: number,
      wanted: readonly ReviewComment[],
    ): Promise<readonly ReviewComment[]> {
      if (wanted.length === 0) return []
      const ids = new Set(wanted.map(({ id }) => id))
      const oldest = Math.min(...wanted.map(({ createdAt }) => createdAt))
      const found: ReviewComment[] = []
      const newestFirst = { owner, repo, pull_number, ...LONG_BODIES, sort: 'created', direction: 'desc' }
      for await (const page of pagesOf(octokit, `${PULL}/comments`, newestFirst)) {
        const comments = page.map(parseReviewComment)
        // A new comment moves others to the next page.
        found.push(...comments.filter(({ id }) => ids.delete(id)))
        if (ids.size === 0 || (comments.at(-1)?.createdAt ?? 0) < oldest) break
      }
      return found.sort((a, b) => a.id - b.id)
    },

    /** Pull requests, too. @param creator only those that this account opened */
    async openIssues(creator?: string): Promise<readonly Issue[]> {
      const filter = { owner, repo, state: 'open', ...(creator !== undefined && { creator }), ...LONG_BODIES }
      return await entriesOf(octokit, ISSUES, filter, parseIssue)
    },

    async issue(issue_number: number): Promise<Issue> {
      return parseIssue((await issues.get({ owner, repo, issue_number })).data)
    },

    async createIssue(title: string, body: string): Promise<Issue> {
      return await once(
        async () => parseIssue((await issues.create({ owner, repo, title, body })).data),
        // The newest come first, and the one in question is seconds old: the first page has it.
        async () => {
          const { data } = await octokit.request(ISSUES, { owner, repo, ...LONG_BODIES })
          return sameText(parseList(data).map(parseIssue), body)
        },
      )
    },
  }
  return threads
}

/** The record in a text makes it unique. GitHub may give back other white space around it, and other ends of lines. */
const sameText = <T extends { readonly body: string }>(all: readonly T[], body: string): T | undefined =>
  all.find((listed) => listed.body.trim() === body.replaceAll('\r\n', '\n').trim())

/** Whether what the request is about was there. */
async function wasThere(request: Promise<unknown>): Promise<boolean> {
  try {
    await request
    return true
  } catch (error) {
    if (isRefused(error, 404) || isGone(error)) return false
    throw error
  }
}
