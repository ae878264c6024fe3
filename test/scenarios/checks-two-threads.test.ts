import { describe, expect, test } from 'vitest'
import type { FaultMatch } from '../../emulator/faults.ts'
import type { Check } from '../../emulator/github/checks.ts'
import type { RunResult } from '../../emulator/runner.ts'
import type { Turn } from '../../emulator/service/turn.ts'
import { IN_BUNDLE, ownWorld, READ, type World } from '../helpers/world.ts'

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
    record.state === 'reported' ? (record.checks?.sentFor ?? []) : [],
  )

describe.skipIf(IN_BUNDLE)('4.12 one run follows the checks of a job', () => {
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

  test('the later request in the issue does as well, after one on the pull request', async () => {
    const slow = { ...FAILS, takesMs: 40_000 }
    const emulator = world([{ name: 'build' }], [slow], [slow], [{ name: 'build' }])
    await emulator.ask('/docs explain', { inputs: FIX })
    let later: Promise<RunResult> | undefined
    const call = () => {
      later = emulator.ask('/docs shorten it', { runId: 3, inputs: FIX })
    }
    const skip = emulator.requests.filter(({ path }) => path.endsWith('/check-runs')).length
    emulator.faults.add({ match: CHECKS, skip: skip > 0 ? 1 : 0, fault: { kind: 'call', call } })
    const first = await emulator.ask('/docs rename it', { on: PULL, by: 'bob', runId: 2, inputs: FIX })
    expect(first.outputs, first.log).toMatchObject({ checks: 'pending', fixes: '0' })
    expect((await later)?.outputs).toMatchObject({ checks: 'success', fixes: '1' })
    expect(fixes(emulator)).toHaveLength(1)
    expect(emulator.lastWords(PULL)).toContain('The later request of alice follows its checks.')
  })

  test.each<Readonly<Record<string, string>>>([{ 'fix-attempts': '0' }, { ...FIX, wait: 'false' }])(
    'a later request with %j does not, so the earlier run goes on',
    async (inputs) => {
      const slow = { ...FAILS, takesMs: 20_000 }
      const emulator = world([slow], [slow], [{ name: 'build' }])
      const { first } = await both(emulator, inputs)
      expect(first.outputs, first.log).toMatchObject({ checks: 'success', fixes: '1' })
      expect(fixes(emulator)).toHaveLength(1)
    },
  )

  test.each<[string, string, Turn, number]>([
    ['for another job', '/docs new explain limits', { durationMs: 30_000 }, 1],
    ['whose turn failed', '/docs shorten it', { durationMs: 5000, ending: 'failed', pr: 'none' }, 0],
  ])('a later request %s does not, so the earlier run goes on', async (_, words, turn, others) => {
    const slow = { ...FAILS, takesMs: 60_000 }
    const emulator = world([slow], ...Array(others).fill([{ name: 'build' }]), [{ name: 'build' }])
    emulator.service.script.push({ durationMs: 5000 }, turn)
    let later: Promise<RunResult> | undefined
    const call = () => {
      later = emulator.ask(words, { by: 'bob', runId: 2, inputs: FIX })
    }
    emulator.faults.add({ match: CHECKS, fault: { kind: 'call', call } })
    const first = await emulator.ask('/docs explain', { inputs: FIX })
    expect(first.outputs, first.log).toMatchObject({ checks: 'success', fixes: '1' })
    await later
  })

  test('an outage of GitHub of two minutes while the records are read is waited out', async () => {
    const emulator = world([FAILS], [{ name: 'build' }])
    const match = { method: 'GET', path: /issues\/77\/comments$/ }
    const between: [number, number] = [emulator.settings.now() + 20_000, emulator.settings.now() + 130_000]
    emulator.faults.add({ match, between, times: Infinity, fault: { kind: 'status', status: 502 } })
    const { outputs, annotations, log } = await emulator.ask('/docs explain', { inputs: FIX })
    expect(outputs, log).toMatchObject({ checks: 'success', fixes: '1' })
    expect(annotations).toEqual([])
  })

  test('of two later requests, the last one is named', async () => {
    const slow = { ...FAILS, takesMs: 40_000 }
    const emulator = world([slow], [slow], [slow], [{ name: 'build' }])
    emulator.github.setPermission('dora', 'write')
    const later: Promise<RunResult>[] = []
    for (const [skip, by] of ['bob', 'dora'].entries()) {
      const call = () => void later.push(emulator.ask('/docs more', { by, runId: 2 + skip, inputs: FIX }))
      emulator.faults.add({ match: CHECKS, skip, fault: { kind: 'call', call } })
    }
    await emulator.ask('/docs explain', { inputs: FIX })
    await Promise.all(later)
    expect(emulator.bodies()[0]).toContain('The later request of dora follows its checks.')
  })

  test('what an earlier request sent of a commit, a later one in the other thread does not send again', async () => {
    const emulator = world([FAILS])
    emulator.service.script.push({ reads: 0 }, { reads: 0, pr: 'none' }, { reads: 0, pr: 'none' })
    const first = await emulator.ask('/docs explain', { inputs: FIX })
    expect(first.outputs, first.log).toMatchObject({ checks: 'failure', fixes: '1' })
    const later = await emulator.ask('/docs shorten it', { on: PULL, runId: 2, inputs: FIX })
    expect(later.outputs, later.log).toMatchObject({ checks: 'failure', fixes: '0' })
    expect(fixes(emulator)).toHaveLength(1)
  })

  test('what an earlier request sent of another commit keeps nothing back', async () => {
    const emulator = world([FAILS], [{ name: 'build' }], [FAILS], [{ name: 'build' }])
    const first = await emulator.ask('/docs explain', { inputs: FIX })
    expect(first.outputs, first.log).toMatchObject({ checks: 'success', fixes: '1' })
    const later = await emulator.ask('/docs shorten it', { on: PULL, runId: 2, inputs: FIX })
    expect(later.outputs, later.log).toMatchObject({ checks: 'success', fixes: '1' })
    expect(fixes(emulator)).toHaveLength(2)
  })

  test('reading the records costs two requests, and only before failures go back', async () => {
    const lists = ({ requests }: World) =>
      requests.filter(({ method, path }) => method === 'GET' && /issues\/\d+\/comments$/.test(path)).length
    const green = world([{ name: 'build' }])
    await green.ask('/docs explain', { inputs: FIX })
    const red = world([FAILS], [{ name: 'build' }])
    await red.ask('/docs explain', { inputs: FIX })
    expect(lists(red) - lists(green)).toBe(2)
  })

  test('a pull request in another repository has none here: the thread of its number is not read', async () => {
    const emulator = ownWorld({ docsRepository: 'octo/docs', tokenCoversDocs: true })
    emulator.github.checks.script.push([FAILS], [{ name: 'build' }])
    const { outputs, log } = await emulator.ask('/docs explain', { inputs: FIX })
    expect(outputs, log).toMatchObject({ checks: 'success', fixes: '1' })
    const paths = emulator.requests.map(({ path }) => path)
    expect(paths).not.toContain(`/repos/octo/app/issues/${PULL}/comments`)
  })

  test('GitHub shows no records: that holds nothing up', async () => {
    const emulator = world([FAILS], [{ name: 'build' }])
    const fault = { kind: 'status', status: 403 } as const
    emulator.faults.add({ match: { method: 'GET', path: /issues\/77\/comments$/ }, times: Infinity, fault })
    const result = await emulator.ask('/docs explain', { inputs: FIX })
    expect(result.outputs, result.log).toMatchObject({ checks: 'success', fixes: '1' })
  })
})

