import { describe, expect, test } from 'vitest'
import type { Check } from '../../emulator/github/checks.ts'
import type { Turn } from '../../emulator/service/turn.ts'
import { asksToFix as ask, FIX, fixes, MESSAGE, checkedWorld as world } from '../helpers/checked-world.ts'
import { CREATE } from '../helpers/world.ts'

const MINUTE = 60_000

// Half a minute takes no time on the clock of these worlds; the bundle runs in real time, with pauses of 50 ms.
describe('4.12 ended means that nothing about the head has changed for half a minute', () => {
  test.each<[string, readonly Check[]]>([
    [
      'a status that is green at once, and a workflow that begins later',
      [
        { name: 'cla', kind: 'status' },
        { name: 'build', conclusion: 'failure', appearsAfterMs: 4000, takesMs: 1000 },
      ],
    ],
    [
      'a job that needs another one',
      [
        { name: 'build', takesMs: 20_000 },
        { name: 'deploy', needs: ['build'], conclusion: 'failure', takesMs: 5000 },
      ],
    ],
  ])('%s', async (_, checks) => {
    const emulator = world([checks, [{ name: 'build' }]])
    const result = await ask(emulator)
    expect(result.outputs, result.log).toMatchObject({ checks: 'success', fixes: '1' })
  })

  test('a push that comes after the first reading begins it anew', async () => {
    const emulator = world([
      [{ name: 'build' }],
      [{ name: 'build', takesMs: 10_000, conclusion: 'failure' }],
      [{ name: 'build' }],
    ])
    emulator.service.script.push({ reads: 0, lateCommitAfterMs: 25_000 })
    expect((await ask(emulator)).outputs).toMatchObject({ checks: 'success', fixes: '1' })
  })
})

test.each([50_000])('4.12 a fix that is pushed %i ms after the end of the turn is one', async (ms) => {
  const emulator = world([[{ name: 'build', conclusion: 'failure' }], [{ name: 'build' }]])
  emulator.service.script.push({ reads: 0 }, { reads: 0, pr: 'none', lateCommitAfterMs: ms })
  const result = await ask(emulator)
  expect(result.outputs, result.log).toMatchObject({ checks: 'success', fixes: '1' })
})

test('4.12 one that is pushed later than a minute is none', async () => {
  const emulator = world([[{ name: 'build', conclusion: 'failure' }], [{ name: 'build' }]])
  emulator.service.script.push({ reads: 0 }, { reads: 0, pr: 'none', lateCommitAfterMs: 120_000 })
  expect((await ask(emulator)).outputs).toMatchObject({ checks: 'failure', fixes: '1' })
})

test.each<[string, number, Turn, string]>([
  ['a fix that was pushed meanwhile is one', 3, { reads: 0 }, 'success'],
  ['the deadline comes first: pending', 60, { reads: 0 }, 'pending'],
])('4.12 an outage of GitHub after the turn is waited out: %s', async (_, minutes, turn, checks) => {
  const emulator = world([[{ name: 'build', conclusion: 'failure' }], [{ name: 'build' }]])
  emulator.service.script.push({ reads: 0 }, turn)
  const call = () => {
    const from = emulator.settings.now()
    const match = { host: 'github', method: 'GET', path: /\/pulls\/77$/ } as const
    const between: [number, number] = [from, from + minutes * MINUTE]
    emulator.faults.add({ match, between, times: Infinity, fault: { kind: 'status', status: 502 } })
  }
  emulator.faults.add({ match: MESSAGE, fault: { kind: 'call', call } })
  const { outputs, log } = await ask(emulator)
  expect(outputs, log).toMatchObject({ outcome: 'pull-request', checks, fixes: '1' })
})

