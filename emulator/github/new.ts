import { hex } from '../random.ts'
import { type ChangedFile, type Issue, type PullRequest, type Review, type User, userOf } from './model.ts'

/** What a test sets on an object that it adds; the rest is made up. `repo` defaults to the workflow's repository. */

/** A login, or a user where the login does not tell a bot. */
export type Who = string | User

export interface NewIssue {
  readonly number?: number
  readonly title?: string
  readonly body?: string
  readonly user?: Who
  readonly labels?: readonly string[]
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

export interface NewReviewComment extends NewComment {
  readonly path?: string
  readonly line?: number
  readonly side?: 'LEFT' | 'RIGHT'
  readonly diffHunk?: string
  /** Id of its review; by default it makes one of its own, without a text, as GitHub does. */
  readonly review?: number
}

export interface NewReview extends NewComment {
  readonly state?: Review['state']
}

export interface NewRelease {
  readonly tag: string
  readonly name?: string
  readonly body?: string
  readonly user?: Who
  readonly draft?: boolean
  readonly prerelease?: boolean
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
