import { expect, test } from 'vitest'
import { readInputs } from '../../src/inputs/inputs.ts'
import { digestOfAttempts, digestOfRequest, type RequestSource } from '../../src/record/request-identity.ts'
import { distinguishingIn } from '../../src/story/begin.ts'

const ORIGIN: RequestSource = {
  ...{ runId: 1, workflow: 'Docs', workflowJob: 'docs', matrixIndex: '', stepId: 'step' },
  ...{ comment: 'issue:5', projectId: 'docs' },
}
const key = (more: Partial<RequestSource> = {}, prompt = 'explain') =>
  digestOfRequest({ ...ORIGIN, ...more }, prompt)

test.each<readonly [Partial<RequestSource>, boolean]>([
  [{ runId: 2 }, true],
  [{ workflow: 'Other' }, false],
  [{ workflowJob: 'other' }, false],
  [{ stepId: 'other' }, false],
  [{ matrixIndex: '1' }, false],
  [{ comment: 'issue:6' }, false],
  [{ comment: 'review:5' }, false],
  [{ projectId: 'other' }, false],
  [{ workflowJob: 'docsstep', stepId: '' }, false],
])('5.2 the key with %j: the same request %s', (more, same) => {
  expect(key(more) === key()).toBe(same)
  // Whatever the comment, the step of another run is another one.
  expect(digestOfAttempts({ ...ORIGIN, ...more })).not.toBe(digestOfAttempts(ORIGIN))
})

test('5.2 the first job of a matrix has the key of a job without one', () => {
  expect(key({ matrixIndex: '0' })).toBe(key())
})

test('5.2 without a comment, the run counts; the prompt counts always', () => {
  expect(key({ comment: '', runId: 2 })).not.toBe(key({ comment: '' }))
  expect(key({}, 'explain more')).not.toBe(key())
})

test('5.2 it is a digest: short, and nothing of the request shows', () => {
  expect(key({}, 'x'.repeat(100_000))).toMatch(/^[\w-]{22}$/)
})

test.each([
  ['labels', 'docs'],
  ['reviewers', 'alice'],
  ['commit-status', 'docs'],
  ['guidelines', 'none'],
  ['conversation', 'new'],
  ['job-id', 'j_1'],
  ['issue-number', '12'],
])('5.2 two calls that differ in `%s` alone are two requests', (name, value) => {
  const given: Record<string, string> = { 'api-key': 'key', 'project-id': 'docs', prompt: 'explain' }
  const distinct = (more: Record<string, string>) =>
    distinguishingIn(
      readInputs((input) => ({ ...given, ...more })[input] ?? ''),
      'explain',
      [],
    )
  expect(distinct({ [name]: value })).not.toEqual(distinct({}))
})
