import { describe, expect, test } from 'vitest'
import { type DecidedHead, verdictOf } from '../../src/docs-with-code/verdict.ts'
import { commitVerdictOf } from '../../src/messages/commit-verdict.ts'
import type { ChecksStatus } from '../../src/request/check-state.ts'
import { ending } from '../../src/request/outcome.ts'
import type { SkipComment } from '../../src/request/precedence.ts'
import type { RequestRecord } from '../../src/request/record.ts'
import { type RecordFields, recorded, recordOf, reportedWith, withJob } from '../request/helpers.ts'

const LINK = 'https://github.com/octo/docs/pull/7'
const HEAD: DecidedHead = { name: 'docs', step: 'S', sha: 'a1', digest: 'D' }
const OF_HEAD = { commitStatus: { name: 'docs', sha: 'a1' }, head: { sha: 'a1', digest: 'D', step: 'S' } }

const requestOf = (fields: RecordFields) => recordOf({ ...OF_HEAD, ...fields }) as RequestRecord
const SKIP = recorded({ state: 'docs-skipped', why: 'internal' }) as SkipComment

/** State and description; '-' where nothing decides the head. */
function shown(requests: readonly RequestRecord[], head = HEAD, skip?: SkipComment): string {
  const verdict = verdictOf({ requests, skip }, head)
  return verdict === undefined ? '-' : `${verdict.state}: ${verdict.description}${verdict.link && ' →'}`
}

const checked = (status: ChecksStatus) => ({
  ...reportedWith('J', LINK),
  checks: { status, sentFor: [], messagedAt: 0 },
})
const working = 'pending: The docs agent is working'

test('4.13 where it is not known whether a job got the request, the status says that, not what became of the job', () => {
  const { job } = withJob('J', '', 'active')
  const facts = { outcome: 'error', reason: 'creation-uncertain', job, command: '/docs' } as const
  expect(commitVerdictOf(facts)?.description).toMatch(/^It is not known whether the docs agent got/)
})

describe('4.13 the verdict of a head', () => {
  test.each<readonly [string, RecordFields, string]>([
    ['idle', { state: 'idle' }, '-'],
    ['idle, denied', { state: 'idle', ending: ending('skipped', 'permission-denied') }, '-'],
    ['sending', { state: 'sending', jobId: '' }, working],
    ['sending, told of', { state: 'sending', jobId: '', ending: ending('error', 'network') }, working],
    [
      'unknown',
      { state: 'unknown', jobId: '' },
      'error: It is not known whether the docs agent got the request: look at the dashboard, or /docs skip',
    ],
    [
      'not sent',
      { state: 'notSent', ending: ending('error', 'unauthorized') },
      'error: The API key is wrong or has expired: replace it, or /docs skip',
    ],
    [
      'not sent, for want of a scope',
      { state: 'notSent', ending: ending('error', 'forbidden') },
      'error: The API key may not do this: check its scope, or /docs skip',
    ],
    [
      'not sent, and no end is known',
      { state: 'notSent' },
      'error: The docs agent did not get the request: see the run, or /docs skip',
    ],
    [
      'not sent, cancelled',
      { state: 'notSent', ending: ending('cancelled') },
      'error: The docs agent did not get the request: see the run, or /docs skip',
    ],
    ['at work', { state: 'running', ...withJob('J', LINK, 'active') }, working],
    [
      'at work, with a run that waits no more',
      { state: 'running', ...withJob('J', '', 'active'), ending: ending('timed-out') },
      working,
    ],
    ['ended, not reported', { state: 'running', ...withJob('J', LINK) }, working],
    ['a pull request', reportedWith('J', LINK), 'success: octo/docs#7 →'],
    ['no pull request', reportedWith('J'), 'success: The docs agent opened no pull request'],
    ['failed', reportedWith('J', '', 'failed'), 'failure: The docs agent failed'],
    ['archived', reportedWith('J', LINK, 'archived'), 'failure: The job of the docs agent was archived →'],
    [
      'gone',
      reportedWith('J', '', 'active'),
      'error: The job can no longer be followed: /docs new …, or /docs skip',
    ],
    ['checks: success', checked('success'), 'success: octo/docs#7 →'],
    ['checks: none', checked('none'), 'success: octo/docs#7 →'],
    ['checks: failure', checked('failure'), 'failure: octo/docs#7: its checks fail →'],
    ['checks: pending', checked('pending'), 'success: octo/docs#7, whose checks had not ended →'],
    ['checks: unavailable', checked('unavailable'), 'success: octo/docs#7, whose checks could not be read →'],
    ['checks that are followed', { ...checked('pending'), openParts: ['checks'] }, working],
    ['other parts that are open', { ...checked('none'), openParts: ['status'] }, 'success: octo/docs#7 →'],
    [
      'checks of a job that failed later',
      { ...checked('failure'), ...withJob('J', LINK, 'failed') },
      'failure: octo/docs#7: its checks fail →',
    ],
  ])('%s', (_, fields, verdict) => {
    expect(shown([requestOf(fields)])).toBe(verdict)
    // A skip in force decides whatever a request says (3.2).
    expect(shown([requestOf(fields)], HEAD, SKIP)).toBe('success: Skipped by alice: internal →')
  })

  test('3.2 a skip alone decides, and nothing at all does not', () => {
    expect(shown([], HEAD, SKIP)).toBe('success: Skipped by alice: internal →')
    expect(shown([])).toBe('-')
  })
})

