import type { GitHub } from '../github/octokit.ts'
import { repositoryParts } from '../github/repository.ts'
import { id, object, text } from '../json.ts'

/** A comment of a thread, as far as the action looks at it. */
export interface ThreadComment {
  readonly id: number
  readonly body: string
  readonly url: string
}

/** The comments of one issue or pull request. Every method rejects with what octokit throws. */
export interface Comments {
  /** All of them, oldest first: all pages are read. */
  list(): Promise<readonly ThreadComment[]>
  get(id: number): Promise<ThreadComment>
  create(body: string): Promise<ThreadComment>
  update(id: number, body: string): Promise<ThreadComment>
  remove(id: number): Promise<void>
}

export function commentsOf(github: GitHub, repository: string, issue_number: number): Comments {
  const repo = repositoryParts(repository)
  const one = (comment_id: number) => ({ ...repo, comment_id })
  return {
    async list() {
      const comments = await github.paginate('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
        ...repo,
        issue_number,
        per_page: 100,
      })
      return comments.map((comment) => narrow(comment))
    },
    async get(id) {
      return narrow(
        (await github.request('GET /repos/{owner}/{repo}/issues/comments/{comment_id}', one(id))).data,
      )
    },
    async create(body) {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments'
      return narrow((await github.request(route, { ...repo, issue_number, body })).data)
    },
    async update(id, body) {
      const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}'
      return narrow((await github.request(route, { ...one(id), body })).data)
    },
    async remove(id) {
      await github.request('DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}', one(id))
    },
  }
}

/** @throws {TypeError} when what GitHub sent is no comment */
function narrow(value: unknown): ThreadComment {
  const comment = object(value)
  const commentId = id(comment.id)
  if (commentId === undefined) throw new TypeError('GitHub answered with something that is no comment')
  // GitHub may hand a body back with other line ends than it was sent.
  return { id: commentId, body: text(comment.body).replaceAll('\r\n', '\n'), url: text(comment.html_url) }
}
