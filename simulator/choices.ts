import type { Check } from '../emulator/github/checks.ts'
import type { RateLimitOptions } from '../emulator/github/rate-limits.ts'
import type { Deployment } from '../emulator/service/previews.ts'
import type { Absence, Turn } from '../emulator/service/turn.ts'
import type { Dice, Weighted } from './dice.ts'
import { HOSTILE, ODD_LINKS } from './hostile.ts'
import {
  type Attempt,
  type Blow,
  CLEAR,
  INTERFERENCES,
  LISTS,
  PLACES,
  RUNNER_START_MS,
  type Servers,
  type Sweep,
  type Weather,
} from './story.ts'

const MINUTE = 60_000
const NEVER = Number.POSITIVE_INFINITY

const rate = (dice: Dice): number =>
  dice.weighted([
    [0.03, 3],
    [0.12, 2],
    [0.4, 1],
    [0.9, 0.3],
  ])

function weather(dice: Dice): Weather {
  const github = dice.weighted<Weather['github']>([
    [{ kind: 'clear' }, 4],
    [{ kind: 'flicker', rate: rate(dice) }, 3],
    [{ kind: 'chaos', rate: rate(dice) }, 2],
    [{ kind: 'away', at: dice.pick(['start', 'end', 'end']), ms: dice.spread(2000, 100 * MINUTE) }, 2],
  ])
  return { service: dice.chance(0.5) ? 0 : rate(dice), github }
}

export function attempts(dice: Dice): readonly Attempt[] {
  return Array.from({ length: dice.count(0, 5, 3, 2, 1, 0.5) }, (_, n) => attempt(dice.of('attempt', n)))
}

export function attempt(dice: Dice): Attempt {
  return {
    gapMs: dice.spread(1000, 90 * MINUTE),
    skewMs: skew(dice),
    weather: weather(dice),
    blows: blows(dice),
    post: dice.chance(0.8) ? 'runs' : 'lost',
    postBlows: dice.chance(0.15) ? [kill(dice, 40)] : [],
  }
}

export function sweep(dice: Dice): Sweep {
  return {
    skewMs: skew(dice),
    weather: weather(dice),
    blows: dice.chance(0.2) ? [kill(dice, 60)] : [],
    inputs: {
      comment: dice.pick(['recreate', 'recreate', 'update']),
      'since-hours': '700',
      ...(dice.chance(0.5) ? { 'wait-minutes': dice.pick(['0', '0.5', '30']) } : {}),
    },
  }
}

/** How a preview goes; undefined where the plan has none. */
export function deployment(dice: Dice): Deployment | undefined {
  if (dice.chance(0.1)) return undefined
  return {
    durationMs: dice.spread(1000, 20 * MINUTE),
    ending: dice.name({ success: 5, failure: 2, never: 1 }),
    ...(dice.chance(0.2) ? { previewUrl: dice.pick(ODD_LINKS) } : {}),
    ...(dice.chance(0.3)
      ? { logs: [dice.pick(HOSTILE), dice.pick(HOSTILE)], summary: dice.pick(HOSTILE) }
      : {}),
    ...(dice.chance(0.1) ? { fields: { status: dice.pick([null, 'queued', dice.pick(HOSTILE)]) } } : {}),
  }
}

/** Checks of the agent's commits; each commit gets one of these lists. */
export const checks = (dice: Dice): readonly (readonly Check[])[] =>
  Array.from({ length: dice.whole(1, 4) }, (_, n) => {
    const names: string[] = []
    const own = dice.of(n)
    return [
      ...Array.from({ length: dice.whole(0, 4) }, (_, m) => check(own.of(m), names)),
      // One that waits for an approval, one of an app that never runs, a signature that nobody gives, and no runner.
      ...(own.chance(0.1) ? [{ name: 'ci', kind: 'suite', conclusion: 'action_required' } as const] : []),
      ...(own.chance(0.2) ? [{ name: 'other', kind: 'suite', app: 'vercel', takesMs: NEVER } as const] : []),
      ...(own.of('namesakes').chance(0.25) ? namesakes(own.of('namesakes', 'which')) : []),
      ...(own.of('cla').chance(0.2)
        ? [{ name: 'license/cla', kind: 'status', takesMs: NEVER } as const]
        : []),
      ...(own.of('runner').chance(0.1) ? [{ name: 'mac', takesMs: NEVER, startsAfterMs: NEVER }] : []),
    ]
  })

