import { expect, test } from 'vitest'
import { trackingBody } from '../../src/messages/comments.ts'
import { missingReviewers } from '../../src/messages/report.ts'
import { resolveReviewers, subscribersOf } from '../../src/request/reviewers.ts'

const NONE = { people: [], teams: [], lacksRequester: false, foreignTeams: [] }

test('4.11 people and teams are told apart, and requester is the person who asked, once', () => {
  const asked = ['octo/writers', 'requester', 'bob', 'alice']
  expect(resolveReviewers(asked, 'alice', 'Octo')).toEqual({
    ...NONE,
    people: ['alice', 'bob'],
    teams: ['writers'],
  })
})

test('4.11 where no person asked, a warning says so', () => {
  const resolved = resolveReviewers(['requester', 'bob'], '', 'octo')
  expect(resolved).toEqual({ ...NONE, people: ['bob'], lacksRequester: true })
  expect(missingReviewers(resolved, 'octo')).toMatch(/`requester`.*no person asked/)
})

test('4.11 teams of another organization cannot review, and a warning names them', () => {
  const resolved = resolveReviewers(['docs-inc/writers'], 'alice', 'octo')
  expect(resolved).toEqual({ ...NONE, foreignTeams: ['docs-inc/writers'] })
  expect(missingReviewers(resolved, 'octo')).toContain('`docs-inc/writers`')
})

test('4.11 nothing is missing where all can be asked', () => {
  expect(missingReviewers(resolveReviewers(['alice'], '', 'octo'), 'octo')).toBe('')
})

test.each([
  [['requester', 'octo/writers', 'bob'], '', '@octo/writers, @bob'],
  [['octo/writers'], 'alice', '@alice'],
])(
  '3.9 a tracking issue with the reviewers %j subscribes who asked, or the reviewers',
  (asked, by, named) => {
    expect(trackingBody('/docs', subscribersOf(asked, by))).toContain(`Notified: ${named}.`)
  },
)

test.each([[[]], [['requester']], [['renovate[bot]']], [['x @everyone', '[a](https://evil.example)']]])(
  '3.9 %j subscribes no person',
  (asked) => {
    expect(trackingBody('/docs', subscribersOf(asked, ''))).not.toMatch(/@|evil/)
  },
)
