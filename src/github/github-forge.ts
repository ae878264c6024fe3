import { isRefused, unusableAnswer } from '../errors.ts'
import { PERMISSIONS, type Permission } from '../event/account.ts'
import { type PullRequest, parsePullRequest } from '../event/pull-request.ts'
import type { BodySource } from '../event/trigger.ts'
import { asArray, asObject, asString } from '../json.ts'
import type { PullRequestRef } from '../link.ts'
import {
  type ChangedFile,
  type Comparison,
  parseComparison,
  parseFile,
  parseList,
  parseRendering,
} from './answers.ts'
import type { Forge } from './forge.ts'
import { GitHubThreads, LAST_CHANGED_FIRST } from './github-threads.ts'
import { entriesOf, PAGE_SIZE, pageOf, SMALL_PAGE_SIZE } from './pages.ts'
import {
  type Annotation,
  type CheckRun,
  type CommitStatus,
  newestOfEach,
  parseAnnotation,
  parseCheckRun,
  parseStatus,
} from './parse-checks.ts'

/** As github.com and GitHub Enterprise Server take the calls. A forge that resembles them overrides what differs. */
export class GitHubForge extends GitHubThreads implements Forge {
  /** https://docs.github.com/rest/collaborators/collaborators#get-repository-permissions-for-a-user */
  async permissionOf(username: string): Promise<Permission> {
    const parameters = { ...this.repository, username }
    const { data } = await this.octokit.rest.repos.getCollaboratorPermissionLevel(parameters)
    const { role_name, permission, user } = asObject(data)
    const { login } = asObject(user)
    if (typeof login === 'string' && login.toLowerCase() !== username.toLowerCase())
      throw unusableAnswer('one about another person')
    const [role, level] = [this.permissionNamed(role_name), this.permissionNamed(permission)]
    // `role_name` tells triage and maintain apart; a custom role is not in the list, and counts as its `permission`.
    if (role !== undefined && (COARSE[role] ?? role) === level) return role
    const lowest = PERMISSIONS.find((known) => known === role || known === level)
    if (lowest === undefined) throw unusableAnswer('one that names no permission')
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

  async readBody(source: BodySource): Promise<{ readonly markdown: string; readonly html: string }> {
    const { data } = await this.readResource(source)
    const { body, body_html } = asObject(data)
    const isEmpty = body === null && body_html === null
    if (!isEmpty && typeof body_html !== 'string') throw unusableAnswer('one without rendered text')
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

  async checkRuns({ owner, repo }: PullRequestRef, ref: string): Promise<readonly CheckRun[]> {
    const { paginate, rest } = this.octokit
    const runs = await entriesOf((per_page) =>
      paginate.iterator(rest.checks.listForRef, { owner, repo, ref, per_page }),
    )
    return runs.map(parseCheckRun)
  }

  async commitStatuses({ owner, repo }: PullRequestRef, ref: string): Promise<readonly CommitStatus[]> {
    const { paginate, rest } = this.octokit
    const statuses = await entriesOf((per_page) =>
      paginate.iterator(rest.repos.listCommitStatusesForRef, { owner, repo, ref, per_page }),
    )
    return newestOfEach(statuses.map(parseStatus))
  }

  async annotations(
    { owner, repo }: PullRequestRef,
    check_run_id: number,
    most: number,
  ): Promise<readonly Annotation[]> {
    const { paginate, rest } = this.octokit
    const annotations = await entriesOf(
      (per_page) => paginate.iterator(rest.checks.listAnnotations, { owner, repo, check_run_id, per_page }),
      most,
    )
    return annotations.map(parseAnnotation)
  }

  async compare(before: string, after: string): Promise<Comparison> {
    const read = (page: number) => this.readComparison(before, after, { per_page: PAGE_SIZE, page })
    const first = await read(1)
    if (first.missing === 0) return first
    const last = Math.ceil((first.commits.length + first.missing) / PAGE_SIZE)
    const from = Math.max(2, last - MOST_COMPARED_PAGES + 2)
    const pages = Array.from({ length: Math.max(0, last - from + 1) }, (_, at) => from + at)
    const more = (await Promise.all(pages.map(read))).flatMap(({ commits }) => commits)
    return { ...first, commits: [...first.commits, ...more], missing: first.missing - more.length }
  }

  protected async readComparison(
    before: string,
    after: string,
    page: { readonly per_page?: number; readonly page?: number },
  ): Promise<Comparison> {
    const parameters = { ...this.repository, basehead: `${before}...${after}`, ...page }
    return parseComparison((await this.octokit.rest.repos.compareCommitsWithBasehead(parameters)).data)
  }
}

/** A thousand commits. */
const MOST_COMPARED_PAGES = 10

/** Where the texts stand, below the repository. */
const RESOURCES: Readonly<Record<BodySource['kind'], string>> = {
  issue: 'issues/{number}',
  pull: 'pulls/{number}',
  'issue-comment': 'issues/comments/{id}',
  'review-comment': 'pulls/comments/{id}',
  review: 'pulls/{number}/reviews/{id}',
  release: 'releases/{id}',
}

/** What `permission` calls the roles that only `role_name` knows. */
const COARSE: Readonly<Partial<Record<Permission, Permission>>> = { triage: 'read', maintain: 'write' }
