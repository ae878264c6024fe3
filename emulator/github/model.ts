/** What the emulated GitHub remembers. Times are ISO 8601 to the second, as GitHub writes them. */

export interface User {
  readonly login: string
  readonly type: 'User' | 'Bot'
}

export interface Issue {
  readonly number: number
  readonly isPullRequest: boolean
  title: string
  body: string
  readonly user: User
  state: 'open' | 'closed'
  locked: boolean
  readonly createdAt: string
  updatedAt: string
}

export interface Comment {
  readonly id: number
  readonly issue: number
  readonly user: User
  body: string
  readonly createdAt: string
  updatedAt: string
}

export interface ReviewComment extends Comment {
  readonly path: string
  readonly line: number
  readonly diffHunk: string
}

export interface ChangedFile {
  readonly filename: string
  readonly status?: 'added' | 'modified' | 'removed' | 'renamed'
  readonly previousFilename?: string
  readonly additions?: number
  readonly deletions?: number
  /** Missing for binary and for very large files, as on GitHub. */
  readonly patch?: string
}

export interface PullRequest {
  readonly number: number
  merged: boolean
  commits: number
  readonly head: { readonly ref: string; readonly sha: string; readonly repository: string }
  readonly base: { readonly ref: string; readonly sha: string }
  files: ChangedFile[]
}

export interface Comparison {
  readonly files: readonly ChangedFile[]
  readonly commits: readonly { readonly sha: string; readonly message: string; readonly login?: string }[]
}

export const REACTIONS = ['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes'] as const
export type ReactionContent = (typeof REACTIONS)[number]

/** Comments on issues and pull requests, or on lines of a pull request's diff. */
export type CommentKind = 'issue' | 'review'

export interface Reaction {
  readonly id: number
  readonly content: ReactionContent
  readonly user: User
  readonly createdAt: string
}

export interface Repository {
  /** `owner/name`. */
  readonly name: string
  readonly issues: Map<number, Issue>
  readonly pulls: Map<number, PullRequest>
  readonly comments: Record<CommentKind, Map<number, Comment>>
  readonly reactions: Record<CommentKind, Map<number, Reaction[]>>
  readonly comparisons: Map<string, Comparison>
}

export function emptyRepository(name: string): Repository {
  return {
    name,
    issues: new Map(),
    pulls: new Map(),
    comments: { issue: new Map(), review: new Map() },
    reactions: { issue: new Map(), review: new Map() },
    comparisons: new Map(),
  }
}

export const bot = (login: string): User => ({ login, type: 'Bot' })

/** A plain login stands for a person, or for a bot where it ends in `[bot]`. */
export function userOf(who: string | User): User {
  if (typeof who !== 'string') return who
  return { login: who, type: who.endsWith('[bot]') ? 'Bot' : 'User' }
}
