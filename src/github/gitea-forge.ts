import { ForgeError, isRefused } from '../errors.ts'
import type { Permission } from '../event/account.ts'
import { parsePullRequest } from '../event/pull-request.ts'
import type { RunContext } from '../event/run-context.ts'
import type { BodySource } from '../event/trigger.ts'
import { asObject, asString, isObject, type JsonObject } from '../json.ts'
import type { PullRequestRef } from '../link.ts'
import type { Reaction } from '../request/outcome.ts'
import { type Issue, parseIssue, parseList, parseRendering, parseRepositoryComment } from './answers.ts'
import type { CommentRef } from './forge.ts'
import { permissionOfSender, type SenderPermission } from './gitea-permission.ts'
import { GitHubForge } from './github-forge.ts'
import type { Connection } from './github-threads.ts'
import { type CommitStatus, newestOfEach, parseStatus } from './parse-checks.ts'

/** As many as Gitea lists on a page, unless its administrator says otherwise. */
const PAGE_SIZE = 50
/** 100,000 comments that changed within the time of a sweep: a listing that goes on for longer never ends. */
const MOST_PAGES = 2000

type Filter = Readonly<Record<string, string>>

/** Gitea and Forgejo, as far as they differ from GitHub: https://docs.gitea.com/api/1.26/ */
export class GiteaForge extends GitHubForge {
  override readonly hasAttemptPages: boolean
  readonly #sender: SenderPermission | undefined

  constructor(connection: Connection, context: RunContext, hasAttemptPages: boolean) {
    super(connection, context)
    this.hasAttemptPages = hasAttemptPages
    this.#sender = permissionOfSender(context)
  }