describe.skipIf(IN_BUNDLE)('4.12 a push may come late after any turn', () => {
  const followUp = async (turn: Turn, inputs = FIX) => {
    const emulator = world([{ name: 'build' }], [FAILS], [{ name: 'build' }])
    emulator.service.script.push({ reads: 0 }, { reads: 0, ...turn })
    await emulator.ask('/docs explain', { inputs })
    return await emulator.ask('/docs shorten it', { runId: 2, inputs })
  }

  test.each<[number, string]>([
    [40_000, '1'],
    [75_000, '0'],
  ])('of an ordinary follow-up: %i ms after its end', async (lateCommitAfterMs, many) => {
    const { outputs, log } = await followUp({ pr: 'none', lateCommitAfterMs })
    expect(outputs, log).toMatchObject({ checks: 'success', fixes: many })
    if (many === '0') expect(Number(outputs['duration-seconds'])).toBeGreaterThanOrEqual(60)
  })

  test('a head that moved during the turn is not waited for', async () => {
    const { outputs, log } = await followUp({})
    expect(outputs, log).toMatchObject({ checks: 'success', fixes: '1' })
    // Half a minute for each of the two heads, and for the turn between them.
    expect(Number(outputs['duration-seconds'])).toBeLessThan(110)
  })

  test('a re-run after a kill knows the head from before the message', async () => {
    const emulator = world([{ name: 'build' }], [FAILS], [{ name: 'build' }])
    emulator.service.script.push({ reads: 0 }, { durationMs: 9000, pr: 'none', lateCommitAfterMs: 40_000 })
    await emulator.ask('/docs explain', { inputs: FIX })
    const said = emulator.say('/docs shorten it')
    await emulator.interrupted(emulator.given(said, { runId: 2, inputs: FIX }), READ, { skip: 2 })
    const again = await emulator.act(said, { runId: 2, attempt: 2, inputs: FIX })
    expect(again.outputs, again.log).toMatchObject({ checks: 'success', fixes: '1' })
  })
})
