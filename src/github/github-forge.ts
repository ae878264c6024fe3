import { isRefused } from '../errors.ts'
import { PERMISSIONS, type Permission } from '../event/account.ts'
import type { PullRequest } from '../event/pull-request.ts'
import { parsePullRequest } from '../event/pull-request.ts'
import type { RunContext } from '../event/run-context.ts'
import type { BodySource } from '../event/trigger.ts'
import { asArray, asObject, asString } from '../json.ts'
import type { PullRequestRef, RepositoryName } from '../link.ts'
import type { Reaction } from '../request/outcome.ts'
import {
  type ChangedFile,
  type Comparison,
  type Issue,
  parseComment,
  parseComparison,
  parseFile,
  parseIssue,
  parseList,
  parseRendering,
  parseRepositoryComment,
  type RepositoryComment,
  type ThreadComment,
} from './answers.ts'
import type { Octokit } from './client.ts'
import type { CommentRef, Forge } from './forge.ts'
import { entriesOf, pageOf, pagesOf, SMALL_PAGE_SIZE } from './pages.ts'
import type { Persist } from './requests.ts'

/** What the forge is reached with. */
export interface Connection {
  readonly octokit: Octokit
  /** For what must be looked for before it is tried again. */
  readonly persist: Persist
}

/** As github.com and GitHub Enterprise Server take the calls. A forge that resembles them overrides what differs. */
export class GitHubForge implements Forge {
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

  /** https://docs.github.com/rest/collaborators/collaborators#get-repository-permissions-for-a-user */
  async permissionOf(username: string): Promise<Permission> {
    const parameters = { ...this.repository, username }
    const { data } = await this.octokit.rest.repos.getCollaboratorPermissionLevel(parameters)
    const { role_name, permission, user } = asObject(data)
    const { login } = asObject(user)
    if (typeof login === 'string' && login.toLowerCase() !== username.toLowerCase())
      throw new TypeError("GitHub's answer is about another person")
    const [role, level] = [this.permissionNamed(role_name), this.permissionNamed(permission)]
    // `role_name` tells triage and maintain apart; a custom role is not in the list, and counts as its `permission`.
    if (role !== undefined && (COARSE[role] ?? role) === level) return role
    const lowest = PERMISSIONS.find((known) => known === role || known === level)
    if (lowest === undefined) throw new TypeError("GitHub's answer names no permission")
    return lowest
  }

  /** @returns undefined for a name that is none of this forge's, such as that of a custom role */
  protected permissionNamed(name: unknown): Permission | undefined {
    return PERMISSIONS.find((level) => level === name)
  }

  ownLogin(): Promise<string | undefined> {
    this.#ownLogin ??= this.#readOwnLogin().catch((error: unknown) => {
      this.#ownLogin = undefined
      throw error
    })
    return this.#ownLogin
  }

  #ownLogin: Promise<string | undefined> | undefined

  async #readOwnLogin(): Promise<string | undefined> {
    try {
      const { data } = await this.octokit.rest.users.getAuthenticated()
      return asString(data.login) || undefined
    } catch (error) {
      // The token of a workflow has no account of its own; it comments as a bot.
      if (isRefused(error, 401, 403, 404)) return undefined
      throw error
    }
  }

  async tokenIsRevoked(): Promise<boolean> {
    return false
  }

  /** GitHub gives them to workflows of `issue_comment` in any case. */
  async withholdsSecretsOn(_pull: number): Promise<boolean> {
    return false
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

  async readBody(source: BodySource): Promise<{ readonly markdown: string; readonly html: string }> {
    const { data } = await this.readResource(source)
    const { body, body_html } = asObject(data)
    const isEmpty = body === null && body_html === null
    if (!isEmpty && typeof body_html !== 'string')
      throw new TypeError("GitHub's answer holds no rendered text")
    return { markdown: asString(body), html: asString(body_html) }
  }

  protected async readResource({ kind, ...ids }: BodySource): Promise<{ readonly data: unknown }> {
    const parameters = { ...this.repository, ...ids, mediaType: { format: 'full' } }
    return await this.octokit.request(`GET /repos/{owner}/{repo}/${RESOURCES[kind]}`, parameters)
  }

  async renderMarkdown(text: string): Promise<string> {
    const { owner, repo } = this.repository
    const parameters = { text, mode: 'gfm', context: `${owner}/${repo}` } as const
    return parseRendering((await this.octokit.rest.markdown.render(parameters)).data)
  }

  async pullRequest({ owner, repo, number }: PullRequestRef): Promise<PullRequest> {
    const { data } = await this.octokit.rest.pulls.get({ owner, repo, pull_number: number })
    return parsePullRequest(data)
  }

  async pullRequestFiles(number: number, most: number): Promise<readonly ChangedFile[]> {
    const { paginate, rest } = this.octokit
    const pull = { ...this.repository, pull_number: number }
    const files = await entriesOf(
      (per_page) => paginate.iterator(rest.pulls.listFiles, { ...pull, per_page }),
      most,
    )
    return files.map(parseFile)
  }

  async pullRequestsOf(commit_sha: string): Promise<readonly PullRequest[]> {
    const parameters = { ...this.repository, commit_sha, per_page: SMALL_PAGE_SIZE }
    const { data } = await this.octokit.rest.repos.listPullRequestsAssociatedWithCommit(parameters)
    return parseList(data).map(parsePullRequest)
  }

  async closedPullRequests(base: string, page: number): Promise<readonly PullRequest[]> {
    const closed = { ...this.repository, state: 'closed', base, ...LAST_CHANGED_FIRST } as const
    const pulls = await pageOf(page, (part) =>
      this.octokit.rest.pulls.list({
        ...closed,
        ...part,
        // Rendered, even ten of them may be too large: those that matter are then rendered one by one.
        mediaType: { format: part.per_page === SMALL_PAGE_SIZE ? 'raw' : 'full' },
      }),
    )
    return pulls.map(parsePullRequest)
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

  /** https://docs.github.com/rest/pulls/review-requests#request-reviewers-for-a-pull-request */
  async requestReviews(
    { owner, repo, number }: PullRequestRef,
    reviewers: readonly string[],
    teams: readonly string[],
  ): Promise<void> {
    const asked = { reviewers: [...reviewers], team_reviewers: [...teams] }
    await this.octokit.rest.pulls.requestReviewers({ owner, repo, pull_number: number, ...asked })
  }

  async addLabels(pull: PullRequestRef, labels: readonly string[]): Promise<readonly string[]> {
    const { owner, repo, number } = pull
    const parameters = { owner, repo, issue_number: number, labels: [...labels] }
    const { data } = await this.octokit.rest.issues.addLabels(parameters)
    return asArray(data).map((label) => asString(asObject(label).name))
  }

  async compare(before: string, after: string): Promise<Comparison> {
    const parameters = { ...this.repository, basehead: `${before}...${after}` }
    return parseComparison((await this.octokit.rest.repos.compareCommitsWithBasehead(parameters)).data)
  }
}

/** Where the texts stand, below the repository. */
const RESOURCES: Readonly<Record<BodySource['kind'], string>> = {
  issue: 'issues/{number}',
  pull: 'pulls/{number}',
  'issue-comment': 'issues/comments/{id}',
  'review-comment': 'pulls/comments/{id}',
  review: 'pulls/{number}/reviews/{id}',
  release: 'releases/{id}',
}

const LAST_CHANGED_FIRST = { sort: 'updated', direction: 'desc' } as const

/** What `permission` calls the roles that only `role_name` knows. */
const COARSE: Readonly<Partial<Record<Permission, Permission>>> = { triage: 'read', maintain: 'write' }

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
