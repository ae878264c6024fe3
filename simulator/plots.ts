import fc from 'fast-check'
import { command } from './acts.ts'
import { ask, finishing, fixTurn, inputs, paths, timeout, turnWith } from './asks.ts'
import { checks } from './checks.ts'
import { either, often, sometimes, spread } from './draw.ts'
import {
  askedForFixes,
  checksOfFixes,
  collects,
  meddlesWithFixes,
  minutesPass,
  sweptAtEvents,
} from './fix-plots.ts'
import { INTERFERENCES } from './interfere.ts'
import type { Stage } from './stage.ts'
import type { Act, Drawn, EventKind, Story, Sweep } from './story.ts'
import { bodyText, hostile } from './texts.ts'
import { trouble } from './trouble.ts'
import { TRACKING_TITLE } from './world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A story: where it takes place, and what happens there. */
export interface Plot {
  readonly story: Story
  readonly acts: Iterable<fc.AsyncCommand<Stage, Stage>>
}

const sweep: fc.Arbitrary<Sweep> = inputs({
  comment: often({ recreate: 2, update: 1 }),
  'wait-minutes': sometimes(50, fc.constantFrom('0', '30')),
  'fix-attempts': sometimes(60, fc.constantFrom('1', '2', '5')),
}).map((own) => ({ blows: [], inputs: { 'since-hours': '700', ...own } }))

const level = often({ write: 30, read: 1 })

/** @param percent how often the agent's commits have checks */
const place = (percent: number, more: fc.Arbitrary<Story['inputs']> = fc.constant({})): fc.Arbitrary<Story> =>
  fc
    .record({
      seed: fc.noShrink(fc.nat()),
      docsRepository: often({ 'octo/app': 2, 'octo/docs': 1 }),
      permissions: fc.record({
        issues: level,
        pull_requests: level,
        contents: fc.constant('read' as const),
        statuses: level,
        actions: often({ read: 3, none: 1 }),
      }),
      title: either([7, fc.constant('Explain retries')], [3, hostile]),
      body: either([8, bodyText], [2, hostile]),
      crowd: either(
        [12, fc.constant(0)],
        [4, fc.integer({ min: 1, max: 10 })],
        [1, fc.integer({ min: 95, max: 230 })],
      ),
      agentLogin: often({ 'mintlify[bot]': 2, alice: 1 }),
      agentSign: fc.constantFrom('app', 'commits', 'none'),
      checks: sometimes(percent, checks),
      fixTurns: fc.tuple(fixTurn, fixTurn, fixTurn),
      followsPulls: sometimes(30, fc.constant(true)),
      isStacked: sometimes(20, fc.constant(true)),
      inputs: more,
    })
    .map(({ checks = [], followsPulls = false, isStacked = false, inputs = {}, ...drawn }) => ({
      ...drawn,
      checks,
      followsPulls,
      isStacked,
      inputs,
    }))

type Weighted = readonly [weight: number, act: fc.Arbitrary<Act>]

/** What happens between requests, and what goes wrong. */
const BETWEEN: readonly Weighted[] = [
  [16, spread(1000, 30 * HOUR).map((ms) => ({ kind: 'pass', ms }))],
  [12, sweep.map((one) => ({ kind: 'sweep', sweep: one }))],
  [25, trouble(sweep).map((one) => ({ kind: 'trouble', trouble: one }))],
  [5, fc.nat(9).map((nth) => ({ kind: 'again', nth }))],
]

const meddle: Weighted = [
  10,
  fc.constantFrom(...INTERFERENCES).map((interference) => ({ kind: 'interfere', interference })),
]

/** A key expires, or is lost, and people replace it. */
const newKey: Weighted = [
  10,
  fc.constantFrom('new-key', 'new-memory-key').map((interference) => ({ kind: 'interfere', interference })),
]

const one = (ask: fc.Arbitrary<Drawn>): fc.Arbitrary<Act> =>
  ask.map((first) => ({ kind: 'ask', asks: [first], isTwice: false }))

