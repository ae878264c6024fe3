import type { PullRequest } from '../../src/event/objects.ts'

/** A merged pull request of alice's. */
export const merged = (number: number, more: Partial<PullRequest> = {}): PullRequest => ({
  number,
  title: `Change ${number}`,
  body: '',
  html: undefined,
  url: `https://github.com/octo/app/pull/${number}`,
  state: 'merged',
  mergedAt: number,
  closedAt: number,
  createdAt: number,
  updatedAt: number,
  author: { login: 'alice', bot: false },
  base: 'main',
  stackBase: '',
  head: 'change',
  headSha: '',
  mergeCommitSha: '',
  labels: [],
  fromFork: false,
  changedFiles: undefined,
  mergeable: undefined,
  isPrivate: undefined,
  ...more,
})

export const numbers = (pulls: readonly Pick<PullRequest, 'number'>[] | undefined): number[] | undefined =>
  pulls?.map(({ number }) => number)
