import { asObject, asString } from '../json.ts'
import { statusOf } from '../messages/errors.ts'
import type { Reaction } from '../request/outcome.ts'
import {
  parseComment,
  parseComparedCommit,
  parseFile,
  parseIssue,
  parsePullRequest,
  parseRenderedPullRequest,
  parseRendering,
  parseRepositoryComment,
} from './answers.ts'
import type { Octokit } from './client.ts'
import {
  type BodySource,
  type ChangedFile,
  type CommentRef,
  type Comparison,
  type Forge,
  type Issue,
  PERMISSIONS,
  type Permission,
  type PullRequest,
  type RenderedBody,
  type RenderedPullRequest,
  type RepositoryComment,
  type RepositoryName,
  type ThreadComment,
} from './forge.ts'

import { entriesOfPages, inPages, isTooLarge, PAGE_SIZE, pageOf, SMALL_PAGE_SIZE } from './pages.ts'

/** Retries of a comment or an issue whose creation failed without a reason of the action's (contract 5.7). */
const CREATE_RETRIES = 3

/** github.com and GitHub Enterprise Server. */
export class GitHubForge implements Forge {
  readonly repository: RepositoryName
  readonly repositoryId: number
  readonly hasAttemptPages: boolean = true
  protected readonly octokit: Octokit

  constructor(octokit: Octokit, repository: RepositoryName, repositoryId: number) {
    this.octokit = octokit
    this.repository = repository
    this.repositoryId = repositoryId
  }

