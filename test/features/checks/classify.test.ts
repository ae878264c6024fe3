import { describe, expect, test } from 'vitest'
import {
  classify,
  conflictWith,
  dependsOnWorkflows,
  type Listed,
  withBase,
} from '../../../src/features/checks/classify.ts'
import type { CheckRun, CheckSuite, CommitStatus } from '../../../src/github/answers.ts'
import { type CheckResult, statusOf } from '../../../src/record/check-results.ts'

// Contract 4.12: one list of what speaks of a commit, with one result each.

const run = (over: Partial<CheckRun> = {}): CheckRun =>
  ({
    ...{ id: 1, name: 'build', app: 'github-actions', status: 'completed', conclusion: 'success' },
    ...{ suiteId: 7, url: '', runId: '', title: '', summary: '', annotations: 0 },
    ...over,
  }) as CheckRun
const status = (over: Partial<CommitStatus> = {}): CommitStatus =>
  ({ context: 'site', state: 'success', url: '', description: '', runId: '', ...over }) as CommitStatus
const suite = (over: Partial<CheckSuite> = {}): CheckSuite =>
  ({
    id: 9,
    app: 'github-actions',
    status: 'completed',
    conclusion: 'success',
    runs: 1,
    ...over,
  }) as CheckSuite

const OWN = '42'
const resultsOf = (listed: Partial<Listed>) =>
  classify({ runs: [], statuses: [], suites: [], ...listed }, OWN).map(({ result }) => result)

test.each<[string, string, CheckResult]>([
  ['completed', 'success', 'passed'],
  ['completed', 'neutral', 'passed'],
  ['completed', 'skipped', 'passed'],
  ['completed', 'failure', 'failed'],
  ['completed', 'timed_out', 'failed'],
  ['completed', 'startup_failure', 'failed'],
  ['completed', 'action_required', 'needs-approval'],
  ['completed', 'cancelled', 'no-verdict'],
  ['completed', 'stale', 'no-verdict'],
  ['completed', '', 'no-verdict'],
  ['waiting', '', 'needs-approval'],
  ['in_progress', '', 'works'],
  ['queued', '', 'queued'],
  ['requested', '', 'queued'],
  ['pending', '', 'queued'],
  ['', '', 'queued'],
  ['constructor', 'constructor', 'queued'],
])('4.12 a check run that is %s (%s): %s', (state, conclusion, result) => {
  expect(resultsOf({ runs: [run({ status: state, conclusion })] })).toEqual([result])
})

test.each<[string, CheckResult]>([
  ['pending', 'queued'],
  ['success', 'passed'],
  ['failure', 'failed'],
  ['error', 'failed'],
  ['unheard', 'no-verdict'],
])('4.12 a commit status that is %s: %s', (state, result) => {
  expect(resultsOf({ statuses: [status({ state })] })).toEqual([result])
})

test.each<[string, Partial<CheckSuite>, readonly CheckResult[]]>([
  ['that GitHub parks', { conclusion: 'action_required', runs: 0 }, ['needs-approval']],
  ['whose workflow file cannot be used', { conclusion: 'failure', runs: 0 }, ['failed']],
  ['whose workflow cannot start', { conclusion: 'startup_failure', runs: 0 }, ['failed']],
  ['that was cancelled before its first job', { conclusion: 'cancelled', runs: 0 }, []],
  ['whose workflow skips itself', { conclusion: 'skipped', runs: 0 }, []],
  ['that fails, as its runs tell', { conclusion: 'failure' }, []],
  ['whose next job is to come', { status: 'in_progress', conclusion: '' }, ['queued']],
  ['that has ended', {}, []],
  ['without runs, which may be an orphan', { status: 'queued', conclusion: '', runs: 0 }, []],
  ['of another app', { app: 'dependabot', status: 'queued', conclusion: '' }, []],
  ['whose run is open', { id: 7, status: 'in_progress', conclusion: '' }, ['works']],
])('4.12 a suite %s', (_, over, results) => {
  const runs = over.id === 7 ? [run({ status: 'in_progress', conclusion: '' })] : []
  expect(resultsOf({ runs, suites: [suite(over)] })).toEqual(results)
})

test('4.12 what the run itself reports does not count, nor does its suite', () => {
  const own = { runId: OWN, status: 'in_progress', conclusion: '' }
  const suites = [suite({ id: 7, status: 'in_progress', conclusion: '' })]
  expect(resultsOf({ runs: [run(own)], statuses: [status({ runId: OWN })], suites })).toEqual([])
})

const CANCELLED = { conclusion: 'cancelled' }
const RED = { conclusion: 'failure' }
/** Of suites. */
const WORKFLOWS = new Map([
  [7, 70],
  [8, 70],
  [9, 90],
])

