import * as choices from './choices.ts'
import { Dice } from './dice.ts'
import { HOSTILE } from './hostile.ts'
import { BOTS, PEOPLE, type Person } from './people.ts'
import {
  type Act,
  type Ask,
  EVENTS,
  type EventKind,
  INTERFERENCES,
  type MergedKind,
  type Story,
} from './story.ts'
import { bodyText, inlineText } from './texts.ts'
import { TRACKING_TITLE } from './world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Of the workflow. */
export const MEMORY_KEY = 'test-memory-of-the-workflow'
/** From here on nothing else has a number. */
const OWN_ISSUE = 30

/** The story of a seed. */
export function invent(seed: number): Story {
  const dice = new Dice(seed, 'story')
  const isFollowed = dice.of('followed').chance(0.2)
  const docsRepository = dice.pick<Story['docsRepository']>(['octo/app', 'octo/app', 'octo/docs'])
  const level = () => dice.name({ write: 12, read: 1, none: 0.5 })
  return {
    seed,
    docsRepository,
    docsVisibility: dice.pick(['private', 'public']),
    permissions: {
      issues: level(),
      pull_requests: level(),
      contents: dice.pick(['read', 'read', 'none']),
      statuses: dice.of('statuses').name({ write: 8, read: 1 }),
      actions: dice.of('actions').name({ read: 3, none: 1 }),
    },
    title: dice.chance(0.5) ? 'Explain retries' : dice.pick(HOSTILE),
    body: dice.chance(0.7) ? bodyText(dice.of('body')) : dice.pick(HOSTILE),
    crowd: dice.weighted([
      [0, 6],
      [dice.whole(1, 10), 2],
      [dice.whole(95, 230), 1],
    ]),
    strangersIssue: dice.of('stranger').chance(0.15),
    deployment: choices.deployment(dice.of('deployment')),
    agentLogin: dice.of('agent').pick(['mintlify[bot]', 'mintlify[bot]', 'alice']),
    agentSign: dice.of('agent', 'sign').pick(['app', 'commits', 'none']),
    checks: isFollowed || dice.of('checks').chance(0.5) ? choices.checks(dice.of('checks', 'which')) : [],
    fixTurns: Array.from({ length: 3 }, (_, n) => choices.fixTurn(dice.of('fix', n))),
    servers: choices.servers(dice.of('servers')),
    rateLimits: dice.of('limits').chance(0.5) ? choices.rateLimits(dice.of('limits', 'which')) : undefined,
    followsPulls: dice.of('follows').chance(0.4),
    wake: dice.of('wake').chance(0.5) ? choices.sweep(dice.of('wake', 'sweep')) : undefined,
    memoryKey: dice.of('memory').chance(0.5) ? MEMORY_KEY : '',
    acts: withNewKey(
      dice.of('new key'),
      dice.of('many').chance(0.015)
        ? manyJobs(dice.of('many', 'acts'))
        : isFollowed
          ? followed(dice.of('followed', 'acts'))
          : dice.of('code').chance(0.25)
            ? codePullRequest(dice.of('code', 'acts'))
            : acts(dice),
    ),
  }
}

/** In few stories, the API key is replaced after one of the acts. */
function withNewKey(dice: Dice, acts: readonly Act[]): readonly Act[] {
  if (!dice.chance(0.08)) return acts
  return acts.toSpliced(dice.whole(1, acts.length), 0, { kind: 'interfere', interference: 'new-key' })
}

function acts(dice: Dice): readonly Act[] {
  const many = dice.count(0, 4, 4, 2, 1)
  let asked = 0
  const kind = dice.name({ any: 45, conversation: 30, refreshes: 25 })
  const since = dice.pick(['last-run', 'last-run', 'last-run', '1d'])
  // Once at most: what is older than a month is out of reach of every sweep.
  const longPass = dice.of('long').chance(0.25) ? dice.of('long', 'when').whole(1, many) : 0
  return Array.from({ length: many }, (_, n) => n).flatMap((n): Act[] => {
    const own = dice.of('act', n)
    const before: Act[] =
      n === longPass ? [{ kind: 'pass', ms: own.of('long').spread(DAY_MS, 20 * DAY_MS) }] : []
    const any = ask(own.of('ask'), ++asked)
    if (kind === 'refreshes') {
      const first = refresh(own.of('refresh'), any, since)
      const second = () => refresh(own.of('too'), ask(own.of('second'), ++asked), since)
      const asks = own.chance(0.25) ? [first, second()] : [first]
      return [...before, ...mergedMeanwhile(own.of('merged')), { kind: 'ask', asks }, ...between(own)]
    }
    const first = kind === 'conversation' ? inConversation(own.of('conversation'), any) : any
    const asks = own.chance(0.2) ? together(own.of('second'), first, ++asked) : [first]
    return [...before, { kind: 'ask', asks }, ...between(own)]
  })
}