  /** https://docs.github.com/rest/collaborators/collaborators#get-repository-permissions-for-a-user */
  async permissionOf(username: string): Promise<Permission> {
    const { data } = await this.octokit.rest.repos.getCollaboratorPermissionLevel({
      ...this.repository,
      username,
    })
    const { role_name, permission, user } = asObject(data)
    const { login } = asObject(user)
    if (typeof login === 'string' && login.toLowerCase() !== username.toLowerCase())
      throw new TypeError("GitHub's answer is about another person")
    const [role, level] = [this.permissionNamed(role_name), this.permissionNamed(permission)]
    // `role_name` tells triage and maintain apart; a custom role is not in the list, and counts as its `permission`.
    if (role !== undefined && (COARSE[role] ?? role) === level) return role
    const [lowest] = [role, level]
      .filter((known) => known !== undefined)
      .toSorted((a, b) => PERMISSIONS.indexOf(a) - PERMISSIONS.indexOf(b))
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
      if ([401, 403, 404].includes(statusOf(error))) return undefined
      throw error
    }
  }

  /** The token of a workflow lives on until its post steps have ended. */
  async tokenIsRevoked(): Promise<boolean> {
    return false
  }

  /** GitHub gives the secrets to workflows of `issue_comment` in any case. */
  async withholdsSecretsOn(_pull: number): Promise<boolean> {
    return false
  }

  async listComments(thread: number, since?: string): Promise<readonly ThreadComment[]> {
    const filter = since === undefined ? {} : { since }
    const comments = await inPages((per_page) =>
      this.octokit.paginate(
        this.octokit.rest.issues.listComments,
        { ...this.repository, issue_number: thread, per_page, ...filter },
        entriesOfPages(),
      ),
    )
    return comments.map(parseComment)
  }

  async *listRepositoryComments(since: string): AsyncIterable<readonly RepositoryComment[]> {
    const list = (per_page: number) =>
      this.octokit.paginate.iterator(this.octokit.rest.issues.listCommentsForRepo, {
        ...this.repository,
        since,
        per_page,
      })
    let read = 0
    try {
      for await (const { data } of list(PAGE_SIZE)) {
        read += data.length
        yield data.flatMap(parseRepositoryComment)
      }
    } catch (error) {
      if (!isTooLarge(error)) throw error
      let skipped = 0
      for await (const { data } of list(SMALL_PAGE_SIZE)) {
        const known = Math.min(data.length, read - skipped)
        skipped += known
        yield data.slice(known).flatMap(parseRepositoryComment)
      }
    }
  }

  async recentComments(): Promise<readonly RepositoryComment[]> {
    const comments = await pageOf(1, async (page) => {
      const { data } = await this.octokit.rest.issues.listCommentsForRepo({
        ...this.repository,
        sort: 'updated',
        direction: 'desc',
        ...page,
      })
      return data
    })
    return comments.flatMap(parseRepositoryComment)
  }

  async createComment(thread: number, body: string): Promise<ThreadComment> {
    const request = { ...this.repository, issue_number: thread, body }
    return await this.#createOnce(
      async () => parseComment((await this.octokit.rest.issues.createComment(request)).data),
      async () => (await this.listComments(thread)).find((comment) => comment.body.trim() === body.trim()),
    )
  }

  /** @param find what an earlier try may have made: its record makes its text the only one of its kind */
  async #createOnce<T>(create: () => Promise<T>, find: () => Promise<T | undefined>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await create()
      } catch (error) {
        if (tries > CREATE_RETRIES || (statusOf(error) > 0 && statusOf(error) < 500)) throw error
        const made = await find()
        if (made !== undefined) return made
      }
    }
  }

  async updateComment(id: number, body: string): Promise<ThreadComment> {
    const { data } = await this.octokit.rest.issues.updateComment({
      ...this.repository,
      comment_id: id,
      body,
    })
    return parseComment(data)
  }

  async deleteComment(id: number): Promise<void> {
    await ignoring404(this.octokit.rest.issues.deleteComment({ ...this.repository, comment_id: id }))
  }

  async addReaction({ kind, id }: CommentRef, content: Reaction): Promise<number> {
    const { reactions } = this.octokit.rest
    const create = {
      issue: reactions.createForIssueComment,
      review: reactions.createForPullRequestReviewComment,
    }[kind]
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
    const remove = {
      issue: reactions.deleteForIssueComment,
      review: reactions.deleteForPullRequestComment,
    }[kind]
    try {
      await remove({ ...this.repository, comment_id: id, reaction_id })
      return true
    } catch (error) {
      if (statusOf(error) === 404) return false
      throw error
    }
  }

  async readBody(source: BodySource): Promise<RenderedBody> {
    const { data } = await this.readResource(source)
    const { body, body_html } = asObject(data)
    const isEmpty = body === null && body_html === null
    if (!isEmpty && typeof body_html !== 'string')
      throw new TypeError("GitHub's answer holds no rendered text")
    return { markdown: asString(body), html: asString(body_html) }
  }

  protected async readResource(source: BodySource): Promise<{ readonly data: unknown }> {
    const { rest } = this.octokit
    const all = { ...this.repository, mediaType: { format: 'full' } }
    switch (source.kind) {
      case 'issue':
        return await rest.issues.get({ ...all, issue_number: source.number })
      case 'pull':
        return await rest.pulls.get({ ...all, pull_number: source.number })
      case 'issue-comment':
        return await rest.issues.getComment({ ...all, comment_id: source.id })
      case 'review-comment':
        return await rest.pulls.getReviewComment({ ...all, comment_id: source.id })
      case 'review':
        return await rest.pulls.getReview({ ...all, pull_number: source.number, review_id: source.id })
      case 'release':
        return await rest.repos.getRelease({ ...all, release_id: source.id })
    }
  }

  async renderMarkdown(text: string): Promise<string> {
    const { owner, repo } = this.repository
    const { data } = await this.octokit.rest.markdown.render({
      text,
      mode: 'gfm',
      context: `${owner}/${repo}`,
    })
    return parseRendering(data)
  }

  async pullRequest(name: RepositoryName, number: number): Promise<PullRequest> {
    const { data } = await this.octokit.rest.pulls.get({ ...name, pull_number: number })
    return parsePullRequest(data)
  }

  async pullRequestFiles(number: number, most: number): Promise<readonly ChangedFile[]> {
    return await inPages(async (per_page) => {
      const files: ChangedFile[] = []
      const pages = this.octokit.paginate.iterator(this.octokit.rest.pulls.listFiles, {
        ...this.repository,
        pull_number: number,
        per_page,
      })
      for await (const { data } of pages) {
        files.push(...data.map(parseFile))
        if (files.length >= most) break
      }
      return files
    })
  }

  async pullRequestsOf(commit_sha: string): Promise<readonly PullRequest[]> {
    const { data } = await this.octokit.rest.repos.listPullRequestsAssociatedWithCommit({
      ...this.repository,
      commit_sha,
      per_page: SMALL_PAGE_SIZE,
    })
    return data.map(parsePullRequest)
  }

  async closedPullRequests(base: string, page: number): Promise<readonly RenderedPullRequest[]> {
    const pulls = await pageOf(page, async (part) => {
      const { data } = await this.octokit.rest.pulls.list({
        ...this.repository,
        state: 'closed',
        base,
        sort: 'updated',
        direction: 'desc',
        ...part,
        // Rendered, even ten of them may be too large: those that matter are then rendered one by one.
        mediaType: { format: part.per_page === PAGE_SIZE ? 'full' : 'raw' },
      })
      return data
    })
    return pulls.map(parseRenderedPullRequest)
  }

  async openIssues(creator?: string): Promise<readonly Issue[]> {
    const filter = creator === undefined ? {} : { creator }
    const issues = await inPages((per_page) =>
      this.octokit.paginate(
        this.octokit.rest.issues.listForRepo,
        { ...this.repository, state: 'open', per_page, ...filter },
        entriesOfPages(),
      ),
    )
    return issues.map(parseIssue)
  }

  async issue(issue_number: number): Promise<Issue> {
    const { data } = await this.octokit.rest.issues.get({ ...this.repository, issue_number })
    return parseIssue(data)
  }

  async createIssue(title: string, body: string): Promise<Issue> {
    return await this.#createOnce(
      async () =>
        parseIssue((await this.octokit.rest.issues.create({ ...this.repository, title, body })).data),
      // The newest come first, and the one in question is seconds old.
      async () => {
        const newest = await inPages(async (per_page) => {
          const { data } = await this.octokit.rest.issues.listForRepo({ ...this.repository, per_page })
          return data
        })
        return newest.map(parseIssue).find((issue) => issue.body.trim() === body.trim())
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
    name: RepositoryName,
    number: number,
    reviewers: readonly string[],
    teams: readonly string[],
  ): Promise<void> {
    await this.octokit.rest.pulls.requestReviewers({
      ...name,
      pull_number: number,
      reviewers: [...reviewers],
      team_reviewers: [...teams],
    })
  }

  async addLabels(name: RepositoryName, number: number, labels: readonly string[]): Promise<void> {
    await this.octokit.rest.issues.addLabels({ ...name, issue_number: number, labels: [...labels] })
  }

  async compare(before: string, after: string): Promise<Comparison> {
    const { data } = await this.octokit.rest.repos.compareCommitsWithBasehead({
      ...this.repository,
      basehead: `${before}...${after}`,
    })
    const { files, commits } = asObject(data)
    if (!Array.isArray(commits)) throw new TypeError('GitHub answered with something that is no comparison')
    const messages = commits.map((commit) => asString(asObject(asObject(commit).commit).message))
    return {
      commits: commits.map(parseComparedCommit),
      commitMessages: messages.map((message) => message.split('\n')[0] ?? ''),
      files: Array.isArray(files) ? files.map(parseFile) : undefined,
    }
  }
}

/** What `permission` calls the roles that only `role_name` knows. */
const COARSE: Readonly<Partial<Record<Permission, Permission>>> = { triage: 'read', maintain: 'write' }

async function ignoring404(request: Promise<unknown>): Promise<void> {
  await request.catch((error: unknown) => {
    if (statusOf(error) !== 404) throw error
  })
}
