import type { Permission } from '../event/account.ts'
import type { PullRequest } from '../event/pull-request.ts'
import type { BodySource } from '../event/trigger.ts'
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

/** A comment that can have reactions; issue comments and review comments have their own endpoints. */
export interface CommentRef {
  readonly kind: 'issue' | 'review'
  readonly id: number
}

/** Issues, comments and reactions of the repository of the workflow. */
export interface ForgeThreads {
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

  /** All reactions of a comment, of every account. */
  reactions(comment: CommentRef): Promise<readonly CommentReaction[]>
  /** @returns the reaction's id, also of one that is already there; 0 where reactions have no ids */
  addReaction(comment: CommentRef, content: Reaction): Promise<number>
  /** @param id 0 where it is not known */
  removeReaction(comment: CommentRef, content: Reaction, id: number): Promise<void>

  /** The comments on lines of a pull request, of all reviews, oldest first. */
  reviewComments(pull: number): Promise<readonly ReviewComment[]>

  /** Open issues and pull requests. @param creator only those that this account opened */
  openIssues(creator?: string): Promise<readonly Issue[]>
  issue(number: number): Promise<Issue>
  /** Creates one issue, also where the forge created it and the answer was lost. */
  createIssue(title: string, body: string): Promise<Issue>
  updateIssue(number: number, body: string): Promise<void>
  /** Closes it as not planned. */
  closeIssue(number: number): Promise<void>
}

/**
 * Every call to the forge, for the repository of the workflow. What fails is tried again first (contract 5.7); then a
 * method rejects with a `ForgeError`, which tells a refusal from an outage.
 */
export interface Forge extends ForgeThreads {
  readonly repository: RepositoryName
  /** Numeric id: it stays when the repository is renamed. */
  readonly repositoryId: number
  /** Whether each attempt of a run has a page of its own. */
  readonly hasAttemptPages: boolean

  /** What the person may do on the repository: the lower of `role_name` and `permission`. */
  permissionOf(username: string): Promise<Permission>
  /** Login of the token's own account; undefined where the token has none that can be read. */
  ownLogin(): Promise<string | undefined>
  /** Whether the forge ended the token before the run; on GitHub it lives on until the post steps have ended. */
  tokenIsRevoked(): Promise<boolean>
  /** Whether workflows get no secrets for a comment on this pull request, which the event does not tell. */
  withholdsSecretsOn(pull: number): Promise<boolean>

  /** The text as written, and as the forge renders it. */
  readBody(source: BodySource): Promise<{ readonly markdown: string; readonly html: string }>
  /** @returns HTML */
  renderMarkdown(text: string): Promise<string>

  pullRequest(pull: PullRequestRef): Promise<PullRequest>
  /** @param most files after which no further page is read */
  pullRequestFiles(number: number, most: number): Promise<readonly ChangedFile[]>
  /** Every pull request that the commit belongs to, whatever its state. */
  pullRequestsOf(sha: string): Promise<readonly PullRequest[]>
  /** Closed and merged pull requests of a branch, a page at a time, the one that changed last first. @param page from 1 */
  closedPullRequests(base: string, page: number): Promise<readonly PullRequest[]>
  /** Asks for reviews, in addition to earlier requests. @param teams slugs of teams of the repository's owner */
  requestReviews(pull: PullRequestRef, reviewers: readonly string[], teams: readonly string[]): Promise<void>
  /** @returns all labels that it then has */
  addLabels(pull: PullRequestRef, labels: readonly string[]): Promise<readonly string[]>
  /** The checks of a commit, each as it ran last. @param pull tells the repository */
  checkRuns(pull: PullRequestRef, sha: string): Promise<readonly CheckRun[]>
  /** The newest status of each context. @param pull tells the repository */
  commitStatuses(pull: PullRequestRef, sha: string): Promise<readonly CommitStatus[]>
  /** @param most after which no further page is read */
  annotations(pull: PullRequestRef, checkRunId: number, most: number): Promise<readonly Annotation[]>
  /** What lies between two commits; of a very long way the oldest page, which has the files, and the newest ones. */
  compare(before: string, after: string): Promise<Comparison>
}