/** Now and then two at once: somebody else asks, or another workflow listens to the very same event. */
const oneOrTwo = (ask: fc.Arbitrary<Drawn>): fc.Arbitrary<Act> =>
  fc
    .record({
      first: ask,
      second: sometimes(15, ask),
      delayMs: either([6, fc.constant(0)], [4, spread(100, 30 * MINUTE)]),
      isTwice: sometimes(20, fc.constant(true)),
    })
    .map(({ first, second, delayMs, isTwice = false }) => {
      const other = isTwice
        ? { ...first, workflow: 'Docs, too' }
        : second && { ...second, on: first.on, delayMs }
      return { kind: 'ask', asks: second && other ? [first, other] : [first], isTwice }
    })

const by = (weights: Readonly<Record<string, number>>) => ({
  author: often(weights),
  sender: fc.constant(undefined),
})

/** Commands in one thread, by one person or two. */
const inConversation = ask({
  ...by({ alice: 8, bob: 2 }),
  event: often<EventKind>({ command: 16, new: 1, status: 2, help: 1, 'review-comment': 1 } as never),
  on: often({ issue: 4, agent: 1, pull: 1 }),
}).map((drawn): Drawn => ({ ...drawn, inputs: { ...drawn.inputs, 'min-permission': 'write' } }))

/** Runs and sweeps follow the checks of the agent's pull request, and people ask for more meanwhile, there or in the issue. */
const followed: fc.Arbitrary<Act> = fc
  .array(
    fc.tuple(
      ask({
        ...by({ alice: 1 }),
        event: fc.constant('command'),
        on: often({ agent: 7, issue: 3 }),
        inputs: inputs({
          'timeout-minutes': fc.constantFrom('50', '150'),
          'fix-attempts': fc.constantFrom('1', '2', '5'),
          wait: sometimes(60, fc.constant('false')),
          ...finishing,
        }),
        turn: turnWith(either([4, fc.constant({ ending: 'completed', pr: 'open' })], [1, fc.constant({})])),
      }),
      spread(MINUTE, 3 * HOUR),
    ),
    { minLength: 1, maxLength: 3, size: 'max' },
  )
  .map((all) => ({
    kind: 'ask',
    asks: all.map(([drawn, delayMs], n) => (n === 0 ? { ...drawn, on: 'issue' } : { ...drawn, delayMs })),
    isTwice: false,
  }))

/** Of the account that a merge queue closes pull requests with. */
const QUEUE = 'github-merge-queue[bot]'

/** The words of the workflow, the same for each event. */
const CODE_WORDS = 'Document this change. (ask-code;)'

/** A pull request of the code goes on; the runs of its workflow queue. */
const ofCode: fc.Arbitrary<Act> = one(
  fc
    .tuple(
      ask({
        ...by({ alice: 10, bob: 2, carol: 1, 'renovate[bot]': 1 }),
        event: often<EventKind>({
          'code-labeled': 8,
          'code-pushed': 12,
          'code-rebased': 6,
          'code-forced': 2,
          'code-reverted': 4,
          'code-closed': 1,
          'code-merged': 2,
          'queue-checks': 3,
          'queue-leaves': 1,
          command: 3,
          skip: 2,
          'unclear-skip': 2,
        } as never),
        on: fc.constant('pull'),
        inputs: fc.constant({}),
        turn: turnWith(sometimes(20, fc.constant({ ending: 'failed' as const })).map((fails) => fails ?? {})),
      }),
      fc.boolean(),
    )
    .map(([drawn, isQueue]): Drawn => {
      const isOfQueue = drawn.event.startsWith('queue-')
      if (!isOfQueue && !drawn.event.startsWith('code-')) return drawn
      const isBots = isOfQueue || (isQueue && drawn.event === 'code-merged')
      const who = isBots ? { author: QUEUE, sender: QUEUE } : {}
      return { ...drawn, ...who, words: CODE_WORDS, isQueued: true, workflow: 'Docs of code' }
    }),
)

/** A label comes with a push: two events of the same changes at once, and GitHub holds neither back. */
const ofCodeAtOnce: fc.Arbitrary<Act> = fc
  .tuple(ofCode, fc.constantFrom(0, 0, 1000))
  .map(([act, delayMs]) => {
    const one = act.kind === 'ask' ? act.asks[0] : undefined
    if (one === undefined || !one.event.startsWith('code-')) return act
    const both = { ...one, isQueued: false }
    const asks: Drawn[] = [
      { ...both, event: 'code-pushed' },
      { ...both, event: 'code-labeled', delayMs },
    ]
    return { kind: 'ask', asks, isTwice: false }
  })