/** Two checks of one name: of two workflows, or once more of the same one, after the first has ended or before. */
function namesakes(dice: Dice): readonly Check[] {
  const name = 'build'
  const conclusion = () => dice.pick(['success', 'failure', 'failure', 'cancelled'] as const)
  const takesMs = () => dice.spread(1000, 2 * MINUTE)
  return [
    { name, suite: 'ci', conclusion: conclusion(), takesMs: takesMs() },
    {
      ...{ name, suite: dice.pick(['ci', 'docs', 'docs']), takesMs: takesMs() },
      conclusion: dice.chance(0.5) ? 'success' : conclusion(),
      ...(dice.chance(0.4) && { workflow: 'ci' }),
      appearsAfterMs: dice.spread(1000, 2 * MINUTE),
    },
  ]
}

/** @param names of those before it, which it may need */
function check(dice: Dice, names: string[]): Check {
  const [earlier] = names
  const name = dice.pick(['build', 'links', 'lint', dice.pick(HOSTILE)])
  const kind = dice.pick<'run' | 'status'>(['run', 'run', 'status'])
  if (kind === 'run') names.unshift(name)
  return {
    name,
    kind,
    conclusion: dice.weighted([
      ['success', 8],
      // GitHub knows fewer states of a commit status than conclusions of a run, and more of a suite.
      [dice.pick(kind === 'status' ? ['failure', 'error'] : ['failure', 'timed_out']), 5],
      [kind === 'status' ? 'success' : dice.pick(['action_required', 'cancelled', 'neutral', 'skipped']), 2],
    ]),
    appearsAfterMs: dice.weighted([
      [0, 1],
      [dice.spread(500, 40_000), 1],
    ]),
    takesMs: dice.weighted([
      [dice.spread(1000, 20 * MINUTE), 9],
      [NEVER, 1],
    ]),
    ...(kind === 'run' && {
      app: dice.pick(['github-actions', 'github-actions', 'github-actions', 'vercel']),
      suite: dice.pick(['', '', 'push']),
      ...(earlier !== undefined && earlier !== name && dice.chance(0.3) && { needs: [earlier] }),
      ...(dice.chance(0.2) && {
        startsAfterMs: dice.spread(500, 5 * MINUTE),
        queuedAs: dice.pick(['queued', 'pending', 'requested']),
      }),
      ...(dice.chance(0.05) && { waits: true as const }),
    }),
    ...(dice.chance(0.3)
      ? { title: dice.pick(HOSTILE), summary: dice.pick(HOSTILE), text: dice.pick(HOSTILE) }
      : {}),
  }
}

/** What the agent makes of failures: a commit with the end of its turn, or up to 50 s later, or none. */
export const fixTurn = (dice: Dice): Turn => ({
  durationMs: dice.spread(1000, 20 * MINUTE),
  ...(dice.chance(0.7) ? { change: { conflicts: false } } : {}),
  ...dice.weighted<Turn>([
    [{}, 4],
    [{ pr: 'none', lateCommitAfterMs: dice.spread(500, 50_000) }, 4],
    [{ pr: 'none' }, 1],
    [{ ending: 'failed' }, 0.5],
  ]),
})

/** What becomes of the pull request, besides being opened. */
export const finishing = (dice: Dice): Readonly<Record<string, string>> => ({
  ...(dice.chance(0.6) ? { preview: 'true' } : {}),
  ...(dice.chance(0.5)
    ? { reviewers: dice.pick(['requester', 'requester, bob', 'maya, nobody-there', 'octo/writers, bob']) }
    : {}),
  ...(dice.chance(0.5) ? { labels: dice.pick(['docs', 'docs, needs review', '@mallory']) } : {}),
})

/** Most are as they should be. */
export const servers = (dice: Dice): Servers => ({
  githubSkewMs: dice.chance(0.2) ? dice.whole(-60 * MINUTE, 60 * MINUTE) : 0,
  serviceSkewMs: dice.chance(0.2) ? dice.whole(-60 * MINUTE, 60 * MINUTE) : 0,
  zonelessTimes: dice.chance(0.2),
  mergeableAfterMs: dice.chance(0.3) ? dice.spread(500, 40_000) : 0,
  lagMs: dice.chance(0.2) ? dice.whole(500, RUNNER_START_MS - 500) : 0,
  slowList: dice.chance(0.1) ? dice.pick(LISTS) : undefined,
})

const skew = (dice: Dice): number =>
  dice.weighted([
    [0, 6],
    [dice.whole(-4 * MINUTE, 4 * MINUTE), 2],
  ])

