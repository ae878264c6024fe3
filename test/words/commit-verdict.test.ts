import { expect, test } from 'vitest'
import type { ChecksStatus } from '../../src/record/check-results.ts'
import { jobWithId } from '../../src/record/job.ts'
import { commitVerdictOf } from '../../src/words/commit-verdict.ts'

const job = { ...jobWithId('j_1'), prLink: 'https://github.com/octo/docs/pull/7' }
const verdictOf = (status: ChecksStatus | undefined) => {
  const checks = status && { status }
  return commitVerdictOf({ outcome: 'pull-request', reason: '', job, checks, command: '/docs' })
}

test.each<[ChecksStatus | undefined, string]>([
  [undefined, 'success: octo/docs#7'],
  ['success', 'success: octo/docs#7'],
  ['none', 'success: octo/docs#7'],
  ['failure', 'failure: octo/docs#7: its checks fail'],
  ['pending', 'pending: octo/docs#7, whose checks have no known verdict: re-run to read them again'],
  ['unavailable', 'pending: octo/docs#7, whose checks could not be read: re-run once they can be'],
])('4.13 checks that are %s: %s', (status, says) => {
  const verdict = verdictOf(status)
  expect(`${verdict?.state}: ${verdict?.description}`).toBe(says)
  expect(verdict?.link).toBe(job.prLink)
})
