import { id, object, text } from '../core/json.ts'
import { statusOf } from '../github/explain.ts'
import type { GitHub } from '../github/octokit.ts'
import { repositoryParts } from '../github/repository.ts'

/** A comment of a thread, as far as the action looks at it. */
export interface ThreadComment {
  readonly id: number
  readonly body: string
  readonly url: string
  /** GitHub says that a bot, or somebody of the project, has written it; the action's own comments are of these. */
  readonly ofProject: boolean
}

/** https://docs.github.com/graphql/reference/enums#commentauthorassociation */
const PROJECT: ReadonlySet<string> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR'])

/** The comments of one issue or pull request. Every method rejects with what octokit throws. */
export interface Comments {
  /**
   * All of them, oldest first: all pages are read.
   * @param since only those that were updated then (ISO 8601) or later
   */
  list(since?: string): Promise<readonly ThreadComment[]>
  /** Makes one comment, also where GitHub made it and its answer was lost. */
  create(body: string): Promise<ThreadComment>
  update(id: number, body: string): Promise<ThreadComment>
  /** Deletes it; one that is gone already is no error. */
  remove(id: number): Promise<void>
}

/** GitHub takes 2,500 comments a thread; a listing that goes on for longer than this never ends. */
const MOST_PAGES = 100

/** Retries of a comment whose making failed for no reason of ours (contract 5.7). */
const CREATE_RETRIES = 3

export function commentsOf(github: GitHub, repository: string, issue_number: number): Comments {
  const repo = repositoryParts(repository)
  const one = (comment_id: number) => ({ ...repo, comment_id })
  const list = async (since?: string): Promise<ThreadComment[]> => {
    const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments'
    const parameters = { ...repo, issue_number, per_page: 100, ...(since === undefined ? {} : { since }) }
    let pages = 0
    const comments = await github.paginate(route, parameters, ({ data }, done) => {
      if (++pages >= MOST_PAGES) done()
      return data
    })
    return comments.map((comment) => narrow(comment))
  }
  const post = async (body: string): Promise<ThreadComment> => {
    const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments'
    return narrow((await github.request(route, { ...repo, issue_number, body })).data)
  }
  return {
    list,
    async create(body) {
      for (let tries = 1; ; tries++) {
        try {
          return await post(body)
        } catch (error) {
          if (tries > CREATE_RETRIES || (statusOf(error) > 0 && statusOf(error) < 500)) throw error
          // The comment may be there all the same. Its marker makes its text the only one of its kind.
          const made = (await list()).find((comment) => comment.body.trim() === body.trim())
          if (made !== undefined) return made
        }
      }
    },
    async update(id, body) {
      const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}'
      return narrow((await github.request(route, { ...one(id), body })).data)
    },
    async remove(id) {
      const route = 'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}'
      await github.request(route, one(id)).catch((error: unknown) => {
        if (statusOf(error) !== 404) throw error
      })
    },
  }
}

/** @throws {TypeError} when what GitHub sent is no comment */
function narrow(value: unknown): ThreadComment {
  const comment = object(value)
  const commentId = id(comment.id)
  if (commentId === undefined) throw new TypeError('GitHub answered with something that is no comment')
  // GitHub may hand a body back with other line ends than it was sent.
  return {
    id: commentId,
    body: text(comment.body).replaceAll('\r\n', '\n'),
    url: text(comment.html_url),
    ofProject: object(comment.user).type === 'Bot' || PROJECT.has(text(comment.author_association)),
  }
}
