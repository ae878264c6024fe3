import { ask, finishing, fixTurn, paths, timeout } from './asks.ts'
import { checks } from './checks.ts'
import { Dice } from './dice.ts'
import { INTERFERENCES } from './interfere.ts'
import type { Act, Ask, EventKind, Story, Sweep } from './story.ts'
import { bodyText, HOSTILE } from './texts.ts'
import { troubled } from './trouble.ts'
import { TRACKING_TITLE } from './world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** What happens in a story, by how often it happens in life. */
const PLOTS = {
  /** Commands in one issue, which remembers them. */
  conversation: 30,
  /** A pull request of the code goes on, and a workflow asks for its docs each time. */
  code: 25,
  /** Runs follow the checks of the agent's pull request. */
  followed: 15,
  /** Schedules, with what was merged meanwhile. */
  refreshes: 15,
  /** Anything that people and bots can do. */
  any: 15,
} as const

/** The story of a seed. */
export function invent(seed: number): Story {
  const dice = new Dice(seed, 'story')
  const plot = dice.of('plot').name(PLOTS)
  const level = (name: string) => dice.of(name).name({ write: 30, read: 1 })
  const hasChecks = plot === 'followed' || dice.of('checks').chance(0.3)
  return {
    seed,
    docsRepository: dice.of('docs').name({ 'octo/app': 2, 'octo/docs': 1 }),
    permissions: {
      issues: level('issues'),
      pull_requests: level('pulls'),
      contents: 'read',
      statuses: level('statuses'),
      actions: dice.of('actions').name({ read: 3, none: 1 }),
    },
    title: dice.of('title').chance(0.7) ? 'Explain retries' : dice.of('title', 'which').pick(HOSTILE),
    body: dice.of('body').chance(0.8) ? bodyText(dice.of('body', 'which')) : dice.of('odd').pick(HOSTILE),
    crowd: dice.of('crowd').weighted([
      [0, 12],
      [dice.of('crowd', 'few').whole(1, 10), 4],
      [dice.of('crowd', 'many').whole(95, 230), 1],
    ]),
    agentLogin: dice.of('agent').name({ 'mintlify[bot]': 2, alice: 1 }),
    agentSign: dice.of('agent', 'sign').pick(['app', 'commits', 'none']),
    checks: hasChecks ? checks(dice.of('checks', 'which')) : [],
    fixTurns: Array.from({ length: 3 }, (_, n) => fixTurn(dice.of('fix', n))),
    followsPulls: dice.of('follows').chance(0.3),
    memoryKey: dice.of('memory').chance(0.5) ? 'test-memory-of-the-workflow' : '',
    acts: troubled(dice.of('trouble'), ACTS[plot](dice.of(plot)), sweepOf),
  }
}

const ACTS: Readonly<Record<keyof typeof PLOTS, (dice: Dice) => readonly Act[]>> = {
  conversation: (dice) => inTurn(dice, (own, n) => inConversation(own, ask(own, n))),
  any: (dice) => inTurn(dice, ask),
  refreshes: (dice) => inTurn(dice, refresh, mergedMeanwhile),
  followed,
  code,
}

const sweepOf = (dice: Dice): Sweep => ({
  blows: [],
  inputs: {
    comment: dice.of('comment').name({ recreate: 2, update: 1 }),
    'since-hours': '700',
    ...(dice.of('wait').chance(0.5) && { 'wait-minutes': dice.of('wait', 'long').pick(['0', '30']) }),
  },
})

const passes = (dice: Dice, chance: number, mostMs: number): Act[] =>
  dice.chance(chance) ? [{ kind: 'pass', ms: dice.spread(1000, mostMs) }] : []

const sweeps = (dice: Dice, chance: number): Act[] =>
  dice.chance(chance) ? [{ kind: 'sweep', sweep: sweepOf(dice) }] : []

/** What comes after a request. */
const between = (dice: Dice): Act[] => [
  ...passes(dice.of('pass'), 0.4, 30 * HOUR),
  ...sweeps(dice.of('sweep'), 0.3),
  ...(dice.of('meddle').chance(0.25)
    ? [{ kind: 'interfere', interference: dice.of('meddle', 'how').pick(INTERFERENCES) } as const]
    : []),
]

/** Some acts one after the other, now and then two requests at once. */
function inTurn(
  dice: Dice,
  make: (dice: Dice, n: number) => Ask,
  before: (dice: Dice) => Act[] = () => [],
): Act[] {
  let asked = 0
  return Array.from({ length: dice.count(0, 3, 4, 3, 1) }, (_, n) => dice.of('act', n)).flatMap((own) => {
    const first = make(own.of('first'), ++asked)
    const asks = own.of('two').chance(0.15)
      ? [first, atOnce(own.of('second'), first, ++asked, make)]
      : [first]
    return [...before(own.of('before')), { kind: 'ask', asks } as const, ...between(own.of('between'))]
  })
}

/** At the same time or soon: somebody else asks, or another workflow listens to the very same event. */
function atOnce(dice: Dice, first: Ask, n: number, make: (dice: Dice, n: number) => Ask): Ask {
  const late = dice.of('late')
  const delayMs = late.chance(0.6) ? 0 : late.spread(100, 30 * MINUTE)
  if (dice.of('other').chance(0.2)) return { ...first, workflow: 'Docs, too' }
  return { ...make(dice.of('make'), n), on: first.on, delayMs }
}

