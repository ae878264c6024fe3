import { hex } from '../random.ts'
import {
  type ChangedFile,
  type Issue,
  type PullRequest,
  type Release,
  type Review,
  type ReviewComment,
  type User,
  userOf,
} from './model.ts'

/** What a test sets on an object that it adds; the rest is made up. `repo` defaults to the workflow's repository. */

/** A login, or a user where the login does not tell a bot. */
export type Who = string | User

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
  /** Made up by default; two pull requests can have one, such as that of a fork. */
  readonly headSha?: string
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
    Partial<Pick<ReviewComment, 'path' | 'line' | 'side' | 'diffHunk' | 'review'>> {}

export interface NewReview extends NewComment, Partial<Pick<Review, 'state'>> {}

export interface NewRelease
  extends Pick<Release, 'tag'>,
    Partial<Pick<Release, 'name' | 'body' | 'draft' | 'prerelease'>> {
  readonly user?: Who
  readonly repo?: string
}

export function newIssue(given: NewIssue, number: number, isPullRequest: boolean, at: string): Issue {
  const { title = 'Untitled', body = '', user = 'alice' } = given
  const written = { title, body, user: userOf(user), createdAt: at, updatedAt: at }
  const labels = [...(given.labels ?? [])]
  return {
    number,
    isPullRequest,
    ...written,
    state: 'open',
    stateReason: null,
    closedAt: null,
    locked: false,
    labels,
  }
}

export function newPullRequest(
  given: NewPullRequest,
  number: number,
  repository: string,
  seed: number,
): PullRequest {
  const sha = (label: string) => hex(40, seed, label, repository, number)
  const head = given.headSha ?? sha('head')
  const files = [...(given.files ?? [])]
  return {
    number,
    merged: false,
    mergedAt: null,
    mergeCommitSha: sha('test merge'),
    commits: [{ sha: head, files }],
    head: {
      ref: given.headRef ?? `change-${number}`,
      sha: head,
      repository: given.headRepository ?? repository,
    },
    isChecked: given.isChecked ?? false,
    base: { ref: given.baseRef ?? 'main', sha: sha('base') },
    files,
    requestedReviewers: [],
    requestedTeams: [],
  }
}
