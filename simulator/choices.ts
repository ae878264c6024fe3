import type { Check } from '../emulator/github/checks.ts'
import type { Absence, Turn } from '../emulator/service/turn.ts'
import type { Dice, Weighted } from './dice.ts'
import { HOSTILE, ODD_LINKS } from './hostile.ts'
import type { Attempt } from './story.ts'

const MINUTE = 60_000
const NEVER = Number.POSITIVE_INFINITY

/** Checks of the agent's commits; each commit gets one of these lists. */
export const checks = (dice: Dice): readonly (readonly Check[])[] =>
  Array.from({ length: dice.whole(1, 4) }, (_, n) => {
    const names: string[] = []
    const own = dice.of(n)
    return [
      ...Array.from({ length: dice.whole(0, 4) }, (_, m) => check(own.of(m), names)),
      // One that waits for an approval, one of an app that never runs, a signature that nobody gives, and no runner.
      ...(own.chance(0.03) ? [{ name: 'ci', kind: 'suite', conclusion: 'action_required' } as const] : []),
      ...(own.chance(0.2) ? [{ name: 'other', kind: 'suite', app: 'vercel', takesMs: NEVER } as const] : []),
      ...(own.of('namesakes').chance(0.25) ? namesakes(own.of('namesakes', 'which')) : []),
      ...(own.of('cla').chance(0.05)
        ? [{ name: 'license/cla', kind: 'status', takesMs: NEVER } as const]
        : []),
      ...(own.of('runner').chance(0.03) ? [{ name: 'mac', takesMs: NEVER, startsAfterMs: NEVER }] : []),
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
      [dice.spread(1000, 10 * MINUTE), 30],
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
  durationMs: dice.spread(1000, 10 * MINUTE),
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
  ...(dice.chance(0.5)
    ? { reviewers: dice.pick(['requester', 'requester, bob', 'maya, nobody-there', 'octo/writers, bob']) }
    : {}),
  ...(dice.chance(0.5) ? { labels: dice.pick(['docs', 'docs, needs review', '@mallory']) } : {}),
})

/** What the agent makes of a prompt. */
export function turn(dice: Dice): Turn {
  const ending = dice.name({ completed: 12, failed: 1, archived: 0.3, 'active-forever': 0.3 })
  const pr = dice.weighted<Turn['pr']>([
    [undefined, 12],
    ['none', 3],
    [null, 0.2],
    [dice.pick(ODD_LINKS), 0.5],
  ])
  const answerStatus = dice.weighted<string | undefined>([
    [undefined, 20],
    ['completed', 1],
    ['failed', 0.3],
    ['queued', 1],
    ['', 0.2],
  ])
  return {
    durationMs: dice.spread(5000, 20 * MINUTE),
    ending,
    ...(pr === undefined ? {} : { pr }),
    ...(dice.chance(0.4) ? { opensAfterMs: dice.spread(1000, 10 * MINUTE) } : {}),
    ...(dice.of('late').chance(0.2) ? { lateCommitAfterMs: dice.of('late', 'by').spread(500, 50_000) } : {}),
    ...(dice.of('conflicts').chance(0.08) ? { change: { conflicts: true } } : {}),
    ...(dice.of('missing').chance(0.03) ? { notFound: absence(dice.of('missing', 'when')) } : {}),
    ...(answerStatus === undefined ? {} : { answerStatus }),
    // Answer and reads may both be of the turn before.
    ...(answerStatus === 'completed' && { staleReads: dice.of('stale').whole(0, 2) }),
    ...(dice.chance(0.05)
      ? { activeStatus: dice.pick(['queued', 'thinking hard', '::error::status', '##[error]status']) }
      : {}),
    ...(dice.chance(0.1) ? { fields: oddFields(dice) } : {}),
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

export const undisturbed = (gapMs: number): Attempt => ({ gapMs, blows: [], post: 'runs', postBlows: [] })