const by = (login: string) => ({ author: login, sender: login })

/** Commands in one thread, by one person or two. */
const inConversation = (dice: Dice, asked: Ask): Ask => ({
  ...asked,
  ...by(dice.of('who').name({ alice: 8, bob: 2 })),
  event: dice.of('kind').name({ command: 16, new: 1, status: 2, help: 1, 'review-comment': 1 }),
  on: dice.of('where').name({ issue: 4, agent: 1, pull: 1 }),
  inputs: { ...asked.inputs, 'min-permission': 'write' },
})

/** Runs follow the checks of the agent's pull request, and people ask for more meanwhile, there or in the issue. */
function followed(dice: Dice): readonly Act[] {
  const asks = Array.from({ length: dice.count(0, 4, 3, 1) }, (_, n): Ask => {
    const own = dice.of('ask', n)
    const asked = ask(own.of('ask'), n + 1)
    return {
      ...asked,
      ...by('alice'),
      ...{ event: 'command', on: n === 0 || own.chance(0.3) ? 'issue' : 'agent' },
      inputs: {
        'timeout-minutes': own.of('limit').pick(['50', '150']),
        'fix-attempts': own.of('fixes').pick(['1', '2', '5']),
        ...finishing(own.of('finishing'), 0.3),
      },
      delayMs: n === 0 ? 0 : own.of('late').spread(MINUTE, 3 * HOUR),
      turn: {
        ...asked.turn,
        durationMs: own.of('turn').spread(1000, 20 * MINUTE),
        ...(own.of('ends').chance(0.8) && { ending: 'completed', pr: 'open' }),
      },
    }
  })
  return [{ kind: 'ask', asks }, ...between(dice.of('between'))]
}

/** Of the account that a merge queue closes pull requests with. */
const QUEUE = 'github-merge-queue[bot]'

/** The words of the workflow, the same for each event. */
const CODE_WORDS = 'Document this change. (ask-code;)'

/** A pull request of the code goes on; the runs of its workflow queue. */
function code(dice: Dice): readonly Act[] {
  const many = dice.whole(2, 6)
  const inputs = {
    ...{ 'commit-status': 'docs', 'timeout-minutes': dice.of('limit').pick(['50', '50', '10']) },
    ...(dice.of('wait').chance(0.15) && { wait: 'false' }),
    ...paths(dice.of('paths'), 0.4),
  }
  return Array.from({ length: many }, (_, n) => dice.of('act', n)).flatMap((own, n): Act[] => {
    const isLast = n === many - 1
    const event = own.weighted<EventKind>([
      ['code-pushed', 8],
      ['code-rebased', 4],
      ['code-labeled', n === 0 ? 20 : 1],
      ['code-forced', 1],
      ['code-reverted', n < 2 ? 0 : 3],
      ['code-closed', isLast ? 4 : 0],
      ['code-merged', isLast ? 8 : 0],
      ['command', n === 0 ? 0 : 2],
      ['skip', n === 0 ? 0 : 1.5],
    ])
    const isBots = isLast && event === 'code-merged' && own.of('queue').chance(0.5)
    const asked = ask(own.of('ask'), n + 1)
    const one: Ask = {
      ...asked,
      ...by(isBots ? QUEUE : own.of('who').name({ alice: 10, bob: 2, carol: 1, 'renovate[bot]': 1 })),
      ...{ event, on: 'pull', inputs },
      ...(event.startsWith('code-') && { words: CODE_WORDS, isQueued: true, workflow: 'Docs of code' }),
      turn: { ...asked.turn, ...(own.of('ends').chance(0.1) && { ending: 'failed' }) },
    }
    return [
      { kind: 'ask', asks: [one] },
      ...passes(own.of('pass'), 0.8, 12 * HOUR),
      ...sweeps(own.of('sweep'), 0.2),
    ]
  })
}

/** People merge pull requests, one after the other. */
const mergedMeanwhile = (dice: Dice): Act[] =>
  Array.from({ length: dice.count(2, 4, 2, 1) }, (_, n) => dice.of(n)).flatMap((own): Act[] => [
    { kind: 'interfere', interference: own.of('whose').name({ 'merge-change': 4, merge: 1 }) },
    ...passes(own.of('late'), 0.8, 9 * HOUR),
  ])

/** A refresh of the docs, on a schedule or by hand; now and then somebody answers in its thread. */
function refresh(dice: Dice, n: number): Ask {
  const asked = { ...ask(dice.of('ask'), n), ...by('alice') }
  const inputs = { ...timeout(dice.of('limit')), ...finishing(dice.of('finishing'), 0.3) }
  if (dice.of('answer').chance(0.15)) return { ...asked, event: 'command', on: 'tracking', inputs }
  return {
    ...asked,
    event: dice.of('event').name({ schedule: 2, dispatch: 1 }),
    inputs: {
      ...inputs,
      ...paths(dice.of('paths'), 0.2),
      ...{ 'issue-title': TRACKING_TITLE, 'changes-since': 'last-run' },
    },
  }
}
