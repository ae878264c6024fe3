import { GitHubError, isGone, isRefused, messageOf } from '../base/errors.ts'
import type { RepositoryName } from '../base/link.ts'
import { oneLine } from '../base/text.ts'
import type { CommentSource } from '../event/trigger.ts'
import type { Reaction } from '../record/outcome.ts'
import {
  type CommentReaction,
  type Issue,
  type LabelEvent,
  parseComment,
  parseIssue,
  parseLabelEvent,
  parseList,
  parseReaction,
  parseRenderedComment,
  parseRepositoryComment,
  parseReview,
  parseReviewComment,
  type RenderedComment,
  type RepositoryComment,
  type Review,
  type ReviewComment,
  type ThreadComment,
} from './answers.ts'
import type { Connection } from './octokit.ts'
import { entriesOf, LONG_BODIES, linkTo, PAGE_SIZE, pagesOf } from './pagination.ts'
import { CONTEXT_MS } from './retry-budget.ts'

/** Issue comments and review comments have their own endpoints. */
export interface CommentRef {
  readonly kind: 'issue' | 'review'
  readonly id: number
}

const ISSUES = 'GET /repos/{owner}/{repo}/issues'
const COMMENTS = `${ISSUES}/comments`
const EVENTS = 'GET /repos/{owner}/{repo}/issues/{issue_number}/events'
const OF_THREAD = `${ISSUES}/{issue_number}/comments`
const PULL = 'GET /repos/{owner}/{repo}/pulls/{pull_number}'

/**
 * Issues, comments and reactions of a repository. `since` (ISO 8601): only what was updated since then. What is created is
 * created once, also where the answer was lost. If a thread is gone, a call rejects with an error that `isGone` knows.
 */
