import { isRefused } from '../errors.ts'
import type { RunContext } from '../event/run-context.ts'
import type { RepositoryName } from '../link.ts'
import type { Reaction } from '../request/outcome.ts'
import {
  type CommentReaction,
  type Issue,
  parseComment,
  parseIssue,
  parseReaction,
  parseRepositoryComment,
  parseReviewComment,
  type RepositoryComment,
  type ReviewComment,
  type ThreadComment,
} from './answers.ts'
import type { CommentRef } from './forge.ts'
import type { Octokit } from './octokit.ts'
import { entriesOf, pageOf, pagesOf } from './pages.ts'
import type { Persist } from './requests.ts'

/** What the forge is reached with. */
export interface Connection {
  readonly octokit: Octokit
  /** For what must be looked for before it is tried again. */
  readonly persist: Persist
}

export const LAST_CHANGED_FIRST = { sort: 'updated', direction: 'desc' } as const

/** Issues, comments and reactions, as github.com and GitHub Enterprise Server take the calls. */
export class GitHubThreads {
  readonly repository: RepositoryName
  readonly repositoryId: number
  readonly hasAttemptPages: boolean = true
  protected readonly octokit: Octokit
  readonly #persist: Persist

  constructor(connection: Connection, context: Pick<RunContext, 'repository' | 'repositoryId'>) {
    this.octokit = connection.octokit
    this.#persist = connection.persist
    this.repository = context.repository
    this.repositoryId = context.repositoryId
  }

  async listComments(thread: number, since?: string): Promise<readonly ThreadComment[]> {
    const { paginate, rest } = this.octokit
    const filter = { ...this.repository, issue_number: thread, ...(since !== undefined && { since }) }
    const comments = await entriesOf((per_page) =>
      paginate.iterator(rest.issues.listComments, { ...filter, per_page }),
    )
    return comments.map(parseComment)
  }

  async *listRepositoryComments(since: string): AsyncIterable<readonly RepositoryComment[]> {
    const { paginate, rest } = this.octokit
    const pages = pagesOf((per_page) =>
      paginate.iterator(rest.issues.listCommentsForRepo, { ...this.repository, since, per_page }),
    )
    for await (const comments of pages) yield comments.flatMap(parseRepositoryComment)
  }

  async recentComments(): Promise<readonly RepositoryComment[]> {
    const comments = await pageOf(1, (part) =>
      this.octokit.rest.issues.listCommentsForRepo({ ...this.repository, ...LAST_CHANGED_FIRST, ...part }),
    )
    return comments.flatMap(parseRepositoryComment)
  }

  async createComment(thread: number, body: string): Promise<ThreadComment> {
    const parameters = { ...this.repository, issue_number: thread, body }
    return await this.#createOnce(
      body,
      async () => parseComment((await this.octokit.rest.issues.createComment(parameters)).data),
      () => this.listComments(thread),
    )
  }

  /** @param list where an earlier try may stand: its record makes its text the only one of its kind */
  async #createOnce<T extends { readonly body: string }>(
    body: string,
    create: () => Promise<T>,
    list: () => Promise<readonly T[]>,
  ): Promise<T> {
    return await this.#persist('create', create, async () =>
      (await list()).find((listed) => listed.body.trim() === body.trim()),
    )
  }

  async updateComment(id: number, body: string): Promise<ThreadComment> {
    const parameters = { ...this.repository, comment_id: id, body }
    return parseComment((await this.octokit.rest.issues.updateComment(parameters)).data)
  }

  async deleteComment(id: number): Promise<void> {
    await wasThere(this.octokit.rest.issues.deleteComment({ ...this.repository, comment_id: id }))
  }

  async addReaction({ kind, id }: CommentRef, content: Reaction): Promise<number> {
    const { reactions } = this.octokit.rest
    const create =
      kind === 'issue' ? reactions.createForIssueComment : reactions.createForPullRequestReviewComment
    // GitHub answers with the reaction that is already there if this token added it before.
    const { data } = await create({ ...this.repository, comment_id: id, content })
    return data.id
  }

  async removeReaction(comment: CommentRef, content: Reaction, id: number): Promise<void> {
    if (id !== 0 && (await this.#deleteReaction(comment, id))) return
    // Adding it once more tells its id and, unlike the list, cannot meet the same reaction of another account.
    await this.#deleteReaction(comment, await this.addReaction(comment, content))
  }

  /** @returns whether it was there */
  async #deleteReaction({ kind, id }: CommentRef, reaction_id: number): Promise<boolean> {
    const { reactions } = this.octokit.rest
    const remove = kind === 'issue' ? reactions.deleteForIssueComment : reactions.deleteForPullRequestComment
    return await wasThere(remove({ ...this.repository, comment_id: id, reaction_id }))
  }

  async reactions({ kind, id }: CommentRef): Promise<readonly CommentReaction[]> {
    const { paginate, rest } = this.octokit
    const comment = { ...this.repository, comment_id: id }
    const entries = await entriesOf((per_page) =>
      kind === 'issue'
        ? paginate.iterator(rest.reactions.listForIssueComment, { ...comment, per_page })
        : paginate.iterator(rest.reactions.listForPullRequestReviewComment, { ...comment, per_page }),
    )
    return entries.map(parseReaction)
  }

  async reviewComments(pull_number: number): Promise<readonly ReviewComment[]> {
    const { paginate, rest } = this.octokit
    const pull = { ...this.repository, pull_number, mediaType: { format: 'full' } }
    const comments = await entriesOf((per_page) =>
      paginate.iterator(rest.pulls.listReviewComments, { ...pull, per_page }),
    )
    return comments.map(parseReviewComment)
  }

  async openIssues(creator?: string): Promise<readonly Issue[]> {
    const { paginate, rest } = this.octokit
    const open = { ...this.repository, state: 'open', ...(creator !== undefined && { creator }) } as const
    const issues = await entriesOf((per_page) =>
      paginate.iterator(rest.issues.listForRepo, { ...open, per_page }),
    )
    return issues.map(parseIssue)
  }

  async issue(issue_number: number): Promise<Issue> {
    const { data } = await this.octokit.rest.issues.get({ ...this.repository, issue_number })
    return parseIssue(data)
  }

  async createIssue(title: string, body: string): Promise<Issue> {
    const { paginate, rest } = this.octokit
    const parameters = { ...this.repository, title, body }
    return await this.#createOnce(
      body,
      async () => parseIssue((await rest.issues.create(parameters)).data),
      // The newest come first, and the one in question is seconds old: the first page has it.
      async () => {
        const list = (per_page: number) =>
          paginate.iterator(rest.issues.listForRepo, { ...this.repository, per_page })
        return (await entriesOf(list, 1)).map(parseIssue)
      },
    )
  }

  async updateIssue(issue_number: number, body: string): Promise<void> {
    await this.octokit.rest.issues.update({ ...this.repository, issue_number, body })
  }

  async closeIssue(issue_number: number): Promise<void> {
    const closed = { state: 'closed', state_reason: 'not_planned' } as const
    await this.octokit.rest.issues.update({ ...this.repository, issue_number, ...closed })
  }
}

/** Whether what the request is about was there. */
async function wasThere(request: Promise<unknown>): Promise<boolean> {
  try {
    await request
    return true
  } catch (error) {
    if (isRefused(error, 404)) return false
    throw error
  }
}
