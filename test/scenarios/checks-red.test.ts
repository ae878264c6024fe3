import { describe, expect, test } from 'vitest'
import type { Check } from '../../emulator/github/checks.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'
import type { Turn } from '../../emulator/service/turn.ts'
import { CODE, codeWorld, headOf, WRITES } from '../helpers/code-world.ts'
import type { World } from '../helpers/world.ts'

// H5: green is never said over red, in output, commit status, thread and summary.

const RED: Check = { name: 'build', conclusion: 'failure' }
const NEVER = { takesMs: Number.POSITIVE_INFINITY }
const WORKS: Check = { name: 'e2e', ...NEVER, startsAfterMs: 0 }
const INPUTS = { 'commit-status': 'docs', 'fix-attempts': '1' }

function world(checks: readonly Check[], { turn = {}, ...options }: EmulatorOptions & { turn?: Turn } = {}) {
  const emulator = codeWorld({ docsRepository: 'octo/app', ...options })
  emulator.github.checks.everyHead = checks
  emulator.service.everyTurn = { reads: 0, ...turn }
  return emulator
}

type Options = NonNullable<Parameters<typeof world>[1]>

const statusesOf = (emulator: World) =>
  emulator.github.statuses(headOf(emulator)).map(({ state, description }) => `${state}: ${description}`)

async function ends(emulator: World, inputs: Readonly<Record<string, string>> = {}) {
  const { said, ...result } = await emulator.ask('/docs explain', {
    on: CODE,
    inputs: { ...INPUTS, ...inputs },
  })
  const words = emulator.lastWords(CODE)
  return { said, result, words, statuses: statusesOf(emulator) }
}

describe('4.12 4.13 red stays red', () => {
  test('at the deadline, although it could go back: beside a check that works', async () => {
    const emulator = world([RED, WORKS])
    const { result, words, statuses } = await ends(emulator, { 'timeout-minutes': '3' })
    expect(result.outputs, result.log).toMatchObject({
      outcome: 'pull-request',
      checks: 'failure',
      fixes: '0',
    })
    expect(statuses.at(-1)).toBe('failure: octo/app#77: its checks fail')
    expect(statuses.join()).not.toContain('success')
    expect(words).toMatch(
      /^\*\*⚠️ .*Of its 2 checks, \[`build`\]\(\S+\) fails, \[`e2e`\]\(\S+\) had not ended/,
    )
    expect(`${words}${result.summary}`).not.toMatch(/✅|checks pass/)
    expect(result.summary).toContain('- Checks: `failure`')
  })

  test('at the deadline, and a re-run sends it back', async () => {
    const emulator = world([])
    emulator.github.checks.everyHead = []
    emulator.github.checks.script.push([RED, WORKS], [{ name: 'build' }])
    const { said, result } = await ends(emulator, { 'timeout-minutes': '3' })
    expect(result.outputs).toMatchObject({ checks: 'failure', fixes: '0' })
    const again = await emulator.act(said, { attempt: 2, inputs: INPUTS })
    expect(again.outputs, again.log).toMatchObject({ checks: 'success', fixes: '1' })
    expect(statusesOf(emulator).at(-1)).toBe('success: octo/app#77')
  })

  test('where it could not go back for an outage of the service', async () => {
    const emulator = world([RED])
    const match = { host: 'service', method: 'POST', path: /\/message$/ } as const
    emulator.faults.add({ match, fault: { kind: 'status', status: 503 }, times: Infinity })
    const { result, statuses } = await ends(emulator)
    expect(result.outputs.checks).toBe('failure')
    expect(statuses.join()).not.toContain('success')
  })

  test('as a conflict with the base branch', async () => {
    const emulator = world([{ name: 'cla', kind: 'status' }], { turn: { change: { conflicts: true } } })
    const { result, words, statuses } = await ends(emulator)
    expect(result.outputs, result.log).toMatchObject({ checks: 'failure', fixes: '1' })
    expect(statuses.at(-1)).toBe('failure: octo/app#77: its checks fail')
    expect(words).toMatch(/^\*\*⚠️ .*`merge into main` fails/)
  })

  test('for whoever comes later: the post step, a sweep and a re-run that is killed', async () => {
    const emulator = world([RED, WORKS])
    const said = emulator.say('/docs explain', { on: CODE })
    const run = emulator.given(said, { inputs: INPUTS })
    await emulator.interrupted(run, { path: /\/check-runs$/ }, { skip: 1 })
    await emulator.pass(60 * 60_000)
    await emulator.collect()
    expect(statusesOf(emulator).join()).not.toContain('success')
    expect(emulator.lastWords(CODE)).not.toContain('✅')
  })
})