/** What comes after a request. */
function between(dice: Dice): Act[] {
  const acts: Act[] = []
  if (dice.chance(0.3)) acts.push({ kind: 'pass', ms: dice.spread(1000, 6 * HOUR_MS) })
  if (dice.chance(0.35)) acts.push({ kind: 'sweep', sweep: choices.sweep(dice.of('sweep')) })
  if (dice.chance(0.25)) acts.push({ kind: 'wake', sweep: choices.sweep(dice.of('wake')) })
  const again = dice.of('again')
  if (again.chance(0.3))
    acts.push({ kind: 'again', nth: again.whole(0, 9), attempt: choices.attempt(again.of('how')) })
  if (dice.chance(0.4)) acts.push({ kind: 'interfere', interference: dice.pick(INTERFERENCES) })
  return acts
}

/** Many jobs end that no run waits for, and the sweeps over them are killed, one after the other. */
function manyJobs(dice: Dice): Act[] {
  const asks = Array.from({ length: dice.whole(8, 30) }, (_, n): Ask => {
    const own = dice.of('ask', n)
    const inputs = { wait: 'false', ...choices.finishing(own.of('finishing')) }
    const asked = inConversation(own, ask(own.of('ask'), n + 1))
    return { ...asked, on: OWN_ISSUE + n, inputs, attempts: [choices.undisturbed(0)] }
  })
  const sweeps = Array.from({ length: dice.whole(2, 5) }, (_, n): Act[] => {
    const sweep = choices.sweep(dice.of('sweep', n))
    const blows = [choices.kill(dice.of('sweep', n, 'kill'), 600)]
    return [
      { kind: 'sweep', sweep: { ...sweep, blows } },
      { kind: 'pass', ms: 15 * MINUTE_MS },
    ]
  })
  return [{ kind: 'ask', asks }, { kind: 'pass', ms: 4 * HOUR_MS }, ...sweeps.flat()]
}

/** Runs follow the checks of the agent's pull request, and people ask for more meanwhile, there or in the issue. */
function followed(dice: Dice): readonly Act[] {
  const asks = Array.from({ length: dice.count(0, 4, 3, 2) }, (_, n): Ask => {
    const own = dice.of('ask', n)
    const asked = ask(own.of('ask'), n + 1)
    const isCalm = own.of('calm').chance(0.7)
    return {
      ...asked,
      ...{
        event: 'command',
        on: n === 0 || own.chance(0.3) ? 'issue' : 'agent',
        author: 'alice',
        sender: 'alice',
      },
      inputs: {
        'timeout-minutes': own.of('limit').pick(['60', '150']),
        'fix-attempts': own.of('fixes').pick(['1', '2', '5']),
        ...(own.of('finishing').chance(0.3) && choices.finishing(own.of('finishing', 'which'))),
      },
      delayMs: n === 0 ? 0 : own.of('late').spread(MINUTE_MS, 3 * HOUR_MS),
      turn: {
        ...asked.turn,
        durationMs: own.of('turn').spread(1000, 20 * MINUTE_MS),
        ...(own.of('ends').chance(0.8) && { ending: 'completed', pr: 'open' }),
      },
      attempts: isCalm ? [choices.undisturbed(60_000)] : asked.attempts.slice(0, 2),
    }
  })
  const [first] = asks
  // Somebody takes away what was set, and asks for more.
  const taken =
    dice.of('taken').chance(0.2) && first ? [{ ...first, id: 'ask-9', words: 'and more (ask-9;)' }] : []
  return [
    { kind: 'ask', asks },
    ...(taken.length > 0 ? [{ kind: 'interfere' as const, interference: 'take-away' as const }] : []),
    ...taken.map((again): Act => ({ kind: 'ask', asks: [again] })),
    ...between(dice.of('between')),
  ]
}

