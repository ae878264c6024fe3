import type { EmulatedRequest } from '../http.ts'
import type { Repository } from './model.ts'

/** The lists that can lag behind what they list. */
export type ListKind =
  | 'comments'
  | 'repository-comments'
  | 'review-comments'
  | 'issues'
  | 'pulls'
  | 'commits'
  | 'commit-pulls'
  | 'check-runs'
  | 'check-suites'
  | 'statuses'

/** Milliseconds, ten minutes at most: for all lists alike, or by kind and request. */
export type ListLag = number | ((list: ListKind, request: EmulatedRequest) => number)

const LONGEST_MS = 600_000

interface State {
  /** When the first change after it came, in milliseconds since the epoch. */
  readonly until: number
  readonly repo: Repository
}

/** How repositories stood before they changed. */
export class Past {
  readonly #states = new Map<Repository, State[]>()

  /** To be called before a change; of changes in one millisecond the first one counts. */
  keep(repo: Repository, now: number): void {
    const states = (this.#states.get(repo) ?? []).filter(({ until }) => until >= now - LONGEST_MS)
    if (states.at(-1)?.until !== now) states.push({ until: now, repo: copyOf(repo) })
    this.#states.set(repo, states)
  }

  /** As it stood at that time. What did not change since is as it is now. */
  at(repo: Repository, time: number): Repository {
    return this.#states.get(repo)?.find(({ until }) => until > time)?.repo ?? repo
  }
}

/** Two levels deep: what lies below is replaced and never changed. */
const copyOf = (repo: Repository): Repository => ({
  ...repo,
  issues: entriesOf(repo.issues),
  pulls: entriesOf(repo.pulls),
  comments: { issue: entriesOf(repo.comments.issue), review: entriesOf(repo.comments.review) },
  commitPulls: new Map(repo.commitPulls),
  checks: new Map(repo.checks),
})

const entriesOf = <K, T extends object>(entries: ReadonlyMap<K, T>): Map<K, T> =>
  new Map([...entries].map(([key, entry]) => [key, { ...entry }]))
