import { expect, test } from 'vitest'
import type { PullRequest } from '../../src/event/pull-request.ts'
import { mergedInto, otherCommits } from '../../src/prompt/merged-pull-requests.ts'

const pull = (number: number, more: Partial<PullRequest> = {}): PullRequest => ({
  number,
  title: `Change ${number}`,
  body: '',
  html: undefined,
  url: `https://github.com/octo/app/pull/${number}`,
  state: 'merged',
  mergedAt: number,
  mergeCommitSha: '',
  updatedAt: number,
  author: { login: 'alice', bot: false },
  base: 'main',
  head: 'change',
  headSha: '',
  fromFork: false,
  ...more,
})
const numbers = (pulls: readonly PullRequest[]) => pulls.map(({ number }) => number)
const commits = (...list: readonly (readonly [sha: string, parent: string])[]) =>
  list.map(([sha, parent]) => ({ sha, parent, subject: '' }))

test('3.8 each merged pull request of the branch counts once, in the order of the merges', () => {
  const found = [
    pull(3),
    pull(1, { mergedAt: 9 }),
    pull(3),
    pull(4, { state: 'open', mergedAt: 0 }),
    pull(5, { state: 'closed', mergedAt: 0 }),
    pull(6, { base: 'next' }),
  ]
  expect(numbers(mergedInto('main', found))).toEqual([3, 1])
})

test('3.8 of equal times, the lower number was merged first', () => {
  expect(numbers(mergedInto('main', [pull(8, { mergedAt: 5 }), pull(7, { mergedAt: 5 })]))).toEqual([7, 8])
})

test('3.8 without parents, all other commits are looked up, the newest first', () => {
  expect(otherCommits(commits(['a', ''], ['b', ''], ['c', '']), 'c')).toEqual(['b', 'a'])
})

test('3.8 with parents, the commits that came with a merge are not looked up', () => {
  const merges = commits(['side', 'base'], ['m1', 'base'], ['other', 'base'], ['m2', 'm1'], ['m3', 'm2'])
  expect(otherCommits(merges, 'm3')).toEqual(['m2', 'm1'])
})

test('3.8 parents that go round in circles end the line', () => {
  expect(otherCommits(commits(['a', 'b'], ['b', 'a'], ['c', 'a']), 'c')).toEqual(['a', 'b'])
  expect(otherCommits(commits(['a', 'a']), 'a')).toEqual([])
})

test('3.8 a large push is looked up in part', () => {
  const many = Array.from({ length: 250 }, (_, n) => [`sha${n}`, ''] as const)
  expect(otherCommits(commits(...many), 'sha249')).toHaveLength(50)
})
