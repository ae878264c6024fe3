import { expect, test } from 'vitest'
import { reviewersOf } from '../../src/run/pull-request-settings.ts'

const names = (reviewers: readonly string[], requestedBy = 'alice') =>
  reviewersOf({ requestedBy, finish: { preview: false, reviewers, labels: [] } })

test('4.11 people and teams are told apart, and requester is the person who asked', () => {
  expect(names(['octo/writers', 'requester', 'bob'])).toEqual([
    { name: 'alice', isTeam: false },
    { name: 'bob', isTeam: false },
    { name: 'writers', isTeam: true },
  ])
})

test('4.11 nobody is asked twice', () => {
  expect(names(['alice', 'requester']).map(({ name }) => name)).toEqual(['alice'])
})

test('4.11 without a person, requester stands for nobody', () => {
  expect(names(['requester'], '')).toEqual([])
})
