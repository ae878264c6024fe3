import type { ChangedFile, Commit, Issue, Release, ReviewComment, User } from './model.ts'

/** What a test sets on an object that it adds; the rest is made up. `repo` defaults to the workflow's repository. */

/** A login, or a user where the login does not tell a bot. */
type Who = string | User

export interface NewIssue extends Partial<Pick<Issue, 'number' | 'title' | 'body' | 'labels' | 'app'>> {
  readonly user?: Who
  readonly repo?: string
}

export interface NewPullRequest extends NewIssue {
  readonly files?: readonly ChangedFile[]
  readonly headRef?: string
  readonly baseRef?: string
  /** `owner/name`, for a pull request from a fork. */
  readonly headRepository?: string
  /** Author of its commit: by default who opens it; `null` for an address that GitHub does not know. */
  readonly by?: Who | null
  /** With its base branch. */
  readonly conflicts?: boolean
  /** Whether each head takes the next entry of `github.checks.script`; default `false`. */
  readonly isChecked?: boolean
}

export interface NewCommit extends Omit<Commit, 'author' | 'at'> {
  readonly by: Who | null
  readonly at?: string
}

/** What a push brings to a pull request. */
export interface NewPush {
  /** All files of the pull request, as they are then; by default they stay. */
  readonly files?: readonly ChangedFile[]
  /** What its commit changes; by default `files`, and with `isForced` all files of the pull request. */
  readonly commit?: readonly ChangedFile[]
  /** Author of its commit, by default who opened the pull request; `null` for an address that GitHub does not know. */
  readonly by?: Who | null
  /** Whether the pull request conflicts with its base branch then; by default as before. */
  readonly conflicts?: boolean
  /** One commit on the base branch as it is now takes the place of all others, as after a rebase. */
  readonly isForced?: boolean
  /**
   * With `GITHUB_TOKEN`, by its account: the workflows of the new head wait for an approval, in suites without check
   * runs, one for each that `github.checks` has next for a pull request that is checked, and at least one.
   */
  readonly withWorkflowToken?: boolean
}

export interface NewComment {
  readonly login: string
  readonly type?: User['type']
  readonly body: string
  /** It answers one of GitHub's mails; default `false`. */
  readonly isMail?: boolean
  readonly repo?: string
}

/** `thread`: by default it begins one. `review`: by default it makes one of its own, without a text, as GitHub does. */
export interface NewReviewComment
  extends NewComment,
    Partial<Pick<ReviewComment, 'path' | 'line' | 'diffHunk' | 'review' | 'thread'>> {}

export interface NewRelease extends Pick<Release, 'tag'>, Partial<Pick<Release, 'name' | 'body'>> {
  readonly repo?: string
}