const DONE = reportedWith('J', LINK)
const [decided, open] = ['success: octo/docs#7 →', '-']

describe('3.13 4.13 which request decides a head', () => {
  /** Of the record: the name of its status, its step, the SHAs of status and head, and the digest. */
  type Facts = readonly [name: string, step: string, statusSha: string, sha: string, digest: string]

  test.each<readonly [string, Facts, ofKnown: string, ofUnknown: string]>([
    // Against the head with its digest, and where that is not known.
    ['the same in all', ['docs', 'S', 'a1', 'a1', 'D'], decided, decided],
    ['another commit of the same changes', ['docs', 'S', 'b2', 'b2', 'D'], decided, open],
    ['other changes at the same commit', ['docs', 'S', 'a1', 'a1', 'E'], open, decided],
    ['other changes', ['docs', 'S', 'b2', 'b2', 'E'], open, open],
    ['a commit without a digest', ['docs', 'S', 'a1', 'a1', ''], decided, decided],
    ['a command at the head, which has a status alone', ['docs', '', 'a1', '', ''], decided, decided],
    ['a head without its status', ['docs', 'S', '', 'a1', ''], decided, decided],
    ['another commit without a digest', ['docs', 'S', 'b2', 'b2', ''], open, open],
    ['another step with the same status', ['docs', 'T', 'a1', 'a1', 'D'], decided, decided],
    ['another status of the same step', ['api', 'S', 'a1', 'a1', 'D'], open, open],
    ['the same step before it had a status', ['', 'S', '', 'a1', 'D'], decided, decided],
    ['another step without a status', ['', 'T', '', 'a1', 'D'], open, open],
  ])('%s', (_, [name, step, statusSha, sha, digest], ofKnown, ofUnknown) => {
    const facts = { commitStatus: { name, sha: statusSha }, head: { sha, digest, step } }
    const record = requestOf({ ...DONE, ...facts })
    expect([shown([record]), shown([record], { ...HEAD, digest: '' })]).toEqual([ofKnown, ofUnknown])
  })

  test('the latest of those that are about it, whatever later ones for other changes say', () => {
    const other = requestOf({
      ...reportedWith('J', '', 'failed'),
      head: { sha: 'b2', digest: 'E', step: 'S' },
    })
    const idle = requestOf({ state: 'idle' })
    const [later, earlier] = [requestOf({ state: 'running', ...withJob('K') }), requestOf(DONE)]
    expect(shown([other, idle, later, earlier])).toBe(working)
    expect(shown([other, idle, earlier, later])).toBe(decided)
  })
})