export function threadCalls({ octokit, writeOnce }: Connection, repository: RepositoryName) {
  const { issues, reactions } = octokit.rest
  const { owner, repo } = repository
  /** Where the comments of each kind are, and how a reaction to one is added and taken back. */
  const places = {
    issue: {
      path: 'issues/comments',
      react: reactions.createForIssueComment,
      remove: reactions.deleteForIssueComment,
    },
    review: {
      path: 'pulls/comments',
      react: reactions.createForPullRequestReviewComment,
      remove: reactions.deleteForPullRequestComment,
    },
  } as const

  const deleteReaction = async ({ kind, id }: CommentRef, reaction_id: number): Promise<boolean> =>
    await wasThere(places[kind].remove({ owner, repo, comment_id: id, reaction_id }))

  /** Of threads of several pages, as last read: the next reading begins there. */
  const lastPages = new Map<number, number>()

  const threads = {
    /**
     * The oldest first. Several pages are read from the last one back to the first: what people delete meanwhile moves comments
     * only to pages that are still to come. Then the last one is read again: a result may have been posted meanwhile, and the
     * comment that it replaces deleted.
     */
    async listComments(issue_number: number, since?: string): Promise<readonly ThreadComment[]> {
      const filter = { owner, repo, issue_number, per_page: PAGE_SIZE, ...(since && { since }) }
      const read = async (page: number) =>
        await octokit.request(OF_THREAD, { ...filter, ...(page > 1 && { page }) })
      let from = since === undefined ? (lastPages.get(issue_number) ?? 1) : 1
      let first = await read(from)
      // A page behind the last one does not tell which that is.
      if (from > 1 && parseList(first.data).length === 0) {
        from = 1
        first = await read(from)
      }
      const last = Number(/[?&]page=(\d+)/.exec(linkTo('last', first))?.[1] ?? from)
      if (last === 1 && linkTo('next', first) !== '')
        return await entriesOf(octokit, OF_THREAD, filter, parseComment)
      if (last === 1) return parseList(first.data).map(parseComment)
      if (since === undefined) lastPages.set(issue_number, last)
      const comments: ThreadComment[] = []
      for (let page = last; page >= 1; page--) {
        const { data } = page === from && last === from ? first : await read(page)
        comments.push(...parseList(data).map(parseComment))
      }
      comments.push(...(await entriesOf(octokit, OF_THREAD, { ...filter, page: last }, parseComment)))
      // What was read later counts.
      const byId = new Map(comments.map((comment) => [comment.id, comment]))
      return [...byId.values()].sort((a, b) => a.id - b.id)
    },

    /** When which label was set or taken away, and by whom, the oldest first: https://docs.github.com/rest/issues/events */
    async labelEvents(issue_number: number): Promise<readonly LabelEvent[]> {
      const events = await entriesOf(octokit, EVENTS, { owner, repo, issue_number }, parseLabelEvent)
      return events
        .filter(({ event }) => event === 'labeled' || event === 'unlabeled')
        .toSorted((a, b) => a.createdAt - b.createdAt || a.id - b.id)
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

    /** @param at its place in the list, from 0 */
    pageOfComment: (at: number): number => Math.floor(at / LONG_BODIES.per_page) + 1,

    /** One page of the comments, with their texts as GitHub renders them. */
    async renderedComments(issue_number: number, page: number): Promise<readonly RenderedComment[]> {
      const filter = { owner, repo, issue_number, ...LONG_BODIES, page }
      const forms = { mediaType: { format: 'full+json' }, request: { patienceMs: CONTEXT_MS } }
      const { data } = await octokit.request(OF_THREAD, { ...filter, ...forms })
      return parseList(data).map(parseRenderedComment)
    },

    /** A comment, or a review of the pull request `number`, as GitHub renders it: HTML. */
    async readComment({ kind, number, id }: CommentSource): Promise<string> {
      const path = kind === 'submitted-review' ? `pulls/${number}/reviews` : places[kind].path
      const forms = { mediaType: { format: 'full+json' }, request: { patienceMs: CONTEXT_MS } }
      const { data } = await octokit.request(`GET /repos/{owner}/{repo}/${path}/{id}`, {
        owner,
        repo,
        id,
        ...forms,
      })
      return parseRenderedComment(data).html
    },

    /** Whether the comment is still there. */
    async hasComment({ kind, id }: CommentRef): Promise<boolean> {
      const route = `GET /repos/{owner}/{repo}/${places[kind].path}/{comment_id}`
      return await wasThere(octokit.request(route, { owner, repo, comment_id: id }))
    },

    async createComment(issue_number: number, body: string): Promise<ThreadComment> {
      return await writeOnce(
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

    /** Folds comments away as outdated, in one request; what is folded already stays so. @param ids `nodeId` of each */
    async minimizeComments(ids: readonly string[]): Promise<void> {
      const each = ids.map(
        (id, at) =>
          `c${at}: minimizeComment(input: {subjectId: ${JSON.stringify(id)}, classifier: OUTDATED}) { clientMutationId }`,
      )
      await octokit.graphql(`mutation { ${each.join(' ')} }`).catch((error: unknown) => {
        // It refuses with the status 200.
        if (error instanceof GitHubError) throw error
        const failure = {
          kind: 'refused',
          httpStatus: 403,
          detail: oneLine(messageOf(error), 150),
          triedMs: 0,
        } as const
        throw new GitHubError(failure, { cause: error })
      })
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

    /** Of the hundred that changed last, pull requests, too. @param creator only those that this account opened */
    async closedIssues(creator?: string): Promise<readonly Issue[]> {
      const filter = {
        owner,
        repo,
        state: 'closed',
        ...(creator !== undefined && { creator }),
        ...LONG_BODIES,
      }
      const lastChanged = { sort: 'updated', direction: 'desc' }
      return await entriesOf(octokit, ISSUES, { ...filter, ...lastChanged }, parseIssue, { most: PAGE_SIZE })
    },

    async issue(issue_number: number): Promise<Issue> {
      return parseIssue((await issues.get({ owner, repo, issue_number })).data)
    },

    async createIssue(title: string, body: string): Promise<Issue> {
      return await writeOnce(
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
