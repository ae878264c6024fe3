import { describe, expect, test } from 'vitest'
import type { Check } from '../../emulator/github/checks.ts'
import { asksToFix as ask, FIX, fixes, checkedWorld as world } from '../helpers/checked-world.ts'

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

test('4.12 a fix that is pushed 50 s after the end of the turn is one', async () => {
  const emulator = world([[{ name: 'build', conclusion: 'failure' }], [{ name: 'build' }]])
  emulator.service.script.push({ reads: 0 }, { reads: 0, pr: 'none', lateCommitAfterMs: 50_000 })
  const result = await ask(emulator)
  expect(result.outputs, result.log).toMatchObject({ checks: 'success', fixes: '1' })
})

test('4.12 one that is pushed later than a minute is none', async () => {
  const emulator = world([[{ name: 'build', conclusion: 'failure' }], [{ name: 'build' }]])
  emulator.service.script.push({ reads: 0 }, { reads: 0, pr: 'none', lateCommitAfterMs: 120_000 })
  expect((await ask(emulator)).outputs).toMatchObject({ checks: 'failure', fixes: '1' })
})

test('4.12 the deadline while the agent fixes is pending, and a re-run goes on', async () => {
  const emulator = world([[{ name: 'build', conclusion: 'failure' }], [{ name: 'build' }]])
  emulator.service.script.push({ reads: 0 }, { durationMs: 10 * MINUTE })
  const { said, ...first } = await ask(emulator, { 'timeout-minutes': '2' })
  expect(first.outputs).toMatchObject({ outcome: 'pull-request', checks: 'pending', fixes: '1' })
  const stopped = /^\*\*⏳ .*No verdict of its checks is known; failures went back to the agent once\./
  expect(emulator.bodies()).toEqual([expect.stringMatching(stopped)])
  const again = await emulator.act(said, { attempt: 2, inputs: FIX })
  expect(again.outputs, again.log).toMatchObject({ checks: 'success', fixes: '1' })
  expect(fixes(emulator)).toHaveLength(1)
})

test.each<[string, readonly Check[], readonly Check[]]>([
  ['no first check', [{ name: 'build' }], []],
  ['no check once the first one was green', [{ name: 'a' }, { name: 'b' }], []],
  ['no commit status', [{ name: 'cla', kind: 'status' }], []],
])('H7 4.12 a later head with %s: the words are true of a run that waited for them', async (_, ...heads) => {
  const emulator = world(heads)
  await ask(emulator)
  emulator.service.script.push({ reads: 0 })
  const { outputs } = await ask(emulator, { 'timeout-minutes': '9' })
  expect(outputs).toMatchObject({ outcome: 'pull-request', checks: 'pending' })
  expect(emulator.lastWords()).not.toContain('stopped before')
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

  test.each([500, 502, 503])(
    'does not go back where GitHub shows the base only after an outage (%i)',
    async (status) => {
      const emulator = failing([[links, { name: 'build' }]])
      const match = { path: /\/commits\/main\/(?:check-runs|status)/ }
      emulator.faults.add({ match, times: 40, fault: { kind: 'status', status } })
      expect((await ask(emulator)).outputs).toMatchObject({ checks: 'failure', fixes: '0' })
      expect(fixes(emulator)).toEqual([])
    },
  )

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