test('4.12 a check that failed goes back, also beside one that waits for a person', async () => {
  const waits: Check = { name: 'deploy', waits: true }
  const emulator = world([[{ name: 'build', conclusion: 'failure' }, waits], [waits]])
  const result = await ask(emulator)
  expect(result.outputs, result.log).toMatchObject({ checks: 'pending', fixes: '1' })
  expect(fixes(emulator)).toEqual([expect.stringMatching(/^Check: build \(/m)])
})

test('4.12 the deadline while the agent fixes is pending, and a re-run goes on', async () => {
  const emulator = world([[{ name: 'build', conclusion: 'failure' }], [{ name: 'build' }]])
  emulator.service.script.push({ reads: 0 }, { durationMs: 10 * MINUTE })
  const { said, ...first } = await ask(emulator, { 'timeout-minutes': '2' })
  expect(first.outputs).toMatchObject({ outcome: 'pull-request', checks: 'pending', fixes: '1' })
  const stopped =
    /^\*\*⏳ .*The run stopped before its checks ended; what failed went back to the agent once\./
  expect(emulator.bodies()).toEqual([expect.stringMatching(stopped)])
  const again = await emulator.act(said, { attempt: 2, inputs: FIX })
  expect(again.outputs, again.log).toMatchObject({ checks: 'success', fixes: '1' })
  expect(fixes(emulator)).toHaveLength(1)
})

describe('4.12 what waits for a person or for its turn is not waited for', () => {
  test.each<[string, readonly Check[], RegExp]>([
    [
      'workflows that GitHub parks',
      [{ kind: 'suite', name: 'ci', conclusion: 'action_required' }],
      /^\*\*⚠️ .* Its check `GitHub Actions` waits for a person\./,
    ],
    [
      'parked ones beside a green status',
      [
        { name: 'cla', kind: 'status' },
        { kind: 'suite', name: 'ci', conclusion: 'action_required' },
      ],
      /Of its 2 checks, `GitHub Actions` waits for a person\./,
    ],
    [
      'one that is stale beside a green one',
      [{ name: 'a', conclusion: 'stale' }, { name: 'b' }],
      /Of its 2 checks, \[`a`\]\(\S+\) has no verdict\./,
    ],
    [
      'one that a person has to approve, whose workflows are not parked',
      [{ name: 'a', conclusion: 'action_required' }],
      /Its check \[`a`\]\(\S+\) waits for a person\./,
    ],
  ])('%s', async (_, checks, sentence) => {
    const emulator = world([checks])
    const result = await ask(emulator)
    expect(result.outputs, result.log).toMatchObject({
      outcome: 'pull-request',
      checks: 'pending',
      fixes: '0',
    })
    expect(Number(result.outputs['duration-seconds'])).toBeLessThan(120)
    expect(emulator.bodies()).toEqual([expect.stringMatching(sentence)])
    expect(`${result.log}\n${result.summary}`).toMatch(/wait|verdict/)
  })
})

describe('4.12 a conflict with the base', () => {
  test.each([{}, { mergeableAfterMs: 20_000 }])('goes back with its name: %j', async (options) => {
    const emulator = world([[], [{ name: 'build' }]], options)
    emulator.service.script.push(
      { reads: 0, change: { conflicts: true } },
      { reads: 0, change: { conflicts: false } },
    )
    const result = await ask(emulator)
    expect(result.outputs, result.log).toMatchObject({ checks: 'success', fixes: '1' })
    expect(fixes(emulator)).toEqual([
      expect.stringMatching(
        /^The branch of your pull request octo\/app#77 .* conflicts with its base branch `main`: .*nothing else\.$/,
      ),
    ])
  })

  test('stays a failure where the agent does not resolve it', async () => {
    const emulator = world([[], []])
    emulator.service.everyTurn = { reads: 0, change: { conflicts: true } }
    const result = await ask(emulator, { 'fix-attempts': '1' })
    expect(result.outputs).toMatchObject({ outcome: 'pull-request', checks: 'failure', fixes: '1' })
    expect(emulator.bodies()[0]).toMatch(/^\*\*⚠️ .* Its check `merge into main` fails; .*\nLook at it there/)
    expect(result.log).toContain('Its check merge into main fails')
  })
})

describe('4.12 what fails at the base branch as well', () => {
  const links: Check = { name: 'links', conclusion: 'failure' }
  function failing(heads: readonly (readonly Check[])[]) {
    const emulator = world(heads)
    emulator.github.addChecks(emulator.github.branchHead('main'), [links])
    return emulator
  }

  test('does not go back where nothing else fails, and the result says so', async () => {
    const emulator = failing([[links, { name: 'build' }]])
    expect((await ask(emulator)).outputs).toMatchObject({ checks: 'failure', fixes: '0' })
    expect(fixes(emulator)).toEqual([])
    expect(emulator.bodies()[0]).toMatch(
      /Of its 2 checks, \[`links`\]\(\S+\) fails on its base branch as well\./,
    )
  })

  test('is named as such beside what the pull request breaks', async () => {
    const emulator = failing([
      [links, { name: 'build', conclusion: 'failure' }],
      [links, { name: 'build' }],
    ])
    expect((await ask(emulator)).outputs).toMatchObject({ checks: 'failure', fixes: '1' })
    const [fix = ''] = fixes(emulator)
    expect(fix).toContain('Leave what fails on `main` as well')
    expect(fix).toContain('Check: links (failure, fails on main as well)')
    expect(fix).toContain('Check: build (failure)')
  })
})

test('4.12 the names of all checks come first, then all annotations, then the summaries', async () => {
  const annotations = [{ path: 'docs/a.mdx', line: 7, message: 'dead link' }]
  const check = (name: string): Check => ({
    name,
    conclusion: 'failure',
    summary: 'words '.repeat(10_000),
    annotations,
  })
  const emulator = world([[check('build'), check('links')]])
  await ask(emulator, { 'fix-attempts': '1' })
  const [fix = ''] = fixes(emulator)
  expect(fix).toMatch(
    /(Check: (build|links) \(failure\)\n){2}\n(docs\/a\.mdx:7 failure: dead link\n){2}\n(build|links):\n\nwords/,
  )
  expect(fix.length).toBeLessThan(21_000)
})

describe('4.12 what following costs', () => {
  /** When the job ended, and when the run said how the checks stand, in ms on the emulator's clock. */
  async function timed(checks: readonly Check[], minutes = 40) {
    const emulator = world([checks])
    const from = emulator.settings.now()
    const result = await ask(emulator, { 'timeout-minutes': String(minutes) })
    const created = emulator.requests.find(
      ({ method, path }) => method === CREATE.method && CREATE.path.test(path),
    )
    const ms = emulator.settings.now() - (created?.at ?? from)
    const counted = emulator.requests.filter(({ host, status }) => host === 'github' && status !== 304).length
    return { ms, counted, outputs: result.outputs }
  }

  test('120 requests that count in half an hour, of the thousand that a repository has an hour', async () => {
    const slow = Array.from({ length: 5 }, (_, at) => ({
      name: `build ${at}`,
      takesMs: (at + 1) * 6 * MINUTE,
    }))
    const { counted, outputs } = await timed(slow)
    expect(outputs.checks).toBe('success')
    expect(counted).toBeLessThanOrEqual(120)
  })
})