/** It is merged, and the run of the push, in another workflow, meets that of `closed`. */
const ofMerge: fc.Arbitrary<Act> = fc
  .tuple(ofCode, either([3, fc.constantFrom(0, 50, 150, 300, 1000, 3000)], [1, spread(100, 30 * MINUTE)]))
  .map(([act, delayMs]) => {
    const one = act.kind === 'ask' ? act.asks[0] : undefined
    if (one === undefined || !one.event.startsWith('code-')) return act
    const both = { ...one, isQueued: false }
    const asks: Drawn[] = [
      { ...both, event: 'code-merged' },
      { ...both, event: 'merge-pushed', workflow: 'Docs of merges', delayMs },
    ]
    return { kind: 'ask', asks, isTwice: false }
  })

/** What the workflow of that pull request gives to each of its events. */
const codeInputs = inputs({
  'timeout-minutes': fc.constantFrom('50', '50', '10'),
  wait: sometimes(15, fc.constant('false')),
  paths: sometimes(40, paths),
  'fix-attempts': sometimes(40, fc.constantFrom('1', '2', '5')),
}).map((drawn) => ({ 'commit-status': 'docs', ...drawn }))

/** A refresh of the docs, on a schedule or by hand; now and then somebody answers in its thread. */
const refresh = fc
  .tuple(
    ask({
      ...by({ alice: 1 }),
      event: often<EventKind>({ schedule: 11, dispatch: 6, command: 3 } as never),
      on: fc.constant('tracking'),
      inputs: inputs({ 'timeout-minutes': timeout, ...finishing }).map((own) => ({
        ...own,
        'issue-title': TRACKING_TITLE,
        'changes-since': 'last-run',
      })),
    }),
    sometimes(20, paths),
  )
  .map(([drawn, named]): Drawn => {
    const { 'issue-title': _title, 'changes-since': _since, ...own } = drawn.inputs
    if (drawn.event === 'command') return { ...drawn, inputs: own }
    return { ...drawn, inputs: { ...drawn.inputs, ...(named !== undefined && { paths: named }) } }
  })

/** People merge pull requests. */
const merged: Weighted = [
  50,
  often({ 'merge-change': 4, merge: 1 }).map((interference) => ({ kind: 'interfere', interference })),
]

const MOST_ACTS = 12

const plot = (story: fc.Arbitrary<Story>, most: number, ...acts: readonly Weighted[]): fc.Arbitrary<Plot> =>
  fc.record({
    story,
    acts: fc.commands(
      [fc.oneof(...[...acts, ...BETWEEN].map(([weight, act]) => ({ weight, arbitrary: act.map(command) })))],
      { maxCommands: most, size: 'max', disableReplayLog: true },
    ),
  })

/** Its workflow that collects has inputs of its own, and each head of the agent has checks. */
const placeOfFixes: fc.Arbitrary<Story> = fc
  .record({ story: place(0), checks: checksOfFixes, collects })
  .map(({ story, ...own }) => ({ ...story, ...own, followsPulls: false }))

/** No runner waits. */
const unwatched = plot(
  placeOfFixes,
  20,
  [60, askedForFixes],
  [60, sweptAtEvents],
  [30, minutesPass],
  [12, meddlesWithFixes],
)

/** Stories, by how often such a thing happens in life. */
const ANY: fc.Arbitrary<Plot> = fc.oneof(
  { weight: 30, arbitrary: plot(place(30), MOST_ACTS, [50, oneOrTwo(inConversation)], meddle) },
  {
    weight: 25,
    arbitrary: plot(place(50, codeInputs), 16, [60, ofCode], [10, ofCodeAtOnce], [8, ofMerge], newKey),
  },
  { weight: 15, arbitrary: plot(place(100), 8, [50, followed], meddle) },
  { weight: 15, arbitrary: unwatched },
  { weight: 15, arbitrary: plot(place(30), 16, [40, oneOrTwo(refresh)], merged, meddle) },
  { weight: 15, arbitrary: plot(place(30), MOST_ACTS, [50, oneOrTwo(ask())], meddle) },
)

/** What stories are about: of those about checks, nine in ten are such in which no runner waits. */
export const ABOUT = {
  any: ANY,
  checks: fc.oneof({ weight: 9, arbitrary: unwatched }, { weight: 1, arbitrary: ANY }),
} as const satisfies Readonly<Record<string, fc.Arbitrary<Plot>>>

export type About = keyof typeof ABOUT
