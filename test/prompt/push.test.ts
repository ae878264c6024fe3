import { expect, test } from 'vitest'
import { inPushOrder } from '../../src/features/merges/push.ts'
import { merged, numbers } from './pull.ts'

const HEAD = 'c'.repeat(40)

test('3.8 of equal times, the one whose merge made the head is the thread', () => {
  const [own, other] = [merged(7, { mergedAt: 5, mergeCommitSha: HEAD }), merged(8, { mergedAt: 5 })]
  expect(numbers(inPushOrder([own, other], HEAD))).toEqual([8, 7])
})

test('3.8 a fork’s copy of a pull request does not count, however late it was closed', () => {
  const own = merged(7, { mergedAt: 5, mergeCommitSha: HEAD })
  const copy = merged(9, { mergedAt: 8, mergeCommitSha: HEAD, fromFork: true })
  expect(numbers(inPushOrder([copy, own], HEAD))).toEqual([7])
})

test('3.8 of equal times, the one of a fork is the thread where its merge made the head, and else is not', () => {
  const times = { mergedAt: 5, fromFork: true }
  const [fork, own] = [merged(7, { ...times, mergeCommitSha: HEAD }), merged(8, { mergedAt: 5 })]
  expect(numbers(inPushOrder([fork, own], HEAD))).toEqual([8, 7])
  const other = merged(9, { ...times, mergeCommitSha: 'd'.repeat(40) })
  expect(numbers(inPushOrder([other, own], HEAD))).toEqual([9, 8])
  expect(numbers(inPushOrder([own, merged(6, { mergedAt: 5 })], HEAD))).toEqual([6, 8])
})

test('3.8 a pull request from a fork that was merged last is the thread', () => {
  const fork = merged(9, { mergedAt: 8, mergeCommitSha: HEAD, fromFork: true })
  expect(numbers(inPushOrder([fork, merged(7)], HEAD))).toEqual([7, 9])
})
