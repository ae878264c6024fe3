import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type RunResult, startAction } from '../../emulator/runner.ts'
import { file, pulled, WRITES } from '../helpers/code-world.ts'
import { runs } from '../helpers/property.ts'
import { DAY_MS, IN_BUNDLE, type More, ownWorld, type World } from '../helpers/world.ts'

// Contract 3.15 in a busy repository: whatever people do in a week, the agent is asked ten times a day at most.

const MOST = 10
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const PULLS = Array.from({ length: 30 }, (_, at) => 101 + at)
const PEOPLE = ['alice', 'bob', 'dora', 'erin', 'frank'] as const
const LIMIT = { 'daily-limit': String(MOST) }
/** Two workflows with threads. */
const COMMANDS: More = { workflow: 'Docs', inputs: LIMIT }
const FIXES: More = { workflow: 'Docs', inputs: { ...LIMIT, 'fix-attempts': '2' } }
const IN_STEP: More = {
  workflow: 'Docs with the code',
  inputs: { ...LIMIT, prompt: 'Document this pull request.', 'commit-status': 'docs' },
}

interface Act {
  readonly kind: 'push' | 'rebase' | 'command' | 'command with fixes' | 're-run'
  readonly pull: number
  readonly by: (typeof PEOPLE)[number]
  /** The runner is lost so many ms after the start; 0 for never. */
  readonly lostAfter: number
}
interface Moment {
  /** Since the last one. */
  readonly after: number
  /** All in the same second. */
  readonly acts: readonly Act[]
}

const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.oneof(
    { weight: 4, arbitrary: fc.constant('push' as const) },
    { weight: 4, arbitrary: fc.constant('command' as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('command with fixes' as const, 'rebase' as const, 're-run' as const),
    },
  ),
  pull: fc.constantFrom(...PULLS),
  by: fc.constantFrom(...PEOPLE),
  lostAfter: fc.oneof(
    { weight: 9, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 4000 }) },
  ),
})
/** A few minutes, or the night. */
const after = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 20 * MINUTE }) },
  { weight: 1, arbitrary: fc.integer({ min: 6 * HOUR, max: 16 * HOUR }) },
)
const moment = fc.record({ after, acts: fc.array(act, { minLength: 1, maxLength: 4 }) })
const week: fc.Arbitrary<readonly Moment[]> = fc.noBias(fc.array(moment, { minLength: 24, maxLength: 28 }))

/** How a run ended, and when it began and ended. */
interface Run {
  readonly result: RunResult
  readonly from: number
  readonly to: number
}

async function play(emulator: World, moments: readonly Moment[]): Promise<Run[]> {
  const done: Run[] = []
  const again: Parameters<World['given']>[] = []
  let runId = 0
  let change = 0

  const start = async ([event, more]: Parameters<World['given']>, lostAfter: number) => {
    const from = emulator.settings.now()
    const running = startAction(emulator.given(event, { ...more, post: lostAfter > 0 ? false : 'if-needed' }))
    if (lostAfter > 0) {
      await emulator.pass(lostAfter)
      running.kill('SIGKILL')
    }
    done.push({ result: await running.done, from, to: emulator.settings.now() })
  }

  const given = ({ kind, pull, by }: Act): Parameters<World['given']> => {
    const last = again.at(-1)
    if (kind === 're-run' && last !== undefined) {
      const [event, more = {}] = last
      return [event, { ...more, attempt: (more.attempt ?? 1) + 1 }]
    }
    const isPush = kind === 'push' || kind === 'rebase'
    if (!isPush) {
      const how = kind === 'command with fixes' ? FIXES : COMMANDS
      return [emulator.say(`/docs explain ${++change}`, { on: pull, by }), { ...how, runId: ++runId }]
    }
    const changed = [file('src/retry.ts', `change ${++change}`)]
    emulator.github.push(pull, kind === 'push' ? { files: changed } : { isForced: true })
    return [pulled(emulator, 'synchronize', by, pull), { ...IN_STEP, runId: ++runId }]
  }

  for (const { after, acts } of moments) {
    await emulator.pass(after)
    const now = acts.map((one) => ({ run: given(one), lostAfter: one.lostAfter }))
    await Promise.all(now.map(({ run, lostAfter }) => start(run, lostAfter)))
    again.push(...now.map(({ run }) => run))
  }
  return done
}

function busyRepository(): World {
  const emulator = ownWorld({ permissions: { ...WRITES, checks: 'read' } })
  for (const person of PEOPLE) emulator.github.setPermission(person, 'write')
  for (const number of PULLS)
    emulator.github.addPullRequest({
      number,
      user: 'alice',
      files: [file('src/retry.ts', `first of ${number}`)],
    })
  emulator.service.everyTurn = { reads: 0 }
  emulator.github.checks.everyHead = [{ name: 'build', conclusion: 'failure' }]
  return emulator
}

const asksOf = ({ requests }: World): number[] =>
  requests.filter(({ host, method }) => host === 'service' && method === 'POST').map(({ at }) => at)

const FREE_AT =
  /`?daily-limit`? allows 10 requests in 24 hours\. Re-run the workflow after ([-\d]+ [\d:]+) UTC/

describe.skipIf(IN_BUNDLE)('3.15 random weeks', () => {
  test('the agent is never asked more than ten times in any 24 hours, and each refusal names the time', async () => {
    await fc.assert(
      fc.asyncProperty(week, async (moments) => {
        const emulator = busyRepository()
        const done = await play(emulator, moments)
        const asks = asksOf(emulator)
        const tooMany = asks.filter((at, n) => at - (asks[n - MOST] ?? Number.NEGATIVE_INFINITY) < DAY_MS)
        expect(tooMany).toEqual([])
        const refused = done.filter(({ result }) => result.outputs.reason === 'daily-limit')
        for (const { result, from, to } of refused) {
          const freeAt = Date.parse(`${FREE_AT.exec(result.log)?.[1]}Z`)
          expect(freeAt, result.log).toBeGreaterThan(from)
          expect(freeAt, result.log).toBeLessThanOrEqual(to + DAY_MS + MINUTE)
        }
        expect(refused.length).toBeGreaterThan(0)
      }),
      runs(1),
    )
  })
})
