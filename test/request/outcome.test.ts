import { expect, test } from 'vitest'
import { isKnownStatus, isTerminal, outcomeOf } from '../../src/request/outcome.ts'

const PR = 'https://github.com/octo/docs/pull/77'

test.each([
  ['completed', PR, 'pull-request'],
  ['completed', '', 'no-pull-request'],
  ['archived', PR, 'archived'],
  ['failed', PR, 'failed'],
  ['active', PR, undefined],
  ['Completed', PR, undefined],
  ['pondering', PR, undefined],
  ['', PR, undefined],
  ['constructor', PR, undefined],
  ['__proto__', PR, undefined],
] as const)('2 a job that is %j with the link %j: %s', (status, prLink, outcome) => {
  expect(outcomeOf({ status, prLink })).toBe(outcome)
  expect(isTerminal(status)).toBe(outcome !== undefined)
  expect(isKnownStatus(status)).toBe(outcome !== undefined || status === 'active')
})
