import { expect, test } from 'vitest'
import type { RunContext } from '../../src/event/run-context.ts'
import { requestKey } from '../../src/run/request-run.ts'

const CONTEXT: RunContext = {
  eventName: 'issue_comment',
  payload: {},
  repository: { owner: 'octo', repo: 'app' },
  repositoryId: 1,
  runId: 1,
  runAttempt: 1,
  branch: 'main',
  workflow: 'Docs',
  job: 'docs',
  step: 'step',
  actor: 'alice',
  workspace: '.',
  serverUrl: 'https://github.com',
  apiUrl: 'https://api.github.com',
}
const ASKED = { comment: 'issue:5', matrixIndex: '0', projectId: 'docs', request: 'explain' }
const key = (context: Partial<RunContext> = {}, asked: Partial<typeof ASKED> = {}) =>
  requestKey({ ...CONTEXT, ...context }, { ...ASKED, ...asked })

test.each<readonly [Partial<RunContext>, Partial<typeof ASKED>, boolean]>([
  [{}, {}, true],
  [{ runAttempt: 2 }, {}, true],
  [{ runId: 2 }, {}, true],
  [{ repository: { owner: 'octo', repo: 'renamed' } }, {}, true],
  [{ workflow: 'Other' }, {}, false],
  [{ job: 'other' }, {}, false],
  [{ step: 'other' }, {}, false],
  [{}, { comment: 'issue:6' }, false],
  [{}, { comment: 'review:5' }, false],
  [{}, { matrixIndex: '1' }, false],
  [{}, { projectId: 'other' }, false],
  [{}, { request: 'explain more' }, false],
  [{ job: 'docsstep', step: '' }, {}, false],
])('5.2 the key with %j, %j: the same request %s', (context, asked, same) => {
  expect(key(context, asked) === key()).toBe(same)
})

test('5.2 without a comment, the run counts', () => {
  const of = (runId: number, runAttempt = 1) => key({ runId, runAttempt }, { comment: '' })
  expect(of(1, 2)).toBe(of(1))
  expect(of(2)).not.toBe(of(1))
})

test('5.2 it is a digest: short, and nothing of the request shows', () => {
  expect(key({}, { request: 'x'.repeat(100_000) })).toMatch(/^[\w-]{22}$/)
})
