import * as choices from './choices.ts'
import type { Dice } from './dice.ts'
import { Dice as Chance } from './dice.ts'
import { brokenRequest, outage } from './faults.ts'
import { HOSTILE } from './hostile.ts'
import { BOTS, PEOPLE, type Person } from './people.ts'
import {
  type Act,
  type Ask,
  type Attempt,
  type Blow,
  EVENTS,
  type EventKind,
  INTERFERENCES,
  type MergedKind,
  type Story,
  type Sweep,
} from './story.ts'
import { bodyText, inlineText } from './texts.ts'
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

/** What goes wrong in it: one of these. */
const TROUBLES = {
  nothing: 50,
  're-run': 8,
  'sweep beside': 8,
  cancel: 8,
  kill: 10,
  break: 10,
  away: 6,
} as const

/** The story of a seed. */
export function invent(seed: number): Story {
  const dice = new Chance(seed, 'story')
  const plot = dice.of('plot').name(PLOTS)
  const level = (name: string) => dice.of(name).name({ write: 30, read: 1 })
  return {
    seed,
    docsRepository: dice.of('docs').pick<Story['docsRepository']>(['octo/app', 'octo/app', 'octo/docs']),
    docsVisibility: dice.of('visibility').pick(['private', 'public']),
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
    agentLogin: dice.of('agent').pick(['mintlify[bot]', 'mintlify[bot]', 'alice']),
    agentSign: dice.of('agent', 'sign').pick(['app', 'commits', 'none']),
    checks:
      plot === 'followed' || dice.of('checks').chance(0.3) ? choices.checks(dice.of('checks', 'which')) : [],
    fixTurns: Array.from({ length: 3 }, (_, n) => choices.fixTurn(dice.of('fix', n))),
    followsPulls: dice.of('follows').chance(0.3),
    wake: dice.of('wake').chance(0.3) ? sweepOf(dice.of('wake', 'which')) : undefined,
    memoryKey: dice.of('memory').chance(0.5) ? 'test-memory-of-the-workflow' : '',
    acts: troubled(dice.of('trouble'), ACTS[plot](dice.of(plot))),
  }
}

const ACTS: Readonly<Record<keyof typeof PLOTS, (dice: Dice) => readonly Act[]>> = {
  conversation: (dice) => inTurn(dice, (own, n) => inConversation(own, ask(own, n))),
  any: (dice) => inTurn(dice, ask),
  refreshes: (dice) => inTurn(dice, refresh, mergedMeanwhile),
  followed,
  code,
}

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

/** What comes after a request. */
function between(dice: Dice): Act[] {
  const acts: Act[] = []
  if (dice.of('pass').chance(0.4)) acts.push({ kind: 'pass', ms: dice.of('time').spread(1000, 30 * HOUR) })
  if (dice.of('sweep').chance(0.3)) acts.push({ kind: 'sweep', sweep: sweepOf(dice.of('swept')) })
  if (dice.of('meddle').chance(0.25))
    acts.push({ kind: 'interfere', interference: dice.of('meddle', 'how').pick(INTERFERENCES) })
  return acts
}

/** Commands in one thread, by one person or two. */
function inConversation(dice: Dice, asked: Ask): Ask {
  const who = dice.of('who').name({ alice: 8, bob: 2 })
  const kind = dice.of('kind').name({ command: 16, new: 1, status: 2, help: 1, 'review-comment': 1 })
  return {
    ...asked,
    ...{ event: kind, on: dice.of('where').name({ issue: 4, agent: 1, pull: 1 }) },
    ...{ author: who, sender: who },
    inputs: { ...asked.inputs, 'min-permission': 'write' },
  }
}

