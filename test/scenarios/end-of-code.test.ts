import { describe, expect, test } from 'vitest'
import type { NewPullRequest, NewPush } from '../../emulator/github/new.ts'
import {
  CODE,
  closes,
  codeWorld,
  FIRST,
  file,
  happens,
  INPUTS,
  pulled,
  SECOND,
  SECOND_PUSH,
  THIRD_PUSH,
} from '../helpers/code-world.ts'
import { pushTo } from '../helpers/push.ts'
import { CREATE, expectOutcome, type World } from '../helpers/world.ts'

// Contract 3.13: what is said at the end of the code is true.

const world = (pull: NewPullRequest = {}) => {
  const emulator = codeWorld({ docsRepository: 'octo/app' })
  emulator.github.addPullRequest({ number: 31, user: 'alice', files: FIRST, ...pull })
  return emulator
}
const told = (emulator: World): string[] =>
  emulator
    .bodies(77)
    .filter((body) => /is merged|was closed/.test(body))
    .map((body) => body.split('\n')[0] ?? '')
const of31 = (emulator: World, action: string, more = {}) =>
  emulator.act(pulled(emulator, action, 'alice', 31), { runId: 600, inputs: INPUTS, ...more })
const merges31 = (emulator: World, more = {}) => {
  emulator.github.closePullRequest(31, { merged: true })
  return of31(emulator, 'closed', { runId: 601, ...more })
}

describe('what the agent never got is asked at the merge, and sent as what changed since', () => {
  test.each<[string, (emulator: World) => Promise<unknown>]>([
    [
      'commits of a formatter, of which GitHub tells no workflow',
      async ({ github }) => github.push(CODE, { ...SECOND_PUSH, withWorkflowToken: true }),
    ],
    [
      'a push of a bot that is not listed',
      async (emulator) => {
        emulator.github.push(CODE, { ...SECOND_PUSH, by: 'pre-commit-ci[bot]' })
        await happens(emulator, 'synchronize', { by: 'pre-commit-ci[bot]' })
      },
    ],
    [
      'a push that met an empty account',
      async (emulator) => {
        emulator.github.push(CODE, SECOND_PUSH)
        emulator.faults.add({
          match: { host: 'service', method: 'POST' },
          fault: { kind: 'status', status: 402 },
        })
        expectOutcome(await happens(emulator, 'synchronize'), 'error', 'payment-required')
      },
    ],
  ])('3.13 %s', async (_, comes) => {
    const emulator = world()
    await happens(emulator, 'opened')
    await comes(emulator)
    expectOutcome(await closes(emulator, true), 'pull-request')
    expect(emulator.promptCounts()).toEqual([2])
    expect(emulator.prompts().at(-1)).toContain('+second')
    expect(emulator.prompts().at(-1)).not.toContain('+first')
    expect(told(emulator)).toEqual([])
  })

  test('3.13 a re-run of the merge asks it once', async () => {
    const emulator = world()
    await happens(emulator, 'opened')
    emulator.github.push(CODE, SECOND_PUSH)
    await closes(emulator, true, { runId: 700 })
    expectOutcome(await happens(emulator, 'closed', { runId: 700, attempt: 2 }), 'pull-request')
    expect(emulator.promptCounts()).toEqual([2])
  })

  test('3.13 an earlier job that failed is not asked again by the merge', async () => {
    const emulator = world()
    emulator.service.script.push({ ending: 'failed' })
    await happens(emulator, 'opened')
    expectOutcome(await closes(emulator, true), 'skipped', 'no-changes')
    expect(told(emulator)).toEqual([])
  })
})

describe('the branch is named', () => {
  test.each([
    [
      'main',
      'octo/app#30 is merged into `main`. This pull request documents it: you can merge this one now.',
    ],
  ])('3.13 merged into %s', async (_, words) => {
    const emulator = world()
    await happens(emulator, 'opened')
    expectOutcome(await closes(emulator, true), 'skipped', 'pull-request-closed')
    expect(told(emulator)).toEqual([words])
  })

  test.each(['develop', 'release/1.x', 'alice/layer-1'])('3.13 merged into %s', async (baseRef) => {
    const emulator = world({ baseRef })
    await of31(emulator, 'opened')
    expectOutcome(await merges31(emulator), 'skipped', 'pull-request-closed')
    expect(told(emulator)).toEqual([
      `octo/app#31 is merged into \`${baseRef}\`. This pull request documents it: merge this one when readers get that branch.`,
    ])
  })

  test('3.13 merged into another branch without its last commits: that is said, and nothing asked', async () => {
    const emulator = world({ baseRef: 'develop' })
    await of31(emulator, 'opened')
    emulator.github.push(31, { files: [...FIRST, SECOND], commit: [SECOND] })
    const result = await merges31(emulator)
    expectOutcome(result, 'skipped', 'pull-request-closed')
    expect(told(emulator)).toEqual([
      'octo/app#31 is merged into `develop`. This pull request lacks its last changes: comment `/docs …` in octo/app#31 to add them.',
    ])
    expect(result.log).toContain('which is not the default branch, and the docs agent lacks its last changes')
    expect(emulator.prompts()).toHaveLength(1)
  })

  test('3.13 merged into another branch, and never asked about: a person may', async () => {
    const emulator = world({ baseRef: 'develop' })
    const result = await merges31(emulator)
    expectOutcome(result, 'skipped', 'pull-request-closed')
    expect(result.log).toContain('A comment /docs … sends them')
    expect(emulator.calls('service')).toEqual([])
  })
})

