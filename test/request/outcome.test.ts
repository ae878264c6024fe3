import { expect, test } from 'vitest'
import {
  appearanceOf,
  isKnownStatus,
  isTerminal,
  OUTCOMES,
  outcomeOf,
  SKIP_REASONS,
} from '../../src/request/outcome.ts'

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

/** Contract 2.1 and 5.3. */
const APPEARANCES = {
  'pull-request': ['info', 'rocket'],
  'no-pull-request': ['info', '+1'],
  archived: ['warning', '+1'],
  failed: ['error', 'confused'],
  'timed-out': ['error', 'confused'],
  cancelled: ['error', 'confused'],
  started: ['info', undefined],
  skipped: ['info', '+1'],
  error: ['error', 'confused'],
} as const

test.each(OUTCOMES)('2.1 5.3 %s has its colour and its reaction', (outcome) => {
  const [level, reaction] = APPEARANCES[outcome]
  expect(appearanceOf(outcome, '')).toEqual({ level, reaction })
})

test('2.1 on-timeout: warn ends a time-out green, and changes nothing else', () => {
  expect(appearanceOf('timed-out', '', 'warn')).toEqual({ level: 'warning', reaction: 'confused' })
  for (const outcome of OUTCOMES.filter((other) => other !== 'timed-out')) {
    expect(appearanceOf(outcome, '', 'warn')).toEqual(appearanceOf(outcome, ''))
  }
})

test.each(SKIP_REASONS)('2.1 3.3 skipped, %s: green', (reason) => {
  expect(appearanceOf('skipped', reason)).toEqual({
    level: reason === 'missing-secret' ? 'warning' : 'info',
    reaction: reason === 'permission-denied' ? 'confused' : '+1',
  })
})