test.each<[string, Partial<CheckRun>, Partial<CheckRun>, readonly CheckResult[]]>([
  ['a cancelled one yields to a later one', CANCELLED, { id: 2 }, ['passed']],
  ['of another suite of its workflow as well', CANCELLED, { id: 2, suiteId: 8 }, ['passed']],
  ['it yields to none of another workflow', CANCELLED, { id: 2, suiteId: 9 }, ['no-verdict', 'passed']],
  ['nor where its own is not known', { ...CANCELLED, suiteId: 5 }, { id: 2 }, ['no-verdict', 'passed']],
  [
    'nor where that of the later one is not known',
    CANCELLED,
    { id: 2, suiteId: 6 },
    ['no-verdict', 'passed'],
  ],
  [
    'nor where neither is known',
    { ...CANCELLED, suiteId: 5 },
    { id: 2, suiteId: 6 },
    ['no-verdict', 'passed'],
  ],
  ['nor without suites', { ...CANCELLED, suiteId: 0 }, { id: 2, suiteId: 0 }, ['no-verdict', 'passed']],
  [
    'the checks of another app have one name each',
    { ...CANCELLED, app: 'ci', suiteId: 5 },
    { id: 2, app: 'ci', suiteId: 6 },
    ['passed'],
  ],
  ['it yields to a later one that is cancelled, too', CANCELLED, { id: 2, ...CANCELLED }, ['no-verdict']],
  ['it yields to no earlier one', { ...CANCELLED, id: 3 }, { id: 2 }, ['no-verdict', 'passed']],
  ['it yields to none of another app', CANCELLED, { id: 2, app: 'other' }, ['no-verdict', 'passed']],
  ['it yields to none of another name', CANCELLED, { id: 2, name: 'lint' }, ['no-verdict', 'passed']],
  ['red stays red, whatever comes after it', RED, { id: 2 }, ['failed', 'passed']],
  ['two of one time both count', { ...RED, id: 0 }, { id: 0 }, ['failed', 'passed']],
])('4.12 of two checks: %s', (_, one, other, results) => {
  expect(resultsOf({ runs: [run(one), run(other)], workflows: WORKFLOWS })).toEqual(results)
})

test.each<[string, Partial<CheckRun>, Partial<CheckRun>, boolean]>([
  ['a cancelled one and a later one of another suite', CANCELLED, { id: 2, suiteId: 8 }, true],
  ['one suite tells', CANCELLED, { id: 2 }, false],
  ['none was cancelled', RED, { id: 2, suiteId: 8 }, false],
  ['the later one was cancelled', { id: 1 }, { id: 2, suiteId: 8, ...CANCELLED }, false],
  ['another name', CANCELLED, { id: 2, suiteId: 8, name: 'lint' }, false],
  ['another app', { ...CANCELLED, app: 'ci' }, { id: 2, suiteId: 8, app: 'ci' }, false],
])('4.12 whether it depends on workflows what of two checks counts: %s', (_, one, other, depends) => {
  expect(dependsOnWorkflows([run(one), run(other)])).toBe(depends)
})

describe('4.12 what fails at the base branch as well', () => {
  const head = classify(
    { runs: [run(RED), run({ ...RED, app: 'lychee' }), run({ name: 'lint' })], statuses: [], suites: [] },
    OWN,
  )
  const onBase = (...over: readonly Partial<CheckRun>[]) =>
    withBase(head, classify({ runs: over.map(run), statuses: [], suites: [] }, OWN)).map(
      ({ result }) => result,
    )

  test('is told by name and app', () => {
    expect(onBase(RED)).toEqual(['fails-on-base', 'failed', 'passed'])
  })

  test('is what fails there: nothing else changes', () => {
    expect(onBase({}, { name: 'lint', ...RED })).toEqual(['failed', 'failed', 'passed'])
  })

  test('is red', () => {
    expect(statusOf(withBase([conflictWith('main')], []))).toBe('failure')
    expect(statusOf([{ name: 'a', url: '', result: 'fails-on-base' }])).toBe('failure')
  })
})

test('4.12 green needs every check, and red only one', () => {
  const all = [
    'passed',
    'failed',
    'fails-on-base',
    'works',
    'queued',
    'needs-approval',
    'no-verdict',
  ] as const
  const of = (...results: readonly CheckResult[]) =>
    statusOf(results.map((result) => ({ name: 'a', url: '', result })))
  expect(of()).toBe('none')
  expect(of('passed', 'passed')).toBe('success')
  for (const result of all.slice(3)) expect(of('passed', result)).toBe('pending')
  for (const result of all) expect(of(result, 'failed')).toBe('failure')
})
