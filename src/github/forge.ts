import type { Permission } from '../event/account.ts'
import type { PullRequest } from '../event/pull-request.ts'
import type { BodySource } from '../event/trigger.ts'
import type { TimeLimits } from '../http/retry-rules.ts'
import type { PullRequestRef, RepositoryName } from '../link.ts'
import type { Reaction } from '../request/outcome.ts'
import type {
  ChangedFile,
  CommentReaction,
  Comparison,
  Issue,
  RepositoryComment,
  ReviewComment,
  ThreadComment,
} from './answers.ts'
import type { Annotation, CheckRun, CommitStatus } from './parse-checks.ts'

/** Issue comments and review comments have their own endpoints. */
export interface CommentRef {
  readonly kind: 'issue' | 'review'
  readonly id: number
}

/**
 * Issues, comments and reactions of the repository of the workflow. `since` (ISO 8601): only what was updated
 * since then. What is created is created once, also where the answer was lost.
 */
export interface ForgeThreads {
  /** The oldest first. */
  listComments(thread: number, since?: string): Promise<readonly ThreadComment[]>
  /** Of all threads, a page at a time. */
  listRepositoryComments(since: string): AsyncIterable<readonly RepositoryComment[]>
  /** The hundred of the repository that changed last. */
  recentComments(): Promise<readonly RepositoryComment[]>
  createComment(thread: number, body: string): Promise<ThreadComment>
  updateComment(id: number, body: string): Promise<ThreadComment>
  /** A comment that is already gone is no error. */
  deleteComment(id: number): Promise<void>

  reactions(comment: CommentRef): Promise<readonly CommentReaction[]>
  /** @returns the reaction's id, also of one that is already there; 0 where reactions have no ids */
  addReaction(comment: CommentRef, content: Reaction): Promise<number>
  removeReaction(comment: CommentRef, content: Reaction, id: number): Promise<void>

  /** Of all reviews, the oldest first. */
  reviewComments(pull: number): Promise<readonly ReviewComment[]>

  /** Pull requests, too. @param creator only those that this account opened */
  openIssues(creator?: string): Promise<readonly Issue[]>
  issue(number: number): Promise<Issue>
  createIssue(title: string, body: string): Promise<Issue>
  updateIssue(number: number, body: string): Promise<void>
  closeIssue(number: number): Promise<void>
}

/**
 * Every call to the forge, for the repository of the workflow or of `pull`. What fails is tried again first
 * (contract 5.7); then a method rejects with a `ForgeError`. After `most` entries no further page is read.
 */
export interface Forge extends ForgeThreads {
  readonly repository: RepositoryName
  readonly repositoryId: number
  readonly hasAttemptPages: boolean

  /** The same forge for one phase of the run, whose requests are tried for that long; all phases share its pace. */
  during(limits: TimeLimits): Forge
  /**
   * The forge's own time, in ms since the epoch, by the `Date` of its last answer, which counts whole seconds;
   * this machine's before the first one. For comparisons with times that the forge writes.
   */
  clock(): number

  /** The lower of `role_name` and `permission`. */
  permissionOf(username: string): Promise<Permission>
  /** Of the token's own account; undefined where it has none that can be read. */
  ownLogin(): Promise<string | undefined>
  /** Whether the forge ended the token before the run; on GitHub it lives on until the post steps have ended. */
  tokenIsRevoked(): Promise<boolean>
  /** Whether workflows get no secrets for a comment on this pull request, which the event does not tell. */
  withholdsSecretsOn(pull: number): Promise<boolean>

  readBody(source: BodySource): Promise<{ readonly markdown: string; readonly html: string }>
  /** @returns HTML */
  renderMarkdown(text: string): Promise<string>

  pullRequest(pull: PullRequestRef): Promise<PullRequest>
  pullRequestFiles(number: number, most: number): Promise<readonly ChangedFile[]>
  /** Every pull request that the commit belongs to, whatever its state. GitHub may learn it after the push. */
  pullRequestsOf(sha: string): Promise<readonly PullRequest[]>
  /** The ten closed or merged ones that changed last; none where `pullRequestsOf` is never late. */
  lastClosedPullRequests(base: string): Promise<readonly PullRequest[]>
  /** Merged ones, too, the one that changed last first. @param page from 1 */
  closedPullRequests(base: string, page: number): Promise<readonly PullRequest[]>
  /** In addition to earlier requests. @param teams slugs of teams of the repository's owner */
  requestReviews(pull: PullRequestRef, reviewers: readonly string[], teams: readonly string[]): Promise<void>
  /** @returns all labels that it then has */
  addLabels(pull: PullRequestRef, labels: readonly string[]): Promise<readonly string[]>
  /** Each as it ran last. */
  checkRuns(pull: PullRequestRef, sha: string): Promise<readonly CheckRun[]>
  /** The newest of each context. */
  commitStatuses(pull: PullRequestRef, sha: string): Promise<readonly CommitStatus[]>
  annotations(pull: PullRequestRef, checkRunId: number, most: number): Promise<readonly Annotation[]>
  /** Of a very long way, the oldest page, which has the files, and the newest ones. */
  compare(before: string, after: string): Promise<Comparison>
}
