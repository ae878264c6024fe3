import { isGone, isRefused } from '../errors.ts'
import { isObject } from '../json.ts'
import type { RepositoryName } from '../link.ts'
import {
  parseComment,
  parseIssue,
  parseReaction,
  parseRepositoryComment,
  parseReviewComment,
  type ReviewComment,
} from './answers.ts'
import type { CommentRef, ForgeThreads } from './forge.ts'
import type { Connection } from './octokit.ts'
import { entriesOf, PAGE_SIZE, pagesOf, settledEntries } from './pages.ts'

export const LAST_CHANGED_FIRST = { sort: 'updated', direction: 'desc' } as const

const COMMENTS = 'GET /repos/{owner}/{repo}/issues/comments'
const PULL = 'GET /repos/{owner}/{repo}/pulls/{pull_number}'
const ISSUES = 'GET /repos/{owner}/{repo}/issues'

export function gitHubThreads({ octokit, retry }: Connection, repository: RepositoryName): ForgeThreads {
  const { issues, reactions } = octokit.rest
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
  } as const satisfies Readonly<Record<CommentRef['kind'], object>>

  /** @param list where an earlier try may stand: the record in its text makes the text unique */
  const createOnce = async <T extends { readonly body: string }>(
    body: string,
    create: () => Promise<T>,
    list: () => Promise<readonly T[]>,
  ): Promise<T> =>
    await retry('create', create, async () =>
      (await list()).find((listed) => listed.body.trim() === body.trim()),
    )

  const deleteReaction = async ({ kind, id }: CommentRef, reaction_id: number): Promise<boolean> =>
    await wasThere(places[kind].takeBack({ ...repository, comment_id: id, reaction_id }))

  const threads: ForgeThreads = {
    async listComments(issue_number, since) {
      const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments'
      const filter = { ...repository, issue_number, ...(since !== undefined && { since }) }
      return await settledEntries(octokit, route, filter, parseComment)
    },

    async *listRepositoryComments(since) {
      const pages = pagesOf(octokit, COMMENTS, { ...repository, since })
      for await (const { entries } of pages) yield entries.flatMap(parseRepositoryComment)
    },

    async recentComments() {
      const parameters = { ...repository, ...LAST_CHANGED_FIRST }
      const options = { most: PAGE_SIZE }
      return (await entriesOf(octokit, COMMENTS, parameters, parseRepositoryComment, options)).flat()
    },

    async createComment(issue_number, body) {
      let mayComeTwice = false
      const created = await createOnce(
        body,
        async () => parseComment((await issues.createComment({ ...repository, issue_number, body })).data),
        () => {
          mayComeTwice = true
          return threads.listComments(issue_number)
        },
      )
      return { ...created, mayComeTwice }
    },

    async updateComment(comment_id, body) {
      return parseComment((await issues.updateComment({ ...repository, comment_id, body })).data)
    },

    async deleteComment(comment_id) {
      await wasThere(issues.deleteComment({ ...repository, comment_id }))
    },

    async addReaction({ kind, id }, content) {
      // GitHub answers with the reaction that is already there if this token added it before.
      const { data } = await places[kind].react({ ...repository, comment_id: id, content })
      return data.id
    },

    async removeReaction(comment, content, id) {
      if (id !== 0 && (await deleteReaction(comment, id))) return
      // Adding it once more tells its id and, unlike the list, cannot meet the same reaction of another account.
      await deleteReaction(comment, await threads.addReaction(comment, content))
    },

    async reactions({ kind, id }) {
      const route = `GET /repos/{owner}/{repo}/${places[kind].path}/{comment_id}/reactions` as const
      return await entriesOf(octokit, route, { ...repository, comment_id: id }, parseReaction)
    },

    async commentsOfReview(pull_number, review_id) {
      const pull = { ...repository, pull_number }
      // Only the list of the pull request has lines. The comments of the review are among its newest.
      const newestFirst = { ...pull, sort: 'created', direction: 'desc' } as const
      const pages = pagesOf(octokit, `${PULL}/comments`, newestFirst)
      const [wanted, first] = await Promise.all([
        entriesOf(
          octokit,
          `${PULL}/reviews/{review_id}/comments`,
          { ...pull, review_id },
          parseReviewComment,
        ),
        pages.next(),
      ])
      const oldest = Math.min(...wanted.map(({ createdAt }) => createdAt))
      const found = new Map<number, ReviewComment>()
      for (let page = first; page.done !== true; page = await pages.next()) {
        const comments = page.value.entries.map(parseReviewComment)
        for (const comment of comments) {
          if (wanted.some(({ id }) => id === comment.id)) found.set(comment.id, comment)
        }
        // What is missing behind them was deleted meanwhile.
        if (found.size === wanted.length || (comments.at(-1)?.createdAt ?? 0) < oldest) break
      }
      return [...found.values()].sort((a, b) => a.id - b.id)
    },

    async openIssues(creator) {
      const open = { ...repository, state: 'open', ...(creator !== undefined && { creator }) } as const
      return await entriesOf(octokit, ISSUES, open, parseIssue)
    },

    async issue(issue_number) {
      return parseIssue((await issues.get({ ...repository, issue_number })).data)
    },

    async openedThroughApp(issue_number) {
      return isObject((await issues.get({ ...repository, issue_number })).data.performed_via_github_app)
    },

    async createIssue(title, body) {
      return await createOnce(
        body,
        async () => parseIssue((await issues.create({ ...repository, title, body })).data),
        // The newest come first, and the one in question is seconds old: the first page has it.
        () => entriesOf(octokit, ISSUES, repository, parseIssue, { most: 1 }),
      )
    },

    async updateIssue(issue_number, body) {
      await issues.update({ ...repository, issue_number, body })
    },

    async closeIssue(issue_number) {
      await issues.update({ ...repository, issue_number, state: 'closed', state_reason: 'not_planned' })
    },
  }
  return threads
}

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