/** Of the account that a merge queue closes pull requests with. */
const QUEUE = 'github-merge-queue[bot]'

/** A pull request of the code goes on, and a workflow asks for its docs each time (3.13). */
function codePullRequest(dice: Dice): readonly Act[] {
  const plot = dice.of('plot').chance(0.3) ? dice.of('plot', 'which').pick(PLOTS) : undefined
  const many = plot?.length ?? dice.whole(2, 6)
  const acts = Array.from({ length: many }, (_, n): Act[] => {
    const own = dice.of('act', n)
    const asked = ask(own.of('ask'), n + 1)
    const isLast = n === many - 1
    const event = own.weighted<EventKind>([
      ['code-pushed', 8],
      ['code-rebased', 4],
      ['code-labeled', n === 0 ? 20 : 1],
      ['code-forced', 1.5],
      ['code-reverted', n < 2 ? 0 : 4],
      ['code-closed', isLast ? 8 : 0],
      ['code-merged', isLast ? 4 : 0],
      ['command', n === 0 ? 0 : 2],
      ['skip', n === 0 ? 0 : 1],
    ])
    const who = own.of('who').name({ alice: 8, bob: 1, carol: 1, [isLast ? QUEUE : 'renovate[bot]']: 1 })
    const inputs = {
      'commit-status': 'docs',
      ...own.of('inputs').weighted<Ask['inputs']>([
        [{ 'timeout-minutes': '400' }, 4],
        [{ wait: 'false' }, 2],
        [{ 'timeout-minutes': '10' }, 1],
      ]),
    }
    const ending = own.of('ends').chance(0.2) ? { ending: 'failed' as const } : {}
    const turn = { ...asked.turn, answerStatus: 'active', ...ending }
    const calm = own.of('calm').chance(0.5) ? [choices.undisturbed(60_000)] : asked.attempts.slice(0, 3)
    const on = { event, on: 'pull', author: who, sender: who, inputs, turn, attempts: calm } as const
    const certain = plot && { ...PLOTTED, ...plot[n] }
    const act: Act = { kind: 'ask', asks: [{ ...asked, ...on, isComputed: false, ...certain }] }
    return plot === undefined ? [act, ...between(own.of('between'))] : [act, { kind: 'pass', ms: MINUTE_MS }]
  }).flat()
  const skipped = dice.of('skipped')
  const isOver = acts.some((act) => act.kind === 'ask' && act.asks.some(({ event }) => ENDS.has(event)))
  return !isOver && skipped.chance(0.3) ? [...acts, ...skipsLast(skipped, many)] : acts
}

const ENDS: ReadonlySet<EventKind> = new Set(['code-closed', 'code-merged'])

/** In the end somebody says that the changes need no documentation, and the code goes on (3.2). */
function skipsLast(dice: Dice, asked: number): readonly Act[] {
  const event = dice.pick(['code-pushed', 'code-rebased', 'code-forced'] as const)
  const who = dice.pick(['alice', 'alice', 'renovate[bot]'] as const)
  const events = [{ event: 'skip' }, { event, author: who, sender: who }] as const
  return events.flatMap((happens, n): Act[] => {
    const one = {
      ...ask(dice.of('ask', n), asked + n + 1),
      on: 'pull',
      isComputed: false,
      ...PLOTTED,
    } as const
    return [
      { kind: 'ask', asks: [{ ...one, ...happens }] },
      { kind: 'pass', ms: MINUTE_MS },
    ]
  })
}

const PLOTTED = {
  ...{ author: 'alice', sender: 'alice', attempts: [choices.undisturbed(0)] },
  ...{ turn: { durationMs: MINUTE_MS }, inputs: { 'commit-status': 'docs', 'timeout-minutes': '400' } },
} as const

