import { expect, test } from 'vitest'
import { isThrottle } from '../../src/http/failure.ts'

test.each<[number, string, boolean]>([
  [422, 'Validation Failed: was submitted too quickly', true],
  [403, 'was submitted too quickly', true],
  [403, 'You have been temporarily blocked from creating content', true],
  [
    403,
    'You have triggered an abuse detection mechanism and have been temporarily blocked from content creation.',
    true,
  ],
  [403, 'temporarily blocked from calling the API', true],
  [403, 'You have exceeded a secondary rate limit', true],
  [403, 'API rate limit exceeded for installation ID 1.', true],
  [422, 'You have exceeded a secondary rate limit', true],
  [403, 'Too Many Requests', true],
  [403, 'Repository access blocked', false],
  [403, 'Repository disabled due to abuse', false],
  [403, 'You have been blocked from this repository', false],
  [422, 'Validation Failed: body is too long', false],
  [404, 'Not Found', false],
  [500, 'rate limit', false],
])('5.7 %i %j passes: %s', (status, detail, passes) => {
  expect(isThrottle(status, detail)).toBe(passes)
})
