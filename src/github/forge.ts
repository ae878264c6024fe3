import type { Account, Permission, PullRequest } from '../event/objects.ts'
import type { BodySource } from '../event/trigger.ts'
import type { TimeLimits } from '../http/failure.ts'
import type { PullRequestRef, RepositoryName } from '../link.ts'
import type { Reaction } from '../request/outcome.ts'
import type {
  Annotation,
  ChangedFile,
  CheckRun,
  CheckSuite,
  CommentReaction,
  CommitStatus,
  Comparison,
  Issue,
  RepositoryComment,
  ReviewComment,
  Reviewing,
  ThreadComment,
  WorkflowRun,
} from './answers.ts'

/** What the action says of a commit: https://docs.github.com/rest/commits/statuses#create-a-commit-status */
interface NewStatus {
  readonly state: 'error' | 'failure' | 'pending' | 'success'
  readonly context: string
  /** One line of at most 140 characters. */
  readonly description: string
  /** '' for none. */
  readonly targetUrl: string
}

/** Issue comments and review comments have their own endpoints. */
export interface CommentRef {
  readonly kind: 'issue' | 'review'
  readonly id: number
}

/**
 * Issues, comments and reactions of the repository of the workflow. `since` (ISO 8601): only what was updated
 * since then. What is created is created once, also where the answer was lost. If a thread is no longer there, a call
 * rejects with an error that `isGone` knows.
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
  /** @returns the reaction's id, also of one that is already there */
  addReaction(comment: CommentRef, content: Reaction): Promise<number>
  removeReaction(comment: CommentRef, content: Reaction, id: number): Promise<void>

  /**
   * The line comments of one submitted review, the oldest first; without those that were deleted meanwhile.
   * https://docs.github.com/rest/pulls/reviews#list-comments-for-a-pull-request-review tells which (no lines), and
   * https://docs.github.com/rest/pulls/comments#list-review-comments-on-a-pull-request has them, the newest first: no more
   * pages are read than it takes to find them. @param review id of the review
   */
  commentsOfReview(pull: number, review: number): Promise<readonly ReviewComment[]>

  /** Pull requests, too. @param creator only those that this account opened */
  openIssues(creator?: string): Promise<readonly Issue[]>
  issue(number: number): Promise<Issue>
  /**
   * Whether somebody opened the issue or pull request through an App, such as the agent's under a person's name
   * (`performed_via_github_app`). https://docs.github.com/rest/issues/issues#get-an-issue
   */
  openedThroughApp(number: number): Promise<boolean>
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

  /** In another repository. */
  threadsOf(repository: RepositoryName): Pick<ForgeThreads, 'listComments' | 'createComment'>
  /** The same forge for one phase of the run, whose requests are tried for that long; all phases share its pace. */
  during(limits: TimeLimits): Forge
  /**
   * The forge's own time, in ms since the epoch, by the `Date` of its last answer, which counts whole seconds;
   * this machine's before the first one. For comparisons with times that the forge writes.
   */
  clock(): number

  /** Whether the repository had this name before: GitHub leads from there to it, until another one takes the name. */
  hadName(name: RepositoryName): Promise<boolean>
  /** The lower of `role_name` and `permission`. */
  permissionOf(username: string): Promise<Permission>
  /** Of the token's own account; undefined where it has none that can be read. */
  ownLogin(): Promise<string | undefined>

  readBody(source: BodySource): Promise<{ readonly markdown: string; readonly html: string }>
  /** @returns HTML */
  renderMarkdown(text: string): Promise<string>

  /** Repeated: while nothing changes, reading it again takes nothing of the limit of the hour. */
  pullRequest(pull: PullRequestRef): Promise<PullRequest>
  pullRequestFiles(number: number, most: number): Promise<readonly ChangedFile[]>
  /** Every pull request that the commit belongs to, whatever its state. GitHub may learn it after the push. */
  pullRequestsOf(sha: string): Promise<readonly PullRequest[]>
  /**
   * The merged ones of the hundred closed pull requests of a branch that changed last, that one first; their texts are not
   * rendered (`html` is undefined). https://docs.github.com/rest/pulls/pulls#list-pull-requests
   */
  mergedInto(branch: string): Promise<readonly PullRequest[]>
  /** Merged ones, too, the one that changed last first. @param page from 1 */
  closedPullRequests(base: string, page: number): Promise<readonly PullRequest[]>
  /** In addition to earlier requests. @param teams slugs of teams of the repository's owner */
  requestReviews(pull: PullRequestRef, reviewers: readonly string[], teams: readonly string[]): Promise<void>
  /** Also of those who have given theirs: GitHub no longer counts them as asked. */
  reviewing(pull: PullRequestRef): Promise<Reviewing>
  /** @returns all labels that it then has */
  addLabels(pull: PullRequestRef, labels: readonly string[]): Promise<readonly string[]>
  /**
   * The account of the author of the newest commit of a pull request: undefined where it has none, where the mail address
   * of the commit belongs to none, and where more commits than GitHub lists (250) hide it.
   * https://docs.github.com/rest/pulls/pulls#list-commits-on-a-pull-request
   */
  lastCommitAuthor(number: number): Promise<Account | undefined>

  /**
   * All check runs of a commit, each as it ran last in its suite, the newest first; the caller judges which replace others.
   * Repeated. https://docs.github.com/rest/checks/runs#list-check-runs-for-a-git-reference
   * @param ref a SHA, or the name of a branch for its head, here and below
   */
  checkRuns(repository: RepositoryName, ref: string): Promise<readonly CheckRun[]>
  /**
   * The suites of a commit, also those without runs. Repeated. Rejects as refused (403, 404) where the token may not read
   * checks. https://docs.github.com/rest/checks/suites#list-check-suites-for-a-git-reference
   */
  checkSuites(repository: RepositoryName, ref: string): Promise<readonly CheckSuite[]>
  /**
   * A run of a workflow; undefined where the answer does not tell it from others. Rejects as refused (403, 404) where the
   * token may not read Actions. https://docs.github.com/rest/actions/workflow-runs#get-a-workflow-run
   */
  workflowRun(repository: RepositoryName, id: string): Promise<WorkflowRun | undefined>
  /**
   * The newest of each context. Repeated.
   * https://docs.github.com/rest/commits/statuses#get-the-combined-status-for-a-specific-reference
   */
  commitStatuses(repository: RepositoryName, ref: string): Promise<readonly CommitStatus[]>
  /** A next try looks for the first one. If the status is written twice, the newest of a context counts. */
  setCommitStatus(repository: RepositoryName, sha: string, status: NewStatus): Promise<void>
  annotations(pull: PullRequestRef, checkRunId: number, most: number): Promise<readonly Annotation[]>
  /**
   * From one commit of the repository to another, whichever is older. A very long comparison has its oldest page, with
   * the files (300 at most), and its newest pages. https://docs.github.com/rest/commits/commits#compare-two-commits
   */
  compare(before: string, after: string): Promise<Comparison>
}