/** What chance would bring together too rarely. */
const PLOTS: readonly [readonly Partial<Ask>[], ...(readonly Partial<Ask>[])[]] = [
  // Back to changes that were decided.
  [
    { event: 'code-pushed' },
    { event: 'code-pushed', turn: { durationMs: MINUTE_MS, ending: 'failed' } },
    { event: 'code-reverted' },
  ],
  // The end comes while the agent works, or from a merge queue.
  [
    {
      event: 'code-labeled',
      turn: { durationMs: HOUR_MS },
      inputs: { 'commit-status': 'docs', wait: 'false' },
    },
    { event: 'code-closed' },
  ],
  [{ event: 'code-labeled' }, { event: 'code-merged', author: QUEUE, sender: QUEUE }],
  [{ event: 'code-labeled' }, { event: 'code-pushed', author: 'renovate[bot]', sender: 'renovate[bot]' }],
]

/** People merge pull requests, one after the other. */
function mergedMeanwhile(dice: Dice): Act[] {
  return Array.from({ length: dice.count(3, 4, 2, 0, 0, 1) }, (): Act[] => [
    { kind: 'interfere', interference: dice.chance(0.8) ? 'merge-change' : 'merge' },
    // Some follow each other within the second that GitHub's times are written to.
    ...(dice.chance(0.8) ? [{ kind: 'pass' as const, ms: dice.spread(1000, 3 * HOUR_MS) }] : []),
  ]).flat()
}

/** A refresh of the docs, on a schedule or by hand; now and then somebody answers in its thread. */
function refresh(dice: Dice, asked: Ask, since: string): Ask {
  const { wait, comment, 'timeout-minutes': timeout } = asked.inputs
  const given = {
    ...(wait === undefined ? {} : { wait }),
    ...(comment === undefined || comment === 'off' ? {} : { comment }),
    ...(timeout === undefined || timeout === 'soon' ? {} : { 'timeout-minutes': timeout }),
    ...choices.finishing(dice.of('finishing')),
  }
  const attempts = dice.chance(0.4) ? [choices.undisturbed(60_000)] : asked.attempts.slice(0, 3)
  if (dice.chance(0.15)) return { ...asked, event: 'command', on: 'tracking', inputs: given, attempts }
  return {
    ...asked,
    event: dice.pick(['schedule', 'schedule', 'dispatch']),
    inputs: { ...given, 'issue-title': TRACKING_TITLE, 'changes-since': since },
    attempts,
  }
}

/** One of several requests of the same person in the same thread, which remembers them; few things go wrong. */
function inConversation(dice: Dice, { inputs, event, attempts, ...asked }: Ask): Ask {
  const { conversation } = inputs
  return {
    ...asked,
    event: event === 'new' ? 'new' : 'command',
    on: 'issue',
    author: 'alice',
    sender: 'alice',
    inputs: { 'timeout-minutes': '400', ...(conversation === undefined ? {} : { conversation }) },
    attempts: dice.chance(0.7) ? [choices.undisturbed(60_000)] : attempts.slice(0, 2),
  }
}

/**
 * A request, and another one at the same time or soon: of another person, of another workflow on the very same event, or
 * of a second call of one reusable workflow, with a prompt of its own.
 */
function together(dice: Dice, first: Ask, n: number): readonly Ask[] {
  const late = dice.of('late')
  const other = { ...ask(dice, n), delayMs: late.chance(0.5) ? late.spread(1000, 30 * MINUTE_MS) : 0 }
  const { event, on, author, sender, merges, inputs, workflow, words, id, turn } = first
  if (dice.chance(0.4)) return [first, { ...other, on }]
  const same = { event, on, author, sender, merges }
  if (!BY_INPUT.has(event)) return [first, { ...other, ...same, id, words, turn, workflow: 'Docs, too' }]
  // A re-run cannot tell two calls apart whose prompts are computed anew, or of which one has left no comment (5.2).
  const told = (asked: Ask): Ask => {
    const attempts = [choices.undisturbed(0), ...asked.attempts.slice(1)]
    return { ...asked, isComputed: false, attempts }
  }
  return [told(first), told({ ...other, ...same, inputs, workflow, callOf: id })]
}

/** Their request is the input `prompt`. */
const BY_INPUT: ReadonlySet<EventKind> = new Set([
  'pull-closed',
  'pull-opened',
  'issue-labeled',
  'push',
  'release',
  'schedule',
  'dispatch',
])