describe('H5 a check that was cancelled, and a green one of its name', () => {
  const stopped: Check = { name: 'build', conclusion: 'cancelled', suite: 'one' }
  const later: Check = { name: 'build', suite: 'two', appearsAfterMs: 5000, takesMs: 5000 }
  const permissions = { ...WRITES, checks: 'read', actions: 'read' } as const

  test.each<[string, readonly Check[], Options, string]>([
    ['of another workflow', [stopped, later], { permissions }, 'pending'],
    ['of another workflow, at once', [stopped, { name: 'build', suite: 'two' }], { permissions }, 'pending'],
    [
      'of its workflow',
      [
        { ...stopped, workflow: 'ci' },
        { ...later, workflow: 'ci' },
      ],
      { permissions },
      'success',
    ],
    [
      'where the token may not tell the workflows',
      [
        { ...stopped, workflow: 'ci' },
        { ...later, workflow: 'ci' },
      ],
      { permissions: { ...WRITES, checks: 'read' } },
      'pending',
    ],
  ])('%s', async (_, checks, options, status) => {
    const { result, statuses } = await ends(world(checks, options), { 'timeout-minutes': '10' })
    expect(result.outputs, result.log).toMatchObject({ checks: status })
    if (status === 'pending') expect(statuses.join()).not.toContain('success')
    const said = result.annotations.map(({ message }) => message).join()
    expect(said.includes('actions: read')).toBe(!('actions' in (options.permissions ?? {})))
  })
})

