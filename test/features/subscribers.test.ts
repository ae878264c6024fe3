import { expect, test } from 'vitest'
import { subscribersOf } from '../../src/features/tracking-issue/tracking-issue.ts'
import { trackingBody } from '../../src/words/comments.ts'

test.each([
  [['requester', 'octo/writers', 'bob'], '', '@octo/writers, @bob'],
  [['octo/writers'], 'alice', '@alice'],
])(
  '3.9 a tracking issue with the reviewers %j subscribes who asked, or the reviewers',
  (asked, by, named) => {
    expect(trackingBody('/docs', subscribersOf(asked, by))).toContain(`Notified: ${named}.`)
  },
)

test.each([
  [[]],
  [['requester']],
  [['authors']],
  [['renovate[bot]']],
  [['x @everyone', '[a](https://evil.example)']],
])('3.9 %j subscribes no person', (asked) => {
  expect(trackingBody('/docs', subscribersOf(asked, ''))).not.toMatch(/@|evil/)
})