/** Runs follow the checks of the agent's pull request, and people ask for more meanwhile, there or in the issue. */
function followed(dice: Dice): readonly Act[] {
  const asks = Array.from({ length: dice.count(0, 4, 3, 1) }, (_, n): Ask => {
    const own = dice.of('ask', n)
    const asked = ask(own.of('ask'), n + 1)
    return {
      ...asked,
      ...{ event: 'command', on: n === 0 || own.chance(0.3) ? 'issue' : 'agent' },
      ...{ author: 'alice', sender: 'alice' },
      inputs: {
        'timeout-minutes': own.of('limit').pick(['50', '150']),
        'fix-attempts': own.of('fixes').pick(['1', '2', '5']),
        ...(own.of('finishing').chance(0.3) && choices.finishing(own.of('finishing', 'which'))),
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
    'commit-status': 'docs',
    'timeout-minutes': dice.of('limit').pick(['50', '50', '10']),
    ...(dice.of('wait').chance(0.15) && { wait: 'false' }),
  }
  const asks = Array.from({ length: many }, (_, n): Ask => {
    const own = dice.of('act', n)
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
    const who = isBots ? QUEUE : own.of('who').name({ alice: 10, bob: 2, carol: 1, 'renovate[bot]': 1 })
    const asked = ask(own.of('ask'), n + 1)
    return {
      ...asked,
      ...{ event, on: 'pull', author: who, sender: who, inputs },
      ...(event.startsWith('code-') && { words: CODE_WORDS, isQueued: true, workflow: 'Docs of code' }),
      turn: {
        ...asked.turn,
        ...(own.of('ends').chance(0.1) && { ending: 'failed' }),
      },
    }
  })
  return asks.flatMap((one, n): Act[] => {
    const own = dice.of('after', n)
    return [
      { kind: 'ask', asks: [one] },
      ...(own.of('busy').chance(0.2)
        ? []
        : [{ kind: 'pass' as const, ms: own.of('time').spread(1000, 12 * HOUR) }]),
      ...(own.of('sweep').chance(0.2) ? [{ kind: 'sweep' as const, sweep: sweepOf(own.of('swept')) }] : []),
    ]
  })
}

/** People merge pull requests, one after the other. */
function mergedMeanwhile(dice: Dice): Act[] {
  return Array.from({ length: dice.count(2, 4, 2, 1) }, (_, n) => dice.of(n)).flatMap((own): Act[] => [
    { kind: 'interfere', interference: own.of('whose').chance(0.8) ? 'merge-change' : 'merge' },
    ...(own.of('late').chance(0.8)
      ? [{ kind: 'pass' as const, ms: own.of('time').spread(1000, 9 * HOUR) }]
      : []),
  ])
}

/** A refresh of the docs, on a schedule or by hand; now and then somebody answers in its thread. */
function refresh(dice: Dice, n: number): Ask {
  const asked = ask(dice.of('ask'), n)
  const finishing = dice.of('finishing').chance(0.4) ? choices.finishing(dice.of('finishing', 'which')) : {}
  const given = { ...TIMEOUT(dice.of('limit')), ...finishing }
  const who = { author: 'alice', sender: 'alice' } as const
  if (dice.of('answer').chance(0.15))
    return { ...asked, ...who, event: 'command', on: 'tracking', inputs: given }
  return {
    ...asked,
    ...who,
    event: dice.of('event').pick(['schedule', 'schedule', 'dispatch']),
    inputs: { ...given, 'issue-title': TRACKING_TITLE, 'changes-since': 'last-run' },
  }
}

const TIMEOUT = (dice: Dice) => ({ 'timeout-minutes': dice.pick(['50', '50', '50', '10', '120']) })

export function ask(dice: Dice, n: number): Ask {
  const event = dice.of('event').chance(0.4) ? 'command' : dice.of('event', 'which').pick(EVENTS)
  const author = person(dice.of('author'))
  const id = `ask-${n}`
  const end = dice.of('end').chance(0.8) ? 'soon' : dice.of('end', 'which').pick(HOSTILE)
  return {
    id,
    event,
    on: dice.of('on').name({ issue: 6, pull: 2, agent: 2 }),
    author,
    sender: dice.of('sender').chance(0.95) ? author : person(dice.of('sender', 'who')),
    words: `explain ${inlineText(dice.of('words'))} (${id};) ${end}`,
    inputs: inputs(dice.of('inputs'), event),
    workflow: 'Docs',
    merges: merges(dice.of('merges'), event),
    turn: choices.turn(dice.of('turn')),
    attempts: [choices.undisturbed(0)],
  }
}

function merges(dice: Dice, event: EventKind): readonly MergedKind[] {
  if (event !== 'push' || dice.chance(0.2)) return []
  const kinds = ['person', 'person', 'person', 'bot', 'agent', 'direct'] as const
  return Array.from({ length: dice.whole(1, 3) }, () => dice.pick(kinds))
}

const person = (dice: Dice): string =>
  dice.weighted<string>([
    ['alice', 10],
    ['bob', 2],
    [dice.pick(Object.keys(PEOPLE) as [Person, ...Person[]]), 3],
    [dice.pick(BOTS), 1],
  ])

function inputs(dice: Dice, event: EventKind): Readonly<Record<string, string>> {
  const rarely = (name: string, ...values: [string, ...string[]]) =>
    dice.of(name).chance(0.08) ? { [name]: dice.of(name, 'which').pick(values) } : {}
  const threadless = event === 'schedule' || event === 'dispatch' || event === 'push' || event === 'release'
  return {
    ...TIMEOUT(dice.of('limit')),
    ...rarely('conversation', 'continue', 'skip', 'new'),
    ...rarely('comment', 'update', 'update', 'off'),
    ...rarely('wait', 'false'),
    ...rarely('on-timeout', 'warn'),
    ...rarely('min-permission', 'none', 'read', 'triage', 'maintain', 'admin'),
    ...rarely('allowed-bots', 'renovate[bot]', 'renovate[bot], mintlify[bot]'),
    ...rarely('guidelines', 'none'),
    ...rarely('context', 'false'),
    ...(threadless ? threadInputs(dice.of('thread')) : {}),
    ...(dice.of('fixes').chance(0.2) ? { 'fix-attempts': '2' } : {}),
    ...(dice.of('status').chance(0.3) ? { 'commit-status': 'docs' } : {}),
    ...(dice.of('finishing').chance(0.3) ? choices.finishing(dice.of('finishing', 'which')) : {}),
    ...(dice.of('job').chance(0.02) && {
      'job-id': dice.of('job', 'which').pick(['known', 'j_unknown', '..']),
    }),
    ...(dice.of('dry').chance(0.02) && { 'dry-run': 'true' }),
    ...(dice.of('odd').chance(0.01) && { 'timeout-minutes': 'soon' }),
    ...(dice.of('key').chance(0.01) && { 'api-key': '' }),
  }
}

/** Where an event that names no thread reports to. */
const threadInputs = (dice: Dice): Readonly<Record<string, string>> =>
  dice.weighted<Readonly<Record<string, string>>>([
    [{ 'issue-number': dice.pick(['12', '20', '4711']) }, 3],
    [{ 'issue-title': TRACKING_TITLE }, 2],
    [{}, 4],
  ])

const sweepOf = (dice: Dice): Sweep => ({
  blows: [],
  inputs: {
    comment: dice.of('comment').pick(['recreate', 'recreate', 'update']),
    'since-hours': '700',
    ...(dice.of('wait').chance(0.5) && { 'wait-minutes': dice.of('wait', 'long').pick(['0', '30']) }),
  },
})

/** Draws the one thing that goes wrong, and what it happens to. */
function troubled(dice: Dice, acts: readonly Act[]): readonly Act[] {
  const trouble = dice.name(TROUBLES)
  const asking = acts.flatMap((act, at) => (act.kind === 'ask' ? [at] : []))
  const sweeping = acts.flatMap((act, at) => (act.kind === 'sweep' ? [at] : []))
  const isSwept = sweeping.length > 0 && dice.of('whom').chance(0.15)
  const where = isSwept ? sweeping : asking
  const at = where[dice.of('which').whole(0, where.length - 1)] ?? 0
  if (trouble === 'nothing') return meddled(dice.of('meddle'), acts, at)
  if (trouble === 're-run') {
    const again: Act = { kind: 'again', nth: dice.of('nth').whole(0, 9), attempt: choices.undisturbed(0) }
    return acts.toSpliced(at + 1, 0, again)
  }
  return acts.map((act, n) => {
    if (n !== at) return act
    if (act.kind === 'sweep' && trouble !== 'sweep beside')
      return { ...act, sweep: { ...act.sweep, blows: [blow(dice.of('blow'), trouble)] } }
    if (act.kind !== 'ask') return act
    if (trouble === 'sweep beside')
      return {
        ...act,
        beside: { afterMs: dice.of('late').spread(1000, 2 * HOUR), sweep: sweepOf(dice.of('beside')) },
      }
    const nth = dice.of('whose').whole(0, act.asks.length - 1)
    return {
      ...act,
      asks: act.asks.map((one, m) => (m === nth ? { ...one, attempts: struck(dice, trouble) } : one)),
    }
  })
}

/** People do something while a process is at work. */
function meddled(dice: Dice, acts: readonly Act[], at: number): readonly Act[] {
  const act = acts[at]
  if (act?.kind !== 'ask' || !dice.chance(0.15)) return acts
  const effect = { kind: 'interfere', interference: dice.of('how').pick(INTERFERENCES) } as const
  const blows = [{ ...place(dice.of('where')), effect }]
  const asks = act.asks.map((one, n) =>
    n === 0 ? { ...one, attempts: [{ ...choices.undisturbed(0), blows }] } : one,
  )
  return acts.with(at, { ...act, asks })
}

type Struck = Exclude<keyof typeof TROUBLES, 'nothing' | 're-run' | 'sweep beside'>

/** A run that meets the trouble, and now and then the re-run that people start then. */
function struck(dice: Dice, trouble: Struck): readonly Attempt[] {
  const first = choices.undisturbed(0)
  const struck = blow(dice.of('blow'), trouble)
  const isPost = trouble !== 'cancel' && dice.of('post').chance(0.1)
  const own: Attempt = isPost
    ? { ...first, postBlows: [struck] }
    : { ...first, blows: [struck], post: dice.of('lost').chance(0.5) ? 'lost' : 'runs' }
  const again = Array.from({ length: dice.of('again').count(5, 3, 1) }, (_, n) =>
    choices.undisturbed(dice.of('gap', n).spread(1000, 3 * HOUR)),
  )
  return [own, ...again]
}

function blow(dice: Dice, trouble: Struck): Blow {
  if (trouble === 'kill' || trouble === 'cancel') return { ...place(dice), effect: { kind: trouble } }
  const effect = trouble === 'break' ? brokenRequest(dice.of('break')) : outage(dice.of('away'))
  return { place: 'request', nth: dice.of('nth').spread(1, 40), effect }
}

/** Some instant of a process. */
const place = (dice: Dice): Pick<Blow, 'place' | 'nth'> => ({
  place: dice.of('place').pick(['any', 'request', 'answer']),
  nth: dice.of('nth').spread(1, 120),
})
