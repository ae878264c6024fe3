import { expect, test } from 'vitest'
import type { Ending } from '../../../src/core/ending.ts'
import { type Outcome, type Reason, SKIP_REASONS } from '../../../src/core/outcome.ts'
import { reactionOf, reactionOfMarker } from '../../../src/thread/reactions.ts'

const of = (outcome: Outcome, reason: Reason = '') => reactionOf({ outcome, reason } as Ending)

test.each([
  ['pull-request', 'rocket'],
  ['no-pull-request', '+1'],
  ['archived', '+1'],
  ['failed', 'confused'],
  ['timed-out', 'confused'],
  ['cancelled', 'confused'],
  ['error', 'confused'],
  ['started', undefined],
] as const)('5.3 %s: %s', (outcome, reaction) => {
  expect(of(outcome)).toBe(reaction)
})

test.each(SKIP_REASONS)('3.3 5.3 skipped, %s', (reason) => {
  expect(of('skipped', reason)).toBe(reason === 'permission-denied' ? 'confused' : '+1')
})

const PR = 'https://github.com/octo/app/pull/77'
test.each([
  ['reported', 'completed', PR, 'rocket'],
  ['reported', 'completed', '', '+1'],
  ['reported', 'archived', PR, '+1'],
  ['reported', 'failed', PR, 'confused'],
  ['answer', '', '', '+1'],
  ['parted', 'active', '', 'confused'],
  ['uncertain', '', '', 'confused'],
  ['unsent', '', '', 'confused'],
  ['refusal', '', '', 'confused'],
] as const)('5.3 a marker %s, %s, %j tells the same', (state, status, pr, reaction) => {
  expect(reactionOfMarker({ state, status, pr })).toBe(reaction)
})
