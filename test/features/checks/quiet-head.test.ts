import { expect, test } from 'vitest'
import { conflictWith, type ReadCheck } from '../../../src/features/checks/classify.ts'
import type { Head } from '../../../src/features/checks/quiet-head.ts'
import { type Expected, patienceWith } from '../../../src/features/checks/quiet-head.ts'
import { waitsFor } from '../../../src/http/retry.ts'
import type { CheckResult } from '../../../src/record/check-results.ts'

// Contract 4.12: how long a head has to stay as it is until the run acts on it.

const SECOND = 1000
const MINUTE = 60 * SECOND
const WAITS = waitsFor('https://api.mintlify.com', 15 * SECOND)

const check = (result: CheckResult): ReadCheck => ({
  ...{ kind: 'Check', name: result, url: '', result, conclusion: '', text: '', run: undefined },
  changedAt: 0,
})
const head = (checks: readonly ReadCheck[], isMergeableKnown = true): Head => ({
  ...{ sha: 'a', branch: 'docs', state: 'open', base: 'main', checks, isMergeableKnown, isPublic: true },
  changedAt: 0,
})
const expected: Expected = {
  before: { sha: '', until: 0 },
  hadChecks: false,
  goesBack: ({ checks }) => checks.some(({ result }) => result === 'failed'),
  isSweep: false,
}

test.each<[string, readonly CheckResult[], Partial<Expected>, number]>([
  ['half a minute for what passed', ['passed'], {}, 30 * SECOND],
  ['half a minute for what failed', ['passed', 'failed'], {}, 30 * SECOND],
  ['half a minute for what waits for a person', ['needs-approval'], {}, 30 * SECOND],
  ['half a minute for what has no verdict', ['no-verdict'], {}, 30 * SECOND],
  ['five minutes for what only queues', ['passed', 'queued'], {}, 5 * MINUTE],
  ['five minutes for what queues beside a failure', ['failed', 'queued'], {}, 5 * MINUTE],
  ['five minutes beside a failure that can go back', ['failed', 'works', 'queued'], {}, 5 * MINUTE],
  ['until the deadline beside one that cannot', ['failed', 'works'], { goesBack: () => false }, Infinity],
  ['until the deadline beside one of the base', ['fails-on-base', 'works'], {}, Infinity],
  ['until the deadline for what works', ['passed', 'queued', 'works'], {}, Infinity],
  ['a minute for the first check', [], {}, MINUTE],
  ['five minutes where an earlier head had some', [], { hadChecks: true }, 5 * MINUTE],
  ['ten minutes in a sweep for the first check', [], { isSweep: true }, 10 * MINUTE],
  [
    'ten minutes in a sweep where an earlier head had some',
    [],
    { isSweep: true, hadChecks: true },
    10 * MINUTE,
  ],
  ['without an end in a sweep for what only queues', ['passed', 'queued'], { isSweep: true }, Infinity],
  [
    'five minutes in a sweep beside a failure that can go back',
    ['failed', 'queued'],
    { isSweep: true },
    5 * MINUTE,
  ],
  ['half a minute in a sweep for what passed', ['passed'], { isSweep: true }, 30 * SECOND],
])('4.12 a head is waited for: %s', (_, results, more, ms) => {
  expect(patienceWith(head(results.map(check)), { ...expected, ...more }, WAITS)).toBe(ms)
})

test('4.12 a conflict is waited for like a check that failed, and GitHub’s word on one for a minute', () => {
  const hadChecks = { ...expected, hadChecks: true }
  expect(patienceWith(head([conflictWith('main')]), hadChecks, WAITS)).toBe(30 * SECOND)
  expect(patienceWith(head([check('passed')], false), hadChecks, WAITS)).toBe(MINUTE)
})

test('on a loopback server all waits are as many pauses as elsewhere', () => {
  expect(waitsFor('http://127.0.0.1:8080', 15 * SECOND)).toEqual(WAITS)
  expect(waitsFor('http://127.0.0.1:8080', 1500)).toEqual({
    quietMs: 3000,
    noneMs: 60_000,
    lateMs: 6000,
    linkMs: 1000,
    stalledMs: 30_000,
  })
  expect(waitsFor('https://api.mintlify.com', 60 * SECOND)).toEqual(WAITS)
})