test.each<[string, (emulator: World) => Promise<unknown>, boolean]>([
  ['an event asked for them', (emulator) => happens(emulator, 'opened'), true],
  [
    'a command asked, and its status',
    (emulator) => emulator.ask('/docs x', { on: CODE, inputs: INPUTS }),
    true,
  ],
  ['a command asked for something else', (emulator) => emulator.ask('/docs x', { on: CODE }), false],
])('3.13 closed: the run names the docs where %s', async (_, comes, isNamed) => {
  const emulator = world()
  await comes(emulator)
  const result = await closes(emulator, false)
  expectOutcome(result, 'skipped', 'pull-request-closed')
  expect(/octo\/app#77 \(\S+\) documents it\./.test(result.log)).toBe(isNamed)
  expect(result.outputs['pr-link']).toBe(isNamed ? 'https://github.com/octo/app/pull/77' : '')
})

test('3.13 merged while the agent works: nobody is told to merge the docs now', async () => {
  const emulator = world()
  await happens(emulator, 'opened')
  emulator.github.push(CODE, SECOND_PUSH)
  emulator.service.script.push({ reads: 9 })
  await happens(emulator, 'synchronize', { inputs: { wait: 'false' } })
  expectOutcome(await closes(emulator, true), 'skipped', 'pull-request-closed')
  expect(told(emulator)).toEqual([
    'octo/app#30 is merged into `main`. The docs agent still works on it: merge this one once it has ended.',
  ])
})

test('3.8 3.13 the push of the same merge leaves what the agent lacks to the workflow of its events', async () => {
  const emulator = world()
  await happens(emulator, 'opened')
  emulator.github.push(CODE, SECOND_PUSH)
  emulator.github.closePullRequest(CODE, { merged: true })
  const sha = emulator.github.pull(CODE).mergeCommitSha ?? ''
  const more = { workflow: 'Merged', inputs: { 'issue-title': 'Merges' } }
  expectOutcome(await pushTo(emulator, sha, {}, more), 'skipped', 'no-changes')
  expectOutcome(await happens(emulator, 'closed'), 'pull-request')
  expect(emulator.promptCounts()).toEqual([2])
})

test('3.13 closed, reopened and merged: each end is told, once', async () => {
  const emulator = world()
  await happens(emulator, 'opened')
  await closes(emulator, false)
  emulator.github.editIssue(CODE, { state: 'open' })
  await happens(emulator, 'reopened')
  await emulator.pass(60_000)
  await closes(emulator, true)
  expect(told(emulator)).toHaveLength(2)
  expect(emulator.prompts()).toHaveLength(1)
})

test('3.13 retargeted before its merge: the branch of then counts', async () => {
  const emulator = world({ baseRef: 'alice/layer-1' })
  await of31(emulator, 'opened')
  emulator.github.pull(31).base = { ...emulator.github.pull(31).base, ref: 'main' }
  await merges31(emulator)
  expect(told(emulator)[0]).toContain(
    'into `main`. This pull request documents it: you can merge this one now',
  )
})

test('3.13 forced back to what the agent had: nothing is lacking', async () => {
  const emulator = world()
  await happens(emulator, 'opened')
  emulator.github.push(CODE, { isForced: true, files: [file('src/other.ts', 'x')] })
  await happens(emulator, 'synchronize')
  emulator.github.push(CODE, { isForced: true, files: FIRST })
  expectOutcome(await closes(emulator, true), 'skipped', 'pull-request-closed')
  expect(emulator.prompts()).toHaveLength(2)
})

test('H1 3.13 after a lost answer about the same changes, the merge asks nothing', async () => {
  const emulator = world()
  emulator.faults.add({ match: CREATE, fault: { kind: 'reset', when: 'after' } })
  await happens(emulator, 'opened')
  expectOutcome(await closes(emulator, true), 'skipped', 'no-changes')
  expect(emulator.prompts()).toHaveLength(1)
})

describe('the head moves while a merge is read', () => {
  /** Between the head and the list of files. */
  const moves = (emulator: World, push: NewPush) => {
    const call = () => void emulator.github.push(CODE, push)
    emulator.faults.add({ match: { method: 'GET', path: /\/files$/ }, fault: { kind: 'call', call } })
  }
  const MOVES: [string, NewPush][] = [
    ['by one more file', SECOND_PUSH],
    ['to other lines of the same file', { isForced: true, files: [file('src/retry.ts', 'another')] }],
    ['to no file', { isForced: true, files: [] }],
  ]

  test.each(MOVES)('3.13 %s: what the agent has of the merged head counts', async (_, push) => {
    const emulator = world()
    await happens(emulator, 'opened')
    moves(emulator, push)
    expectOutcome(await closes(emulator, true), 'skipped', 'pull-request-closed')
    expect(told(emulator)).toEqual([
      'octo/app#30 is merged into `main`. This pull request documents it: you can merge this one now.',
    ])
    expect(emulator.promptCounts()).toEqual([1])
  })

  test.each(MOVES)('3.13 %s: what it lacks is not said to be documented', async (_, push) => {
    const emulator = world()
    await happens(emulator, 'opened')
    emulator.github.push(CODE, { ...THIRD_PUSH, withWorkflowToken: true })
    moves(emulator, push)
    await closes(emulator, true)
    expect(told(emulator)).toEqual([])
  })
})
