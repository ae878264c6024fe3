import fc from 'fast-check'
import type { Check } from '../emulator/github/checks.ts'
import { ask, finishing, inputs, turnWith } from './asks.ts'
import { checks } from './checks.ts'
import { either, often, sometimes, spread } from './draw.ts'
import type { Interference } from './interfere.ts'
import type { Act, Drawn, EventKind } from './story.ts'
import { sweepEvents } from './sweep-events.ts'

// Stories in which no runner waits: a run starts the job and ends, and sweeps, which events and a schedule wake, send back what fails.

const MINUTE = 60_000

/** Fails for long enough that a sweep meets it twice: at work, and red. */
const red: fc.Arbitrary<Check> = spread(2 * MINUTE, 8 * MINUTE).map((takesMs) => ({
  ...{ name: 'e2e', takesMs, conclusion: 'failure' },
}))

/** Every other head is red, and now and then CI is queued for minutes before any of it shows. */
export const checksOfFixes: fc.Arbitrary<readonly (readonly Check[])[]> = fc
  .tuple(
    checks,
    fc.array(sometimes(50, red), { minLength: 4, maxLength: 4, size: 'max' }),
    sometimes(30, spread(2 * MINUTE, 4 * MINUTE)),
  )
  .map(([heads, reds, queuedMs = 0]) =>
    heads.map((head, n) =>
      [...head, ...(reds[n] === undefined ? [] : [reds[n]])].map(
        (one) => ({ ...one, appearsAfterMs: (one.appearsAfterMs ?? 0) + queuedMs }) as Check,
      ),
    ),
  )

/** What the workflow that collects gives to each of its sweeps. */
export const collects = inputs({
  'fix-attempts': often({ '1': 1, '2': 4, '3': 2 }),
  'wait-minutes': sometimes(50, fc.constant('0')),
  'min-permission': sometimes(15, fc.constantFrom('read', 'maintain')),
  'daily-limit': sometimes(10, fc.constantFrom('1', '3')),
  comment: sometimes(5, fc.constant('update')),
})

/** Somebody asks, and later somebody for more; two runs in twenty wait. */
export const askedForFixes: fc.Arbitrary<Act> = ask({
  author: often({ alice: 4, dora: 4, bob: 2 }),
  sender: fc.constant(undefined),
  event: often<EventKind>({ command: 12, 'review-comment': 1, status: 1 } as never),
  on: either<Drawn['on']>(
    [6, fc.constant('issue')],
    [4, fc.constant('agent')],
    [2, fc.constantFrom<Drawn['on']>(31, 'pull')],
  ),
  inputs: inputs({
    'timeout-minutes': fc.constantFrom('50', '20'),
    'fix-attempts': often({ '1': 1, '2': 2, '3': 1 }),
    wait: either([1, fc.constant(undefined)], [9, fc.constant('false')]),
    'min-permission': sometimes(25, fc.constantFrom('none', 'read', 'maintain')),
    'daily-limit': sometimes(8, fc.constantFrom('2', '4')),
    conversation: sometimes(10, fc.constant('new')),
    ...finishing,
  }),
  turn: turnWith(either([6, fc.constant({ ending: 'completed', pr: 'open' })], [1, fc.constant({})])),
}).map((drawn) => ({ kind: 'ask', asks: [drawn], isTwice: false }))

export const sweptAtEvents: fc.Arbitrary<Act> = sweepEvents.map((drawn) => ({
  kind: 'sweep-events',
  events: drawn,
}))

/** As long as CI, or a turn of the agent, takes. */
export const minutesPass: fc.Arbitrary<Act> = spread(10_000, 90 * MINUTE).map((ms) => ({ kind: 'pass', ms }))

/** What people do between two rounds. */
export const meddlesWithFixes: fc.Arbitrary<Act> = often<Interference>({
  ...{ 'delete-youngest': 5, 'take-permission': 5, 'workflow-push': 2, conflict: 2 },
  ...{ merge: 1, close: 1, lock: 1, 'edit-comment': 1, 'new-key': 1, archive: 1, 'delete-trigger': 1 },
} as never).map((interference) => ({ kind: 'interfere', interference }))
