import { expect, test } from 'vitest'
import { environmentOf } from '../../../src/runner/environment.ts'
import { requestKey } from '../../../src/thread/request-key.ts'

const ENV = {
  GITHUB_RUN_ID: '1',
  GITHUB_RUN_ATTEMPT: '1',
  GITHUB_WORKFLOW: 'Docs',
  GITHUB_JOB: 'docs',
  GITHUB_ACTION: 'step',
}
const ASKED = { comment: 'issue:5', projectId: 'docs', instruction: 'explain' }
const key = (env: Record<string, string> = {}, asked: Partial<typeof ASKED> = {}) =>
  requestKey(environmentOf({ ...ENV, ...env }), { ...ASKED, ...asked })

test.each([
  [{}, {}, true],
  [{ GITHUB_RUN_ATTEMPT: '2' }, {}, true],
  [{ GITHUB_RUN_ID: '2' }, {}, true],
  [{ GITHUB_WORKFLOW: 'Other' }, {}, false],
  [{ GITHUB_JOB: 'other' }, {}, false],
  [{ GITHUB_ACTION: 'other' }, {}, false],
  [{}, { comment: 'issue:6' }, false],
  [{}, { comment: 'review:5' }, false],
  [{}, { projectId: 'other' }, false],
  [{}, { instruction: 'explain more' }, false],
  [{ GITHUB_JOB: 'docsstep', GITHUB_ACTION: '' }, {}, false],
])('5.2 the key with %j, %j: the same request %s', (env, asked, same) => {
  expect(key(env, asked) === key()).toBe(same)
})

test('5.2 without a comment, the run counts', () => {
  const of = (id: string, attempt = '1') =>
    key({ GITHUB_RUN_ID: id, GITHUB_RUN_ATTEMPT: attempt }, { comment: '' })
  expect(of('1', '2')).toBe(of('1'))
  expect(of('2')).not.toBe(of('1'))
})

test('5.2 it is a digest: short, and nothing of the prompt shows', () => {
  expect(key({}, { instruction: 'x'.repeat(100_000) })).toMatch(/^[\w-]{22}$/)
})
