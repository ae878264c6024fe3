import { hash, hex } from '../random.ts'
import type { StartedCheck } from './checks.ts'
import type { Schemas } from './samples.ts'

/** What the emulated GitHub remembers. Times are ISO 8601 to the second, as GitHub writes them. */

export interface User {
  readonly login: string
  readonly type: 'User' | 'Bot'
}

export interface LabelEvent {
  readonly event: 'labeled' | 'unlabeled'
  readonly label: string
  /** `null` for an account that is gone. */
  readonly actor: User | null
  readonly at: string
}

export interface Issue {
  readonly number: number
  readonly isPullRequest: boolean
  title: string
  body: string
  readonly user: User
  /** Slug of the App through which its author opened it; `null` for the web page. */
  readonly app: string | null
  state: 'open' | 'closed'
  closedAt: string | null
  locked: boolean
  /** Names, in order of adding. */
  labels: readonly string[]
  /** When each was set or taken away, in order. */
  labelEvents: readonly LabelEvent[]
  readonly createdAt: string
  updatedAt: string
}

export interface Comment {
  readonly id: number
  readonly issue: number
  readonly user: User
  body: string
  /** It answers one of GitHub's mails. */
  readonly isMail: boolean
  /** Folded away, such as `OUTDATED`. */
  minimized?: string
  /** What GitHub takes the author for, such as `MEMBER`; by default as in its example. */
  association?: 'NONE' | 'CONTRIBUTOR' | 'MEMBER'
  reactions: readonly Reaction[]
  readonly createdAt: string
  updatedAt: string
}

export interface ReviewComment extends Comment {
  readonly path: string
  readonly line: number
  readonly diffHunk: string
  /** Id of the review that it belongs to. */
  readonly review: number
  /** Id of the first comment of its thread; its own for the first one. */
  readonly thread: number
  /** Of the first one: its thread is marked as done. */
  isResolved?: boolean
  /** Of the first one: newer commits changed its line. */
  isOutdated?: boolean
}

export interface ChangedFile {
  readonly filename: string
  /** Of a renamed file. */
  readonly earlier?: string
  /** By default `renamed` with `earlier`, else `modified`. */
  readonly status?: Schemas['diff-entry']['status']
  /** Of its blob, by default one that follows from name and patch: a file without a patch needs another when it changes. */
  readonly sha?: string
  readonly additions?: number
  readonly deletions?: number
  /** Missing for binary and for very large files, as on GitHub. */
  readonly patch?: string
}

export interface Commit {
  readonly sha: string
  readonly message: string
  /** SHA of the one before it; `null` for the first of all. */
  readonly parent: string | null
  /** `null` where GitHub knows no account with the author's address. */
  readonly author: User | null
  readonly at: string
  /** What it changes. */
  readonly files: readonly ChangedFile[]
}

export interface PullRequest {
  readonly number: number
  /** `null` while it is not merged. */
  mergedAt: string | null
  /** Of an open pull request the test merge's, as on GitHub: it tells nothing about being merged. */
  mergeCommitSha: string | null
  /** Oldest first; the last one is the head. */
  commits: readonly Commit[]
  /** Its SHA moves with each push. */
  head: { readonly ref: string; readonly sha: string; readonly repository: string }
  /** Each head takes the next entry of `github.checks.script`. */
  readonly isChecked: boolean
  /** Its SHA is the branch's at the last push. */
  base: { readonly ref: string; readonly sha: string }
  isConflicting: boolean
  /** When it was first read after its head or its base moved, in milliseconds since the epoch; `undefined`: not yet. */
  examinedAt: number | undefined
  files: ChangedFile[]
  /** Logins. */
  requestedReviewers: readonly string[]
  /** Slugs. */
  requestedTeams: readonly string[]
}

/** A chain of pull requests, of which each but the lowest has the branch of the one below as its base. */
export interface Stack {
  readonly id: number
  readonly number: number
  /** The branch that all of them are for. */
  readonly base: string
  /** Numbers of the pull requests, the lowest first. */
  pulls: readonly number[]
}

export interface Review {
  readonly id: number
  readonly pull: number
  readonly user: User
  body: string
  readonly submittedAt: string
}

export interface Release {
  readonly id: number
  readonly tag: string
  readonly name: string
  readonly body: string
  readonly createdAt: string
}

export type ComparedCommit = Pick<Commit, 'sha' | 'message'> & Partial<Pick<Commit, 'author' | 'at'>>

export interface Comparison {
  readonly files: readonly ChangedFile[]
  /** Those that only the head has, oldest first. */
  readonly commits: readonly ComparedCommit[]
  /** How many commits only the base has; default 0. */
  readonly behindBy?: number
  /** SHA; default: the base. */
  readonly mergeBase?: string
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

/** Where an issue went: to another repository, whose id stays, or to nowhere, which the status tells. */
export type Gone = { readonly to: number; readonly number: number } | { readonly status: 404 | 410 }

export interface Repository {
  readonly id: number
  /** `owner/name`. */
  readonly name: string
  /** `false`: the API answers 410 to requests about issues. */
  hasIssues: boolean
  isPrivate: boolean
  readonly issues: Map<number, Issue>
  /** Issues that are no longer here, by the number that they had. */
  readonly gone: Map<number, Gone>
  readonly pulls: Map<number, PullRequest>
  /** By number. */
  readonly stacks: Map<number, Stack>
  readonly reviews: Map<number, Review>
  readonly releases: Map<number, Release>
  readonly comments: {
    readonly issue: Map<number, Comment>
    readonly review: Map<number, ReviewComment>
  }
  readonly comparisons: Map<string, Comparison>
  /** By SHA. */
  readonly commits: Map<string, Commit>
  /** SHA of the last commit of each branch that pull requests go to. */
  readonly branches: Map<string, string>
  /** Numbers of the pull requests that a commit belongs to, by its SHA. */
  readonly commitPulls: Map<string, readonly number[]>
  /** Texts of files, by `sha/path`. */
  readonly code: Map<string, string>
  /** By the SHA of the head that they check. */
  readonly checks: Map<string, StartedCheck[]>
}

/** Of what has no time of its own. */
export const LONG_AGO = '2020-01-01T00:00:00Z'

export function emptyRepository(name: string): Repository {
  const first: Commit = {
    sha: hex(40, 'first commit', name),
    message: 'First commit',
    parent: null,
    author: null,
    at: LONG_AGO,
    files: [],
  }
  return {
    id: hash('repository', name),
    name,
    hasIssues: true,
    isPrivate: false,
    commits: new Map([[first.sha, first]]),
    branches: new Map([['main', first.sha]]),
    issues: new Map(),
    gone: new Map(),
    pulls: new Map(),
    stacks: new Map(),
    reviews: new Map(),
    releases: new Map(),
    comments: { issue: new Map(), review: new Map() },
    comparisons: new Map(),
    commitPulls: new Map(),
    code: new Map(),
    checks: new Map(),
  }
}

/** A plain login stands for a person, or for a bot where it ends in `[bot]`. */
export function userOf(who: string | User): User {
  if (typeof who !== 'string') return who
  return { login: who, type: who.endsWith('[bot]') ? 'Bot' : 'User' }
}
