import { expect, test } from 'vitest'
import { Cancelled, GitHubError, type GitHubFailure, unlessRefused } from '../../src/base/errors.ts'

const failure = (kind: GitHubFailure['kind'], httpStatus: number): GitHubError =>
  new GitHubError({ kind, httpStatus, detail: '', triedMs: 0 })

test.each<[string, Error, readonly number[], boolean]>([
  ['a refusal', failure('refused', 403), [], true],
  ['a refusal with a status that is named', failure('refused', 422), [422], true],
  ['one of two that are named', failure('refused', 404), [422, 404], true],
  ['a refusal with another one', failure('refused', 403), [422], false],
  ['an outage', failure('away', 503), [], false],
  ['an outage with a status that is named', failure('away', 422), [422], false],
  ['a cancelled run', new Cancelled(), [], false],
  ['a defect', new TypeError('x is undefined'), [], false],
])('5.6 a call gives something else after %s alone', async (_, error, statuses, isGiven) => {
  const call = unlessRefused(Promise.reject(error), 'else', ...statuses)
  await (isGiven ? expect(call).resolves.toBe('else') : expect(call).rejects.toBe(error))
})
