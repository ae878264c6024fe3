import { expect, test } from 'vitest'
import { changeOf, largestChanges, ranking } from '../../src/visitors/comparison.ts'

test('7.1 a ranking holds the heaviest few, in order, the first of equals first', () => {
  const most = ranking<readonly [string, number]>(3, ([, weight]) => weight)
  for (const item of [
    ['a', 1],
    ['b', 5],
    ['c', 1],
    ['d', 3],
    ['e', 5],
    ['f', 0],
  ] as const)
    most.add(item)
  expect(most.list().map(([name]) => name)).toEqual(['b', 'e', 'd'])
})

test('7.5 the pages that moved most, up or down, new or gone', () => {
  const now = new Map([
    ['/up', 90],
    ['/same', 5],
    ['/new', 40],
    ['/down', 10],
  ])
  const before = new Map([
    ['/up', 30],
    ['/same', 5],
    ['/gone', 20],
    ['/down', 35],
  ])
  expect(largestChanges(now, before, 10, true)).toEqual([
    { path: '/up', before: 30, now: 90 },
    { path: '/new', before: 0, now: 40 },
    { path: '/down', before: 35, now: 10 },
    { path: '/gone', before: 20, now: 0 },
  ])
  expect(largestChanges(now, before, 2, true)).toHaveLength(2)
})

test('7.5 where rows were cut, a page that is missing is not taken for gone or new', () => {
  const moved = largestChanges(
    new Map([
      ['/a', 1],
      ['/b', 9],
    ]),
    new Map([
      ['/a', 2],
      ['/c', 9],
    ]),
    10,
    false,
  )
  expect(moved).toEqual([{ path: '/a', before: 2, now: 1 }])
})

test.each([
  [112, 100, '+12 %'],
  [88, 100, '−12 %'],
  [1034, 1000, '+3.4 %'],
  [1000, 1000, '±0 %'],
  [100_001, 100_000, '±0 %'],
  [0, 0, '±0 %'],
  [5, 0, 'new'],
  [0, 5, '−100 %'],
  [5000, 1, '+499,900 %'],
])('7.5 from %i to %i is %s', (now, before, change) => {
  expect(changeOf(now, before)).toBe(change)
})
