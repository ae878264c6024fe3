import { expect, test } from 'vitest'
import { inPushOrder, otherCommits } from '../../src/prompt/push.ts'
import { merged, numbers } from './pull.ts'

const HEAD = 'c'.repeat(40)

const commits = (...list: readonly (readonly [sha: string, parent: string])[]) => ({
  commits: list.map(([sha, parent]) => ({ sha, parent, subject: '' })),
  missing: 0,
  files: undefined,
})

test('3.8 of equal times, the one whose merge made the head is the thread', () => {
  const [own, other] = [merged(7, { mergedAt: 5, mergeCommitSha: HEAD }), merged(8, { mergedAt: 5 })]
  expect(numbers(inPushOrder([[own], [other]], HEAD))).toEqual([8, 7])
})

test('3.8 a fork’s copy of a pull request is never merged last, however late it was closed', () => {
  const own = merged(7, { mergedAt: 5, mergeCommitSha: HEAD })
  const copy = merged(9, { mergedAt: 8, mergeCommitSha: HEAD, fromFork: true })
  expect(numbers(inPushOrder([[copy, own]], HEAD))).toEqual([9, 7])
  expect(numbers(inPushOrder([[copy], [copy, own]], HEAD))).toEqual([9, 7])
})

test('3.8 a pull request from a fork that was merged last is the thread', () => {
  const fork = merged(9, { mergedAt: 8, mergeCommitSha: HEAD, fromFork: true })
  expect(numbers(inPushOrder([[fork], [merged(7)]], HEAD))).toEqual([7, 9])
})

test('3.8 without parents, all other commits are looked up, the newest first', () => {
  const { shas } = otherCommits(commits(['a', ''], ['b', ''], ['c', '']), 'c')
  expect(shas).toEqual(['b', 'a'])
})

test('3.8 with parents, the commits that came with a merge are not looked up', () => {
  const merges = commits(['side', 'base'], ['m1', 'base'], ['other', 'base'], ['m2', 'm1'], ['m3', 'm2'])
  expect(otherCommits(merges, 'm3').shas).toEqual(['m2', 'm1'])
})

test('3.8 parents that go round in circles end the line', () => {
  expect(otherCommits(commits(['a', 'b'], ['b', 'a'], ['c', 'a']), 'c').shas).toEqual(['a', 'b'])
  expect(otherCommits(commits(['a', 'a']), 'a').shas).toEqual([])
})

test('3.8 a large push is looked up in part, and says so', () => {
  const many = Array.from({ length: 250 }, (_, n) => [`sha${n}`, ''] as const)
  const { shas, isCut } = otherCommits(commits(...many), 'sha249')
  expect([shas.length, isCut]).toEqual([50, true])
  expect(otherCommits(commits(['a', '']), 'a').isCut).toBe(false)
  expect(otherCommits({ ...commits(['a', '']), missing: 9 }, 'a').isCut).toBe(true)
})
