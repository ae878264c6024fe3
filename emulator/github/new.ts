import type { ChangedFile, Issue, Release, ReviewComment, User } from './model.ts'

/** What a test sets on an object that it adds; the rest is made up. `repo` defaults to the workflow's repository. */

/** A login, or a user where the login does not tell a bot. */
type Who = string | User

export interface NewIssue extends Partial<Pick<Issue, 'number' | 'title' | 'body' | 'labels'>> {
  readonly user?: Who
  readonly repo?: string
}

export interface NewPullRequest extends NewIssue {
  readonly files?: readonly ChangedFile[]
  readonly headRef?: string
  readonly baseRef?: string
  /** `owner/name`, for a pull request from a fork. */
  readonly headRepository?: string
  /** Whether each head takes the next entry of `github.checks.script`; default `false`. */
  readonly isChecked?: boolean
}

export interface NewComment {
  readonly login: string
  readonly type?: User['type']
  readonly body: string
  readonly repo?: string
}

/** `review`: by default it makes one of its own, without a text, as GitHub does. */
export interface NewReviewComment
  extends NewComment,
    Partial<Pick<ReviewComment, 'line' | 'diffHunk' | 'review' | 'startLine'>> {}

export interface NewRelease extends Pick<Release, 'tag'>, Partial<Pick<Release, 'name' | 'body'>> {
  readonly repo?: string
}