  /** Only an administrator's token may ask; for the token of a job, the event tells what its sender may do. */
  override async permissionOf(login: string) {
    try {
      return await super.permissionOf(login)
    } catch (error) {
      if (isRefused(error, 403) && this.#sender?.login === login) return this.#sender.permission
      throw error
    }
  }

  protected override permissionNamed(name: unknown): Permission | undefined {
    return name === 'owner' ? 'admin' : super.permissionNamed(name)
  }

  override async tokenIsRevoked() {
    return await this.octokit.rest.users.getAuthenticated().then(
      () => false,
      (error: unknown) => isRefused(error, 401),
    )
  }

  override async withholdsSecretsOn(pull: number) {
    return (await super.pullRequest({ ...this.repository, number: pull })).fromFork
  }

  override async *listRepositoryComments(since: string) {
    for await (const page of this.#pages('issues/comments', { since }))
      yield page.flatMap(parseRepositoryComment)
  }

  /** Gitea lists the oldest first and in no other order, so these are the newest ones. */
  override async recentComments() {
    const first = await this.#page('issues/comments', 1)
    const last = Math.ceil(first.total / Math.max(first.entries.length, 1))
    const pages = [last - 1, last].filter((page) => page > 1)
    const more = await Promise.all(pages.map((page) => this.#page('issues/comments', page)))
    const read = last > 2 ? more : [first, ...more]
    return read.flatMap(({ entries }) => entries).flatMap(parseRepositoryComment)
  }

  /** A page of a list, from 1; `total` counts the entries of all pages, and is NaN where the server does not say. */
  async #page(list: string, page: number, filter: Filter = {}) {
    const parameters = { ...this.repository, ...filter, limit: PAGE_SIZE, page }
    const { data, headers } = await this.octokit.request(`GET /repos/{owner}/{repo}/${list}`, parameters)
    return { entries: parseList(data), total: Number(headers['x-total-count']) }
  }

  async *#pages(list: string, filter: Filter): AsyncIterable<readonly unknown[]> {
    let read = 0
    for (let page = 1; page <= MOST_PAGES; page++) {
      const { entries, total } = await this.#page(list, page, filter)
      yield entries
      read += entries.length
      if (entries.length === 0 || read >= total) return
    }
  }

  /** Reactions have no ids. */
  override async addReaction(comment: CommentRef, content: Reaction) {
    await super.addReaction(comment, content)
    return 0
  }

  /** Takes back the token's own only, and is content where there is none. */
  override async removeReaction({ id }: CommentRef, content: Reaction) {
    const route = 'DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions'
    await this.octokit.request(route, { ...this.repository, comment_id: id, content })
  }

  override async readBody(source: BodySource) {
    // A pull request as an issue takes no permission for the contents.
    const { data } = await this.readResource(source.kind === 'pull' ? { ...source, kind: 'issue' } : source)
    const markdown = asString(asObject(data).body)
    return { markdown, html: markdown === '' ? '' : await this.renderMarkdown(markdown) }
  }

  /**
   * Through the repository: `POST /markdown` of Gitea 1.26 looks up each commit hash in a repository that it does not
   * have, and the whole server ends with a nil pointer.
   */
  override async renderMarkdown(text: string) {
    const { owner, repo } = this.repository
    const parameters = { owner, repo, text, mode: 'comment', context: `${owner}/${repo}` }
    const route = 'POST /repos/{owner}/{repo}/markdown'
    return parseRendering((await this.octokit.request(route, parameters)).data)
  }

  /** Where the token may not read the contents, the issue of the pull request tells its state, but no branches. */
  override async pullRequest(pull: PullRequestRef) {
    try {
      return await super.pullRequest(pull)
    } catch (error) {
      if (!isRefused(error, 403)) throw error
      const { owner, repo, number } = pull
      const { data } = await this.octokit.rest.issues.get({ owner, repo, issue_number: number })
      const issue: JsonObject = asObject(data)
      if (!isObject(issue.pull_request)) throw error
      return parsePullRequest({ ...issue, ...issue.pull_request })
    }
  }

  override async pullRequestFiles(number: number, most: number) {
    const files = await super.pullRequestFiles(number, most)
    return files.map((file) => ({ ...file, status: STATUSES.get(file.status) ?? file.status }))
  }

  /** Gitea names one at most: the pull request whose merge made the commit. */
  override async pullRequestsOf(sha: string) {
    const route = 'GET /repos/{owner}/{repo}/commits/{sha}/pull'
    try {
      const { data } = await this.octokit.request(route, { ...this.repository, sha })
      return [parsePullRequest(data)]
    } catch (error) {
      // A token that may not read the contents gets 404, too, with another message.
      if (isRefused(error, 404) && /does not exist/.test(error.said)) return []
      throw error
    }
  }

  /** Fifty a page. Forgejo does not know `base_branch`. */
  override async closedPullRequests(base: string, page: number) {
    const newestFirst = { state: 'closed', base_branch: base, sort: 'recentupdate' }
    const { entries } = await this.#page('pulls', page, newestFirst)
    return entries.map(parsePullRequest).filter((pull) => pull.base === base)
  }

  /** Gitea can list those of a person only, and the account of jobs is none. */
  override async openIssues(creator?: string) {
    // No account is called like a bot of GitHub.
    if (creator?.endsWith(']') === true) return []
    const issues: Issue[] = []
    const open = { state: 'open', type: 'issues' }
    for await (const page of this.#pages('issues', open)) issues.push(...page.map(parseIssue))
    return issues.filter(({ author }) => creator === undefined || author?.login === creator)
  }

  /** Gitea leaves out labels that the repository does not have, without a word. */
  override async addLabels(pull: PullRequestRef, labels: readonly string[]) {
    const set = await super.addLabels(pull, labels)
    const missing = labels.filter((label) => !set.includes(label))
    if (missing.length === 0) return set
    const said = `the repository has no label ${missing.join(', ')}`
    throw new ForgeError({ kind: 'refused', httpStatus: 422, said, triedMs: 0 })
  }

  /** Gitea has statuses only. */
  override async checkRuns() {
    return []
  }

  override async annotations() {
    return []
  }

  override async commitStatuses({ owner, repo }: PullRequestRef, sha: string) {
    const statuses: CommitStatus[] = []
    const newestFirst = { owner, repo, sort: 'highestindex' }
    for await (const page of this.#pages(`commits/${sha}/statuses`, newestFirst))
      statuses.push(...page.map(parseStatus))
    return newestOfEach(statuses)
  }

  /** Gitea lists all commits at once, the newest first, and no files. */
  override async compare(before: string, after: string) {
    const comparison = await this.readComparison(before, after, {})
    return { ...comparison, commits: comparison.commits.toReversed() }
  }
}

/** What GitHub calls the changes of files. */
const STATUSES = new Map(Object.entries({ changed: 'modified', deleted: 'removed' }))
