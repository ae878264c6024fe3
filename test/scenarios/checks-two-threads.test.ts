import { describe, expect, test } from 'vitest'
import type { FaultMatch } from '../../emulator/faults.ts'
import type { Check } from '../../emulator/github/checks.ts'
import type { RunResult } from '../../emulator/runner.ts'
import { ISSUE, ownWorld, type World } from '../helpers/world.ts'

const FIX = { 'fix-attempts': '2' }
const FAILS: Check = { name: 'build', conclusion: 'failure' }
const CHECKS: FaultMatch = { host: 'github', path: /check-runs$/ }
const PULL = 77

/** @param heads the checks of each head of the agent's pull request, in order */
function world(...heads: readonly (readonly Check[])[]) {
  const emulator = ownWorld()
  emulator.github.checks.script.push(...heads)
  emulator.service.everyTurn = { durationMs: 5000 }
  return emulator
}

/** The commits whose failures went to the job, as its prompts name them, one for each message. */
const fixes = (emulator: World): string[] =>
  emulator.prompts().filter((prompt) => prompt.startsWith('Checks of'))

/** bob writes on the pull request while alice's run, asked in the issue, follows its checks. */
async function both(emulator: World, inputs: Readonly<Record<string, string>> = FIX) {
  let later: Promise<RunResult> | undefined
  const call = () => {
    later = emulator.ask('/docs shorten it', { on: PULL, by: 'bob', runId: 2, inputs })
  }
  emulator.faults.add({ match: CHECKS, fault: { kind: 'call', call } })
  const first = await emulator.ask('/docs explain', { inputs: FIX })
  if (later === undefined) throw new Error('the later request never came')
  return { first, later: await later }
}

/** Whose failures stand in the records, by the thread. */
const sentFor = (emulator: World): string[] =>
  [...emulator.records(), ...emulator.records(PULL)].flatMap((record) =>
    record.state === 'ended' ? (record.checks?.sentFor ?? []) : [],
  )

describe('4.12 one run follows the checks of a job', () => {
  test('the later request on the pull request does, and each commit fails once for the job', async () => {
    const slow = { ...FAILS, takesMs: 20_000 }
    const emulator = world([slow], [slow], [{ name: 'build' }])
    const { first, later } = await both(emulator)
    expect(first.outputs, first.log).toMatchObject({ outcome: 'pull-request', checks: 'pending', fixes: '0' })
    expect(later.outputs, later.log).toMatchObject({ checks: 'success', fixes: '1' })
    expect(first.exitCode).toBe(0)
    expect(fixes(emulator)).toHaveLength(1)
    expect(sentFor(emulator)).toEqual([...new Set(sentFor(emulator))])
    expect(emulator.lastWords()).toMatch(/^\*\*✅ .*\. The later request of bob follows its checks\.\n/)
    expect(emulator.service.jobs()).toHaveLength(1)
  })

  test('a later request without `fix-attempts` does not, so the earlier run goes on', async () => {
    const slow = { ...FAILS, takesMs: 20_000 }
    const emulator = world([slow], [slow], [{ name: 'build' }])
    const { first } = await both(emulator, { 'fix-attempts': '0' })
    expect(first.outputs, first.log).toMatchObject({ checks: 'success', fixes: '1' })
    expect(fixes(emulator)).toHaveLength(1)
  })

  test('sweeps follow a later request with `wait: false`, and the earlier run stops', async () => {
    const slow = { ...FAILS, takesMs: 20_000 }
    const emulator = world([slow], [slow], [{ name: 'build' }])
    const { first } = await both(emulator, { ...FIX, wait: 'false' })
    expect(first.outputs, first.log).toMatchObject({ checks: 'pending', fixes: '0' })
    for (const runId of [9_100_001, 9_100_002, 9_100_003]) {
      await emulator.pass(5 * 60_000)
      emulator.service.tick()
      await emulator.collect(FIX, { runId })
    }
    expect(fixes(emulator)).toHaveLength(1)
    expect(emulator.lastWords(PULL)).toContain('Its check passes; failures went back to the agent once.')
  })

  test.each([
    ['in the other thread', PULL, FIX],
    ['in this thread', ISSUE, FIX],
    ['without comments of its own', ISSUE, { ...FIX, comment: 'off' }],
  ])(
    'what an earlier request sent of a commit, a later one %s does not send again',
    async (_, on, inputs) => {
      const emulator = world([FAILS])
      emulator.service.script.push({ reads: 0 }, { reads: 0, pr: 'none' }, { reads: 0, pr: 'none' })
      const first = await emulator.ask('/docs explain', { inputs: FIX })
      expect(first.outputs, first.log).toMatchObject({ checks: 'failure', fixes: '1' })
      const later = await emulator.ask('/docs shorten it', { on, runId: 2, inputs })
      expect(later.outputs, later.log).toMatchObject({ checks: 'failure', fixes: '0' })
      expect(fixes(emulator)).toHaveLength(1)
    },
  )
})