const QUIET: ReadonlySet<EventKind> = new Set(['help', 'bare', 'status', 'skip', 'chatter', 'edited'])

function ask(dice: Dice, n: number): Ask {
  const event = dice.chance(0.45) ? 'command' : dice.chance(0.15) ? 'push' : dice.pick(EVENTS)
  const author = person(dice)
  const id = `ask-${n}`
  const attempts = choices.attempts(dice)
  return {
    id,
    event,
    on: dice.name({ issue: 6, pull: 2, agent: 2 }),
    author,
    sender: dice.chance(0.9) ? author : person(dice),
    words: `explain ${inlineText(dice.of('words'))} (${id};) ${dice.chance(0.6) ? 'soon' : dice.pick(HOSTILE)}`,
    inputs: inputs(dice.of('inputs'), event),
    workflow: 'Docs',
    isComputed: dice.of('computed').chance(0.3),
    merges: merges(dice.of('merges'), event),
    turn: choices.turn(dice.of('turn')),
    attempts: QUIET.has(event) ? attempts.slice(0, 2) : attempts,
  }
}

function merges(dice: Dice, event: EventKind): readonly MergedKind[] {
  if (event !== 'push' || dice.chance(0.2)) return []
  const kinds = ['person', 'person', 'person', 'bot', 'agent', 'direct'] as const
  return Array.from({ length: dice.whole(1, 4) }, () => dice.pick(kinds))
}

const person = (dice: Dice): string =>
  dice.weighted<string>([
    ['alice', 8],
    ['bob', 2],
    [dice.pick(Object.keys(PEOPLE) as [Person, ...Person[]]), 3],
    [dice.pick(BOTS), 1],
  ])

function inputs(dice: Dice, event: EventKind): Readonly<Record<string, string>> {
  const rarely = (name: string, ...values: [string, ...string[]]) =>
    dice.chance(0.2) ? { [name]: dice.pick(values) } : {}
  const threadless = event === 'schedule' || event === 'dispatch' || event === 'push' || event === 'release'
  return {
    ...rarely('conversation', 'continue', 'skip', 'new'),
    ...rarely('comment', 'update', 'update', 'off'),
    ...rarely('wait', 'false'),
    ...(dice.chance(0.5) ? { 'timeout-minutes': dice.pick(['0.02', '0.5', '2', '10', '60', '400']) } : {}),
    ...rarely('on-timeout', 'warn'),
    // Each second of many hours would be read for nothing.
    ...(dice.chance(0.1)
      ? { 'poll-interval-seconds': '1', 'timeout-minutes': '2' }
      : rarely('poll-interval-seconds', '5', '60', '300')),
    ...(dice.chance(0.06) ? { 'job-id': dice.pick(['known', 'j_unknown', '../../x', '..']) } : {}),
    ...(dice.chance(0.05) ? { 'dry-run': 'true' } : {}),
    ...rarely('min-permission', 'none', 'read', 'triage', 'maintain', 'admin'),
    ...rarely('allowed-bots', 'renovate[bot]', 'renovate[bot], mintlify[bot]'),
    ...rarely('guidelines', 'none'),
    ...rarely('context', 'false'),
    ...(threadless ? threadInputs(dice.of('thread'), event) : {}),
    ...(dice.of('fixes').chance(0.5)
      ? { 'fix-attempts': dice.of('fixes', 'many').pick(['1', '2', '5']) }
      : {}),
    ...(dice.of('status').chance(0.4) ? { 'commit-status': 'docs' } : {}),
    ...(dice.of('finishing').chance(0.4) ? choices.finishing(dice.of('finishing', 'which')) : {}),
    ...(dice.chance(0.03) ? { 'timeout-minutes': 'soon' } : {}),
    ...(dice.chance(0.03) ? { 'api-key': '' } : {}),
  }
}

/** Where an event that names no thread reports to. */
function threadInputs(dice: Dice, event: EventKind): Readonly<Record<string, string>> {
  const number = { 'issue-number': dice.pick(['12', '12', '20', '4711']) }
  const title = { 'issue-title': TRACKING_TITLE }
  return dice.weighted<Readonly<Record<string, string>>>([
    [number, event === 'push' ? 1 : 5],
    [title, 2],
    [{}, 4],
  ])
}
