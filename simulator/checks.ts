import {
  type Check,
  latestOf,
  type StartedCheck,
  suitesOf,
  workflowRunOf,
} from '../emulator/github/checks.ts'
import type { Dice } from './dice.ts'
import { HOSTILE } from './texts.ts'

// The checks of the agent's commits: how a story draws them, and how GitHub's page shows them.

const MINUTE = 60_000
const NEVER = Number.POSITIVE_INFINITY

/** What now and then stands beside them: an approval to give, an app that never runs, a signature, and no runner. */
const RARE: readonly (readonly [chance: number, check: Check])[] = [
  [0.03, { name: 'ci', kind: 'suite', conclusion: 'action_required' }],
  [0.2, { name: 'other', kind: 'suite', app: 'vercel', takesMs: NEVER }],
  [0.05, { name: 'license/cla', kind: 'status', takesMs: NEVER }],
  [0.03, { name: 'mac', takesMs: NEVER, startsAfterMs: NEVER }],
]

/** Each commit of the agent gets one of these lists. */
export const checks = (dice: Dice): readonly (readonly Check[])[] =>
  Array.from({ length: dice.whole(1, 4) }, (_, n) => {
    const own = dice.of(n)
    const names: string[] = []
    return [
      ...Array.from({ length: own.whole(0, 4) }, (_, m) => check(own.of(m), names)),
      ...RARE.flatMap(([chance, check]) => (own.of(check.name).chance(chance) ? [check] : [])),
      ...(own.of('namesakes').chance(0.25) ? namesakes(own.of('namesakes', 'which')) : []),
    ]
  })

/** @param names of those before it, which it may need */
function check(dice: Dice, names: string[]): Check {
  const [earlier] = names
  const name = dice.pick(['build', 'links', 'lint', dice.pick(HOSTILE)])
  const isRun = dice.chance(0.67)
  if (isRun) names.unshift(name)
  return {
    name,
    kind: isRun ? 'run' : 'status',
    conclusion: dice.weighted([
      ['success', 8],
      // GitHub knows fewer states of a commit status than conclusions of a run.
      [dice.pick(isRun ? ['failure', 'timed_out'] : ['failure', 'error']), 5],
      [isRun ? dice.pick(['action_required', 'cancelled', 'neutral', 'skipped']) : 'success', 2],
    ]),
    appearsAfterMs: dice.chance(0.5) ? 0 : dice.spread(500, 40_000),
    takesMs: dice.chance(0.03) ? NEVER : dice.spread(1000, 10 * MINUTE),
    ...(isRun && {
      app: dice.pick(['github-actions', 'github-actions', 'github-actions', 'vercel']),
      suite: dice.pick(['', '', 'push']),
      ...(earlier !== undefined && earlier !== name && dice.chance(0.3) && { needs: [earlier] }),
      ...(dice.chance(0.2) && {
        startsAfterMs: dice.spread(500, 5 * MINUTE),
        queuedAs: dice.pick(['queued', 'pending', 'requested']),
      }),
      ...(dice.chance(0.05) && { waits: true as const }),
    }),
    ...(dice.chance(0.3) && {
      ...{ title: dice.pick(HOSTILE), summary: dice.pick(HOSTILE), text: dice.pick(HOSTILE) },
    }),
  }
}

/** Two checks of one name: of two workflows, or once more of the same one, after the first has ended or before. */
function namesakes(dice: Dice): readonly Check[] {
  const drawn = (suite: string): Check => ({
    ...{ name: 'build', suite, takesMs: dice.spread(1000, 2 * MINUTE) },
    conclusion: dice.pick(['success', 'success', 'failure', 'failure', 'cancelled']),
  })
  const second = drawn(dice.pick(['ci', 'docs', 'docs']))
  const appearsAfterMs = dice.spread(1000, 2 * MINUTE)
  return [drawn('ci'), { ...second, appearsAfterMs, ...(dice.chance(0.4) && { workflow: 'ci' }) }]
}

/** The checks of a commit, as GitHub's own page shows them: the last attempt of each. */
interface Page {
  readonly red: readonly StartedCheck[]
  /** Neither red nor green, or not ended. */
  readonly withoutVerdict: readonly StartedCheck[]
}

const RED: ReadonlySet<string> = new Set(['failure', 'timed_out', 'startup_failure', 'error'])
const GREEN: ReadonlySet<string> = new Set(['success', 'neutral', 'skipped'])

/**
 * @param at on GitHub's clock
 * @param tellsRuns whether the reader knows which suites are runs of one workflow
 */
export function pageAt(checks: readonly StartedCheck[], at: number, tellsRuns = true): Page {
  const runs = latestOf(checks, 'run', at)
  const begun = new Map(
    suitesOf(checks, at).map((suite) => [suite.id, tellsRuns ? workflowRunOf(checks, suite, at) : undefined]),
  )
  const counting = runs.filter((run) => {
    const own = begun.get(run.suiteId)
    return !runs.some((by) => {
      if (by === run || by.name !== run.name || by.app !== run.app) return false
      const other = begun.get(by.suiteId)
      const isSame = own?.workflow === other?.workflow && own?.event === other?.event
      const isNewer = own !== undefined && other !== undefined && isSame && other.startedAt > own.startedAt
      // What somebody has stopped, and what ran again since, says nothing any more.
      return isNewer || (run.conclusion === 'cancelled' && at >= run.endsAt && by.id > run.id)
    })
  })
  const is = (of: ReadonlySet<string>) => (check: StartedCheck) =>
    at >= check.endsAt && of.has(check.conclusion ?? 'success')
  const all = [...counting, ...latestOf(checks, 'status', at)]
  const red = all.filter(is(RED))
  return { red, withoutVerdict: all.filter((check) => !red.includes(check) && !is(GREEN)(check)) }
}
