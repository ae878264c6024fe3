import type { Reaction } from '../request/outcome.ts'

/** Someone who acts on the forge. */
export interface Account {
  readonly login: string
  readonly bot: boolean
}

/** From least to most. */
export const PERMISSIONS = ['none', 'read', 'triage', 'write', 'maintain', 'admin'] as const
export type Permission = (typeof PERMISSIONS)[number]

export interface ThreadComment {
  readonly id: number
  readonly body: string
  readonly url: string
  readonly author: Account | undefined
}

/** A comment with the thread that it stands in. */
export interface RepositoryComment extends ThreadComment {
  readonly thread: number
  /** In ms since the epoch, on the forge's clock; 0 where it does not say. */
  readonly updatedAt: number
}

/** A comment that can have reactions; issue comments and review comments have their own endpoints. */
export interface CommentRef {
  readonly kind: 'issue' | 'review'
  readonly id: number
}

/** A text that people wrote, by the resource that holds it. */
export type BodySource =
  | { readonly kind: 'issue' | 'pull'; readonly number: number }
  | { readonly kind: 'issue-comment' | 'review-comment' | 'release'; readonly id: number }
  | { readonly kind: 'review'; readonly number: number; readonly id: number }

/** The text as written, and as the forge renders it. */
export interface RenderedBody {
  readonly markdown: string
  readonly html: string
}

export interface RepositoryName {
  readonly owner: string
  readonly repo: string
}

export interface PullRequest {
  readonly number: number
  readonly title: string
  readonly body: string
  readonly url: string
  readonly state: 'open' | 'merged' | 'closed'
  /** In ms since the epoch; 0 while it is not merged. */
  readonly mergedAt: number
  /** In ms since the epoch. */
  readonly updatedAt: number
  readonly author: Account | undefined
  readonly base: string
  readonly head: string
  readonly fromFork: boolean
}

/** A pull request with its body as the forge renders it. */
export interface RenderedPullRequest extends PullRequest {
  /** Undefined where the forge does not send it along. */
  readonly html: string | undefined
}

export interface Issue {
  readonly number: number
  readonly title: string
  readonly body: string
  readonly author: Account | undefined
  readonly isPullRequest: boolean
}

export interface ChangedFile {
  readonly path: string
  /** `added`, `modified`, `removed`, `renamed`, … */
  readonly status: string
  readonly additions: number
  readonly deletions: number
  /** '' for binary and very large files. */
  readonly patch: string
}

export interface ComparedCommit {
  readonly sha: string
  /** SHA of its first parent; '' where the forge does not tell. */
  readonly parent: string
}

export interface Comparison {
  /** The oldest first, at most as many as one page holds. */
  readonly commits: readonly ComparedCommit[]
  /** First lines, the oldest first. */
  readonly commitMessages: readonly string[]
  /** Undefined where the forge does not list them. */
  readonly files: readonly ChangedFile[] | undefined
}

/**
 * Every call to GitHub, or to a forge with GitHub's API, for the repository of the workflow. Each method rejects with
 * what octokit throws.
 */
export interface Forge {
  readonly repository: RepositoryName
  /** Numeric id: it stays when the repository is renamed. */
  readonly repositoryId: number
  /** Whether each attempt of a run has a page of its own. */
  readonly hasAttemptPages: boolean

  /** What the person may do on the repository; the lower of `role_name` and `permission`. */
  permissionOf(login: string): Promise<Permission>
  /** Login of the token's own account; undefined where the token has none that can be read. */
  ownLogin(): Promise<string | undefined>

  /** Whether the forge ended the token before the run, as Gitea does when somebody cancels. */
  tokenIsRevoked(): Promise<boolean>
  /** Whether workflows get no secrets for a comment on this pull request, which the event does not tell. */
  withholdsSecretsOn(pull: number): Promise<boolean>

  /** All comments of a thread, oldest first. @param since only those updated since then (ISO 8601) */
  listComments(thread: number, since?: string): Promise<readonly ThreadComment[]>
  /** Comments of all threads, a page at a time. @param since only those updated since then (ISO 8601) */
  listRepositoryComments(since: string): AsyncIterable<readonly RepositoryComment[]>
  /** The hundred comments of the repository that changed last. */
  recentComments(): Promise<readonly RepositoryComment[]>
  /** Creates one comment, also where the forge created it and the answer was lost. */
  createComment(thread: number, body: string): Promise<ThreadComment>
  updateComment(id: number, body: string): Promise<ThreadComment>
  /** A comment that is already gone is no error. */
  deleteComment(id: number): Promise<void>

  /** @returns the reaction's id, also of one that is already there; 0 where reactions have no ids */
  addReaction(comment: CommentRef, content: Reaction): Promise<number>
  /** @param id 0 where it is not known */
  removeReaction(comment: CommentRef, content: Reaction, id: number): Promise<void>

  readBody(source: BodySource): Promise<RenderedBody>
  /** @returns HTML */
  renderMarkdown(markdown: string): Promise<string>

  pullRequest(name: RepositoryName, number: number): Promise<PullRequest>
  pullRequestFiles(number: number, most: number): Promise<readonly ChangedFile[]>
  /**
   * Asks for reviews, in addition to those that were asked for before.
   * @param teams slugs of teams of the repository's owner
   */
  requestReviews(
    name: RepositoryName,
    number: number,
    reviewers: readonly string[],
    teams: readonly string[],
  ): Promise<void>
  addLabels(name: RepositoryName, number: number, labels: readonly string[]): Promise<void>

  compare(before: string, after: string): Promise<Comparison>
  /** Every pull request that the commit belongs to, whatever its state. */
  pullRequestsOf(sha: string): Promise<readonly PullRequest[]>
  /** Closed and merged pull requests of a branch, a hundred a page, the one that changed last first. @param page from 1 */
  closedPullRequests(base: string, page: number): Promise<readonly RenderedPullRequest[]>

  /** Open issues and pull requests. @param creator only those that this account opened */
  openIssues(creator?: string): Promise<readonly Issue[]>
  issue(number: number): Promise<Issue>
  /** Creates one issue, also where the forge created it and the answer was lost. */
  createIssue(title: string, body: string): Promise<Issue>
  updateIssue(number: number, body: string): Promise<void>
  /** Closes it as not planned. */
  closeIssue(number: number): Promise<void>
}
