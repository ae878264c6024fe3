import fc from 'fast-check'
import {
  type Check,
  latestOf,
  type StartedCheck,
  suitesOf,
  workflowRunOf,
} from '../emulator/github/checks.ts'
import { either, record, sometimes, spread } from './draw.ts'
import { hostile } from './texts.ts'

// The checks of the agent's commits: how a story draws them, and how GitHub's page shows them.

const MINUTE = 60_000
const NEVER = Number.POSITIVE_INFINITY

/** What now and then stands beside them: an approval to give, an app that never runs, a signature, and no runner. */
const RARE: readonly (readonly [percent: number, check: Check])[] = [
  [3, { name: 'ci', kind: 'suite', conclusion: 'action_required' }],
  [20, { name: 'other', kind: 'suite', app: 'vercel', takesMs: NEVER }],
  [5, { name: 'license/cla', kind: 'status', takesMs: NEVER }],
  [3, { name: 'mac', takesMs: NEVER, startsAfterMs: NEVER }],
]

/** One check; with `needs`, it waits for the one before it. */
const check: fc.Arbitrary<Check> = fc
  .tuple(
    fc.boolean(),
    record({
      name: either([3, fc.constantFrom('build', 'links', 'lint')], [1, hostile]),
      appearsAfterMs: sometimes(50, spread(500, 40_000)),
      takesMs: either([33, spread(1000, 10 * MINUTE)], [1, fc.constant(NEVER)]),
      title: sometimes(15, hostile),
      text: sometimes(15, hostile),
    }),
    record({
      conclusion: either(
        [8, fc.constant('success')],
        [5, fc.constantFrom('failure', 'timed_out')],
        [2, fc.constantFrom('action_required', 'cancelled', 'neutral', 'skipped')],
      ),
      app: fc.constantFrom('github-actions', 'github-actions', 'github-actions', 'vercel'),
      suite: fc.constantFrom('', '', 'push'),
      startsAfterMs: sometimes(20, spread(500, 5 * MINUTE)),
      queuedAs: fc.constantFrom('queued', 'pending', 'requested'),
      waits: sometimes(5, fc.constant(true as const)),
    }),
    // GitHub knows fewer states of a commit status than conclusions of a run.
    either([8, fc.constant('success')], [5, fc.constantFrom('failure', 'error')]),
  )
  .map(
    ([isStatus, both, run, conclusion]): Check =>
      isStatus
        ? ({ ...both, kind: 'status', conclusion } as Check)
        : ({ ...both, ...run, kind: 'run' } as Check),
  )

/** Two checks of one name: of two workflows, or once more of the same one, after the first has ended or before. */
const namesakes: fc.Arbitrary<readonly Check[]> = fc
  .record({
    suite: fc.constantFrom('ci', 'docs', 'docs'),
    ends: fc.tuple(spread(1000, 2 * MINUTE), spread(1000, 2 * MINUTE)),
    conclusions: fc.tuple(ofNamesakes(), ofNamesakes()),
    appearsAfterMs: spread(1000, 2 * MINUTE),
    isSame: sometimes(40, fc.constant(true)),
  })
  .map(({ suite, ends, conclusions, appearsAfterMs, isSame }) => [
    { name: 'build', suite: 'ci', takesMs: ends[0], conclusion: conclusions[0] },
    {
      ...{ name: 'build', suite, takesMs: ends[1], conclusion: conclusions[1], appearsAfterMs },
      ...(isSame && { workflow: 'ci' }),
    },
  ])

function ofNamesakes(): fc.Arbitrary<NonNullable<Check['conclusion']>> {
  return fc.constantFrom('success', 'success', 'failure', 'failure', 'cancelled')
}

/** Each commit of the agent gets one of these lists. */
export const checks: fc.Arbitrary<readonly (readonly Check[])[]> = fc.array(
  fc
    .tuple(
      fc.array(fc.tuple(check, sometimes(30, fc.constant(true))), { maxLength: 4, size: 'max' }),
      fc.tuple(...RARE.map(([percent, rare]) => sometimes(percent, fc.constant(rare)))),
      sometimes(25, namesakes),
    )
    .map(([own, rare, twins = []]) => [
      ...own.map(([one, needs], n): Check => {
        const earlier = own[n - 1]?.[0]
        const isNeeding = needs && one.kind === 'run' && earlier?.kind === 'run' && earlier.name !== one.name
        return isNeeding ? { ...one, needs: [earlier.name] } : one
      }),
      ...rare.filter((one) => one !== undefined),
      ...twins,
    ]),
  { minLength: 1, maxLength: 4, size: 'max' },
)

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
      // What somebody has stopped, and what ran again since, says nothing any more: but not of another workflow.
      const isStopped = run.conclusion === 'cancelled' && at >= run.endsAt && by.id > run.id
      return isNewer || (isStopped && (own === undefined || own.workflow === other?.workflow))
    })
  })
  const is = (of: ReadonlySet<string>) => (check: StartedCheck) =>
    at >= check.endsAt && of.has(check.conclusion ?? 'success')
  const all = [...counting, ...latestOf(checks, 'status', at)]
  const red = all.filter(is(RED))
  return { red, withoutVerdict: all.filter((check) => !red.includes(check) && !is(GREEN)(check)) }
}
