import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import { attemptAt, postAt, type Stage } from '../../simulator/stage.ts'
import type { Blow } from '../../simulator/story.ts'
import { seenIn } from '../broken/helpers/observe.ts'
import { asks, FIRST_COMMAND, sweeps, TALES, type Tale } from '../broken/helpers/tales.ts'
import { tell } from '../broken/helpers/walk.ts'
import { runs } from '../helpers/property.ts'
import { attempt, kill } from '../helpers/story.ts'

// Contract 5.2, 5.6, 6.2: whoever comes after a run that could not end its work, the world comes to the same end.

const CODE = { on: 'pull', inputs: { 'commit-status': 'docs', reviewers: 'requester, bob' } } as const
/** Each ends with a result, unless something happens to its run. */
const ENDING: readonly Tale[] = [
  ...TALES.filter(({ name }) => /^(follow-up|second schedule|comment on a line|push to a pull)/.test(name)),
  FIRST_COMMAND,
  { name: 'command with checks', run: asks(1, { inputs: { 'fix-attempts': '1', labels: 'docs' } }) },
  { name: 'label on the code', run: asks(1, { ...CODE, event: 'code-labeled' }) },
]

/** What happens to the first run at a request, which is counted round and round: a kill, or an outage of GitHub. */
type Trouble =
  | { readonly kind: 'kill'; readonly place: 'request' | 'answer'; readonly at: number }
  | { readonly kind: 'away'; readonly at: number; readonly ms: number; readonly fault: Fault }

const troubles: fc.Arbitrary<Trouble> = fc.oneof(
  fc.record({
    kind: fc.constant('kill' as const),
    place: fc.constantFrom('request' as const, 'answer' as const),
    at: fc.nat(),
  }),
  fc.record({
    kind: fc.constant('away' as const),
    at: fc.nat(),
    ms: fc.constantFrom(1, 45_000, 1_200_000),
    fault: fc.constantFrom<Fault>({ kind: 'html', status: 502 }, { kind: 'reset' }, { kind: 'truncated' }),
  }),
)

/** Goes on with the request whose first run met the trouble. */
const OTHERS = {
  post: async (stage: Stage) => {
    const request = stage.history.requests.at(-1)
    const [run] = request?.runs ?? []
    if (request !== undefined && run !== undefined) await postAt(stage, request, run, attempt())
  },
  're-run': async (stage: Stage) => {
    const request = stage.history.requests.at(-1)
    if (request !== undefined) await attemptAt(stage, request, attempt())
  },
  sweep: async (stage: Stage) => {
    await stage.world.clock.sleep(120_000)
    await sweeps(stage)
  },
} as const
type Other = keyof typeof OTHERS
const NAMES = Object.keys(OTHERS) as Other[]
const order = fc.shuffledSubarray(NAMES, { minLength: NAMES.length })
const orders = fc.tuple(order, order, order).map((rounds) => rounds.flat())

/**
 * Less what may depend on who comes first: a sweep reads no checks (4.12), the line that a cancelled run of a push leaves
 * has no prompt to show again (3.13), and words that stand stay where the link comes later (5.2).
 */
const byAll = (tale: Tale, github: unknown): unknown => {
  const fold = /<details><summary>Prompt<.*?<\/details>\\n\\n/g
  const isPush = /^(push|label)/.test(tale.name)
  const text = JSON.stringify(github).replaceAll(/ It has no checks\.|(?<=reply here) or there/g, '')
  return JSON.parse(isPush ? text.replaceAll(fold, '') : text)
}

const lengths = new Map<Tale, number>()

/** How many requests to GitHub the tale takes where nothing happens to it. */
async function lengthOf(tale: Tale): Promise<number> {
  const length = lengths.get(tale) ?? (await tell(tale)).requests.length
  lengths.set(tale, length)
  return length
}

/** Plays the tale with the trouble, and lets the others come. @returns what is then, and what more of them send */
async function endOf(tale: Tale, trouble: Trouble, others: readonly Other[]) {
  const from = trouble.at % (await lengthOf(tale))
  let since: number | undefined
  const blows: Blow[] = trouble.kind === 'kill' ? [kill(trouble.place, from + 1)] : []
  const late: string[] = []
  const first = attempt({ blows, post: 'lost' })
  const { seen } = await tell(
    { ...tale, run: (stage) => tale.run(stage, [first]) },
    {
      breaks: ({ nth, at }) => {
        if (trouble.kind !== 'away' || nth < from) return undefined
        since ??= at
        return at < since + trouble.ms ? trouble.fault : undefined
      },
      after: async (stage) => {
        for (const other of others) await OTHERS[other](stage)
        const settled = seenIn(stage)
        const before = stage.world.emulator.requests.length
        for (const other of ['post', 'sweep'] as const) await OTHERS[other](stage)
        const more = stage.world.emulator.requests.slice(before)
        late.push(
          ...more.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`),
        )
        expect(seenIn(stage).github).toEqual(settled.github)
      },
    },
  )
  return { github: byAll(tale, seen.github), jobs: seen.jobs, late }
}

test('5.6 6.2 post step, re-run and sweep bring a request to the same end, in any order, and then send nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ENDING),
      troubles,
      orders,
      orders,
      async (tale, trouble, one, other) => {
        const [here, there] = [await endOf(tale, trouble, one), await endOf(tale, trouble, other)]
        expect(here.late).toEqual([])
        expect(there.late).toEqual([])
        expect(here).toEqual(there)
      },
    ),
    runs(8),
  )
})
