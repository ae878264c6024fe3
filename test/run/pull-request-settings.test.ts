import { expect, test } from 'vitest'
import { settingsOf } from '../../src/run/pull-request-settings.ts'

const settings = (reviewers: readonly string[], requestedBy = 'alice') =>
  settingsOf({ requestedBy, finish: { preview: false, reviewers, labels: ['docs'] } })

test('4.11 people and teams are told apart, and requester is the person who asked', () => {
  expect(settings(['requester', 'bob', 'octo/writers'])).toEqual({
    reviewers: ['alice', 'bob'],
    teams: ['writers'],
    labels: ['docs'],
  })
})

test('4.11 nobody is asked twice', () => {
  expect(settings(['alice', 'requester']).reviewers).toEqual(['alice'])
})

test('4.11 without a person, requester stands for nobody', () => {
  expect(settings(['requester'], '').reviewers).toEqual([])
})
