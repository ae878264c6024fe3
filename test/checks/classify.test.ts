import { expect, test } from 'vitest'
import { classify, mayNeverEnd, resultOf } from '../../src/checks/classify.ts'
import type { CheckRun, CommitStatus } from '../../src/github/answers.ts'

// Contract 4.12: what a check run and a commit status count as.

const run = (over: Partial<CheckRun> = {}): CheckRun => ({
  ...{ id: 1, name: 'build', app: 'github-actions', status: 'completed', conclusion: 'success' },
  ...{ startedAt: 10_000, completedAt: 20_000, suiteId: 7, url: '', runId: '', workflowRunId: '' },
  ...{ title: '', summary: '', annotations: 0 },
  ...over,
})

const statusOf = (state: string) =>
  classify([], [{ context: 'site', state, createdAt: 5000 } as CommitStatus], () => undefined)[0]

test.each([
  ['completed', 'success', 'passed'],
  ['completed', 'neutral', 'passed'],
  ['completed', 'skipped', 'passed'],
  ['completed', 'failure', 'failed'],
  ['completed', 'timed_out', 'failed'],
  ['completed', 'startup_failure', 'failed'],
  ['completed', 'action_required', 'needs-approval'],
  ['completed', 'cancelled', 'no-verdict'],
  ['completed', 'stale', 'no-verdict'],
  ['waiting', '', 'needs-approval'],
  ['pending', '', 'queued-behind'],
  ['queued', '', 'running'],
  ['requested', '', 'running'],
  ['in_progress', '', 'running'],
])('4.12 a check run that is %s (%s): %s', (status, conclusion, result) => {
  expect(resultOf(run({ status, conclusion }))).toBe(result)
})

test.each([
  ['pending', 'running'],
  ['success', 'passed'],
  ['failure', 'failed'],
  ['error', 'failed'],
  ['unheard', 'no-verdict'],
])('4.12 a commit status that is %s: %s', (state, result) => {
  expect(statusOf(state)?.result).toBe(result)
})

test('4.12 a change is dated by when a check ended, or else began, and by when a status was set', () => {
  const runs = [run(), run({ name: 'lint', status: 'in_progress', conclusion: '', completedAt: 0 })]
  expect(classify(runs, [], () => undefined).map(({ since }) => since)).toEqual([20_000, 10_000])
  expect(statusOf('success')?.since).toBe(5000)
})

test('4.12 a check that is said to have begun after its end, such as a skipped one, counts', () => {
  const skipped = run({ conclusion: 'skipped', startedAt: 21_000 })
  expect(classify([skipped], [], () => undefined).map(({ result }) => result)).toEqual(['passed'])
})

test('4.12 a commit status that is pending, and a check run that is queued, may never end', () => {
  const runs = [
    run({ name: 'a', status: 'queued' }),
    run({ name: 'b', status: 'in_progress' }),
    run({ name: 'c' }),
  ]
  expect(classify(runs, [], () => undefined).map(mayNeverEnd)).toEqual([true, false, false])
  expect([statusOf('pending'), statusOf('success')].map((one) => one && mayNeverEnd(one))).toEqual([
    true,
    false,
  ])
})

const RED = { conclusion: 'failure' }
const LATER = { id: 2, startedAt: 21_000, completedAt: 30_000 }

test.each<[string, Partial<CheckRun>, Partial<CheckRun>, readonly number[]]>([
  ['one that began after the other had ended counts alone', RED, LATER, [2]],
  ['one that began as the other ended counts beside it', RED, { ...LATER, startedAt: 20_000 }, [1, 2]],
  ['one of another suite counts beside it', RED, { ...LATER, suiteId: 8 }, [1, 2]],
  ['where the forge names no suites, both count', { ...RED, suiteId: 0 }, { ...LATER, suiteId: 0 }, [1, 2]],
  ['where the forge names no end, both count', { ...RED, completedAt: 0 }, LATER, [1, 2]],
  ['one of another name counts beside it', RED, { ...LATER, name: 'lint' }, [1, 2]],
  ['one of another app counts beside it', RED, { ...LATER, app: 'other' }, [1, 2]],
  [
    'a cancelled one gives way to a later one of another suite',
    { conclusion: 'cancelled' },
    { ...LATER, suiteId: 8, startedAt: 15_000 },
    [2],
  ],
  [
    'a cancelled one gives way to no earlier one',
    {},
    { ...LATER, conclusion: 'cancelled', suiteId: 8 },
    [1, 2],
  ],
])('4.12 of two checks, %s', (_, one, other, counting) => {
  const checks = classify([run(one), run(other)], [], () => undefined)
  expect(checks.map((check) => check.run?.id)).toEqual(counting)
})

test.each([
  ['of one workflow for one event, the later one counts alone', {}, [2]],
  ['of two workflows, both count', { workflowId: 6 }, [1, 2]],
  ['for two events, both count', { event: 'push' }, [1, 2]],
  ['that began in the same second, both count', { startedAt: 1000 }, [1, 2]],
])('4.12 of two runs %s', (_, over, counting) => {
  const ofEarlier = { workflowId: 5, event: 'pull_request', startedAt: 1000, suiteId: 7 }
  const ofLater = { ...ofEarlier, startedAt: 2000, suiteId: 8, ...over }
  const runs = [run(RED), run({ ...LATER, suiteId: 8, startedAt: 15_000 })]
  const checks = classify(runs, [], ({ suiteId }) => (suiteId === 8 ? ofLater : ofEarlier))
  expect(checks.map((check) => check.run?.id)).toEqual(counting)
})