describe('4.12 4.13 what has no verdict is pending', () => {
  test.each<[string, readonly Check[]]>([
    ['a check that was cancelled', [{ name: 'build', conclusion: 'cancelled' }, { name: 'lint' }]],
    ['one that waits for a person', [{ name: 'build', conclusion: 'action_required' }]],
    ['a status that never ends', [{ name: 'cla', kind: 'status', ...NEVER }]],
    ['one that works until the deadline', [WORKS]],
  ])('%s', async (_, checks) => {
    const emulator = world(checks)
    const { result, words, statuses } = await ends(emulator, { 'timeout-minutes': '10' })
    expect(result.outputs, result.log).toMatchObject({ checks: 'pending', fixes: '0' })
    expect(statuses.at(-1)).toMatch(/^pending: octo\/app#77, whose checks have no known verdict: re-run/)
    expect(statuses.join()).not.toContain('success')
    expect(words).toMatch(/^\*\*(⏳|⚠️) /)
  })

  test('a killed run whose job a sweep reports: the sweep reads its checks, and a re-run sends them back', async () => {
    const emulator = world([RED], { turn: { durationMs: 60_000 } })
    const said = emulator.say('/docs explain', { on: CODE })
    const run = emulator.given(said, { inputs: INPUTS, post: false })
    await emulator.interrupted(run, { host: 'service', method: 'GET', path: /\/job\// })
    await emulator.pass(60 * 60_000)
    await emulator.collect()
    expect(statusesOf(emulator).at(-1)).toBe('failure: octo/app#77: its checks fail')
    expect(emulator.lastWords(CODE)).toContain('`fix-attempts` of the workflow that collects allows no more.')
    const again = await emulator.act(said, { attempt: 2, inputs: INPUTS })
    expect(again.outputs, again.log).toMatchObject({ checks: 'failure', fixes: '1' })
    expect(statusesOf(emulator).at(-1)).toBe('failure: octo/app#77: its checks fail')
  })
})

test('4.12 4.13 checks that could not be read leave the status pending, which says so, until a re-run can', async () => {
  const emulator = world([RED])
  const match = { host: 'github', path: /\/check-runs$/ } as const
  emulator.faults.add({ match, fault: { kind: 'status', status: 403 }, times: Infinity })
  const { said, result, words, statuses } = await ends(emulator)
  expect(result.outputs).toMatchObject({ checks: 'unavailable', fixes: '0' })
  expect(statuses).toEqual([
    'pending: The docs agent is working',
    'pending: octo/app#77, whose checks could not be read: re-run once they can be',
  ])
  expect(words).toMatch(/^\*\*⚠️ .*Its checks could not be read\./)
  expect(emulator.records(CODE)).toMatchObject([{ state: 'ended', effectsDone: true }])
  emulator.faults.clear()
  const again = await emulator.act(said, { attempt: 2, inputs: INPUTS })
  expect(again.outputs, again.log).toMatchObject({ checks: 'failure', fixes: '1' })
  expect(statusesOf(emulator).at(-1)).toBe('failure: octo/app#77: its checks fail')
  expect(emulator.records(CODE)).toMatchObject([{ state: 'ended', effectsDone: true }])
})

test('4.12 4.13 a workflow whose file cannot be used fails, although it has no check', async () => {
  const emulator = world([{ kind: 'suite', name: 'ci', conclusion: 'failure' }])
  const { result, words, statuses } = await ends(emulator)
  expect(result.outputs, result.log).toMatchObject({ outcome: 'pull-request', checks: 'failure' })
  expect(statuses.at(-1)).toBe('failure: octo/app#77: its checks fail')
  expect(words).toContain('`GitHub Actions` fails')
})

const checkRun = (more: object) => ({ name: 'build', status: 'completed', conclusion: 'success', ...more })
const WITHOUT_TIMES = [checkRun({ conclusion: 'failure', started_at: null }), checkRun({ completed_at: 'x' })]

test.each<[string, readonly object[], string]>([
  ['without suites, ids and times, red stays red', WITHOUT_TIMES, 'failure'],
  ['with half of a check, which is not green', [checkRun({}), { name: 'half' }], 'pending'],
])('4.12 an odd list of checks %s', async (_, check_runs, checks) => {
  const emulator = world([{ name: 'a' }])
  const body = JSON.stringify({ total_count: check_runs.length, check_runs })
  emulator.faults.add({ match: { path: /check-runs$/ }, times: Infinity, fault: { kind: 'wrongType', body } })
  const { result } = await ends(emulator)
  expect(result.outputs, result.log).toMatchObject({ checks })
})

describe('4.12 what only a person can do is named, with the next step', () => {
  const PARKED: Check = { kind: 'suite', name: 'ci', conclusion: 'action_required' }
  const DEPLOY: Check = { name: 'deploy', waits: true }
  const CLA: Check = { name: 'cla', conclusion: 'action_required' }

  test.each<[string, readonly Check[], RegExp, RegExp]>([
    [
      'workflows',
      [PARKED],
      /waits for a person to approve it\.$/,
      /^Approve the workflows in the pull request\. Review/,
    ],
    [
      'a deployment',
      [{ name: 'a' }, DEPLOY],
      /waits for a person to approve it\.$/,
      /^Open .*`deploy`.* approve the deployment\. Review/,
    ],
    ['something else', [CLA], /waits for a person\.$/, /^Open .*`cla`.* to see what is to be done\. Review/],
    [
      'two of them',
      [DEPLOY, CLA],
      /`deploy`.* to approve it, .*`cla`.* waits for a person\.$/,
      /`deploy`.*deployment\. Open .*`cla`/,
    ],
    [
      'beside a failure',
      [RED, DEPLOY],
      /`build`.* fails, .*`deploy`.* approve it/,
      /deployment\. Look at the pull request, or reply/,
    ],
  ])('an approval of %s', async (_, checks, line, next) => {
    const [first = '', second = ''] = (await ends(world(checks), { 'fix-attempts': '1' })).words.split('\n')
    expect(first.replace(/; failures went back.*$/, '.')).toMatch(line)
    expect(second.replace('It changes `docs/retries.mdx`. ', '')).toMatch(next)
  })

  test.each<[string, readonly Check[], RegExp]>([
    ['alone', [], /^Resolve the conflict in the pull request, or reply `\/docs resolve the conflict`\.$/],
    [
      'beside a check that passes',
      [{ name: 'cla', kind: 'status' }],
      /^Resolve the conflict .*resolve the conflict`\.$/,
    ],
    [
      'beside a failure',
      [{ name: 'cla', kind: 'status', conclusion: 'failure' }],
      /^Resolve the conflict .*`\. Look at the pull request, or reply `\/docs …` with/,
    ],
  ])('a conflict %s', async (_, checks, next) => {
    const emulator = world(checks, { turn: { change: { conflicts: true } } })
    const [first = '', second = ''] = (await ends(emulator)).words.split('\n')
    expect(first).toMatch(/`merge into main` fails on a conflict/)
    expect(second.replace('It changes `docs/retries.mdx`. ', '')).toMatch(next)
  })
})
