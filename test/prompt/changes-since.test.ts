import { expect, test } from 'vitest'
import type { PullRequest } from '../../src/event/pull-request.ts'
import { mergedSince, movesPoint, pointOf } from '../../src/prompt/changes-since.ts'
import { EMPTY_HISTORY } from '../../src/request/history.ts'
import { merged, numbers } from './pull.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 16, 6, 17)

const pull = (number: number, mergedAt: number, updatedAt = mergedAt): PullRequest =>
  merged(number, { mergedAt, updatedAt, state: mergedAt === 0 ? 'closed' : 'merged' })

test('3.10 the point: what was covered, else seven days; days and times as they are', () => {
  expect(pointOf('last-run', { ...EMPTY_HISTORY, coveredUntil: 5 }, NOW)).toBe(5)
  expect(pointOf('last-run', EMPTY_HISTORY, NOW)).toBe(NOW - 7 * DAY)
  expect(pointOf('last-run', undefined, NOW)).toBe(NOW - 7 * DAY)
  expect(pointOf({ days: 3 }, { ...EMPTY_HISTORY, coveredUntil: 5 }, NOW)).toBe(NOW - 3 * DAY)
  expect(pointOf({ at: 9 }, undefined, NOW)).toBe(9)
})

test('3.10 where the thread cannot be read, the first seven days do not cover what came before', () => {
  expect(movesPoint('last-run', undefined)).toBe(false)
  expect(movesPoint('last-run', EMPTY_HISTORY)).toBe(true)
  expect(movesPoint({ days: 3 }, undefined)).toBe(true)
})

/** Pages, and how often each was read. */
function pagesOf(...pages: readonly (readonly PullRequest[] | undefined)[]) {
  const reads: number[] = []
  const readPage = async (page: number) => {
    reads.push(page)
    return page > pages.length ? [] : pages[page - 1]
  }
  return { reads, mergedAfter: (point: number) => mergedSince(point, pages[0], readPage) }
}

test('3.10 a page that ends before the point is the last one', async () => {
  const { mergedAfter, reads } = pagesOf([pull(1, 10), pull(2, 9), pull(3, 2)], [pull(4, 1)])
  expect(numbers(await mergedAfter(5))).toEqual([2, 1])
  expect(reads).toEqual([])
})

test('3.10 pages are read until then, whatever was updated since', async () => {
  const { mergedAfter, reads } = pagesOf(
    [pull(1, 10), pull(2, 1, 9)],
    [pull(3, 8), pull(4, 0, 7)],
    [pull(5, 6), pull(6, 4)],
  )
  expect(numbers(await mergedAfter(5))).toEqual([5, 3, 1])
  expect(reads).toEqual([2, 3, 1])
})

test('3.10 a list that ends, an empty one, and one that cannot be read', async () => {
  expect(await pagesOf([pull(1, 10)]).mergedAfter(5)).toHaveLength(1)
  expect(await pagesOf([]).mergedAfter(5)).toEqual([])
  expect(await pagesOf(undefined).mergedAfter(5)).toBeUndefined()
  expect(await pagesOf([pull(1, 10)], undefined).mergedAfter(5)).toBeUndefined()
})