function blows(dice: Dice): readonly Blow[] {
  const interference = dice.chance(0.25) ? 'merge-change' : dice.pick(INTERFERENCES)
  const effect = dice.weighted<Blow['effect'] | undefined>([
    [undefined, 8],
    [{ kind: 'kill' }, 6],
    [{ kind: 'cancel' }, 3],
    [{ kind: 'jump', ms: dice.whole(-60 * MINUTE, 60 * MINUTE) }, 1],
    [{ kind: 'interfere', interference }, 2],
  ])
  const first = effect === undefined ? [] : [{ ...where(dice, 150), effect }]
  const cancelledThenKilled = effect?.kind === 'cancel' && dice.chance(0.2)
  return cancelledThenKilled ? [...first, kill(dice, 150)] : first
}

/** @param most places that are passed before it */
export const kill = (dice: Dice, most: number): Blow => ({ ...where(dice, most), effect: { kind: 'kill' } })

function where(dice: Dice, most: number): Pick<Blow, 'place' | 'nth'> {
  if (dice.chance(0.5)) return { place: 'any', nth: dice.spread(1, most) }
  return { place: dice.pick(PLACES), nth: dice.spread(1, 20) }
}

/** What the agent makes of a prompt. */
export function turn(dice: Dice): Turn {
  const ending = dice.name({ completed: 8, failed: 1, archived: 0.7, 'active-forever': 0.7 })
  const pr = dice.weighted<Turn['pr']>([
    [undefined, 7],
    ['none', 2],
    [null, 0.5],
    [dice.pick(ODD_LINKS), 1],
  ])
  const answerStatus = dice.weighted<string | undefined>([
    [undefined, 12],
    ['completed', 1],
    ['failed', 0.5],
    ['queued', 1],
    ['', 0.5],
  ])
  return {
    durationMs: dice.spread(1000, 3 * 60 * MINUTE),
    ending,
    ...(pr === undefined ? {} : { pr }),
    ...(dice.chance(0.4) ? { opensAfterMs: dice.spread(1000, 10 * MINUTE) } : {}),
    ...(dice.of('late').chance(0.2) ? { lateCommitAfterMs: dice.of('late', 'by').spread(500, 50_000) } : {}),
    ...(dice.of('conflicts').chance(0.08) ? { change: { conflicts: true } } : {}),
    staleReads: dice.count(6, 2, 1),
    ...(dice.of('missing').chance(0.15) ? { notFound: absence(dice.of('missing', 'when')) } : {}),
    ...(answerStatus === undefined ? {} : { answerStatus }),
    ...(dice.chance(0.1)
      ? { activeStatus: dice.pick(['queued', 'thinking hard', '::error::status', '##[error]status']) }
      : {}),
    ...(dice.chance(0.25) ? { fields: oddFields(dice) } : {}),
  }
}

/** A read that does not find the job, or half a minute of them; the next one does. */
const absence = (dice: Dice): Absence => ({
  ...(dice.chance(0.5) ? { afterReads: dice.whole(0, 4) } : { afterMs: dice.spread(1000, 60 * MINUTE) }),
  ...(dice.chance(0.5) ? { ms: dice.spread(1000, 29_000) } : {}),
})

function oddFields(dice: Dice): Readonly<Record<string, unknown>> {
  const odd = (): unknown => dice.weighted<unknown>(ODD(dice))
  return Object.fromEntries(
    (['model', 'source', 'createdAt', 'archivedAt', 'extra'] as const).flatMap((name) =>
      dice.chance(0.5) ? [[name, odd()]] : [],
    ),
  )
}

const ODD = (dice: Dice): Weighted<unknown> => [
  [dice.pick(HOSTILE), 4],
  ['the key is test-key', 2],
  [null, 1],
  [undefined, 1],
  [{ repository: dice.pick(HOSTILE), ref: '::error::test-key' }, 2],
  [[1, 2], 1],
]

/** GitHub's limits: those of its documentation, or some that a run can meet. */
export const rateLimits = (dice: Dice): RateLimitOptions => ({
  ...(dice.chance(0.2) ? { pointsPerMinute: dice.whole(40, 120) } : {}),
  ...(dice.chance(0.2) ? { contentPerMinute: dice.whole(3, 10) } : {}),
  status: dice.pick([403, 429]),
  ...(dice.chance(0.5) ? { retryAfter: dice.whole(1, 60) } : {}),
})

export const undisturbed = (gapMs: number): Attempt => ({
  gapMs,
  skewMs: 0,
  weather: CLEAR,
  blows: [],
  post: 'runs',
  postBlows: [],
})
