import { expect, test } from 'vitest'
import type { RunResult } from '../../emulator/runner.ts'
import {
  CODE,
  closes,
  codeWorld,
  FIRST,
  happens,
  pushes,
  SECOND_PUSH,
  saidOf,
} from '../helpers/code-world.ts'
import { expectOutcome, ISSUE, ownWorld, type World } from '../helpers/world.ts'

// Contract 3.13, 3.9: without a memory-key, a new API key leaves records that it does not verify. Nothing is paid twice for it.

/** What signed at first; later runs have the key of now alone. */
const OLD = { 'memory-key': 'the-api-key-of-then' }
const OLD_INPUTS = { inputs: OLD }
const NOT_KNOWN = 'pending: Not known: the API key has changed. /docs … asks'
const asked = (emulator: World): number => emulator.prompts().length

test.each<[string, (emulator: World) => Promise<RunResult>]>([
  ['a push', (emulator) => pushes(emulator, SECOND_PUSH)],
  ['a rebase', (emulator) => pushes(emulator, { isForced: true, files: FIRST })],
  ['a label', (emulator) => happens(emulator, 'labeled')],
])('3.13 after a new API key, %s asks nothing, and a person decides', async (_, comes) => {
  const emulator = codeWorld()
  await happens(emulator, 'opened', OLD_INPUTS)
  expectOutcome(await comes(emulator), 'skipped', 'no-changes')
  expect(asked(emulator)).toBe(1)
  expect(saidOf(emulator).at(-1)).toBe(NOT_KNOWN)
  const inputs = { 'commit-status': 'docs' }
  expectOutcome(await emulator.ask('/docs explain', { on: CODE, inputs }), 'pull-request')
  expect(saidOf(emulator).at(-1)).toBe('success: octo/docs#78')
  expectOutcome(
    await pushes(emulator, { files: [...FIRST, { filename: 'src/third.ts', patch: '+third' }] }),
    'pull-request',
  )
  expect(asked(emulator)).toBe(3)
})

test('3.13 after a new API key, the merge asks nothing', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'opened', OLD_INPUTS)
  emulator.github.push(CODE, SECOND_PUSH)
  expectOutcome(await closes(emulator, true), 'skipped', 'no-changes')
  expect(asked(emulator)).toBe(1)
})

test('3.13 records of another project are no reason to wait', async () => {
  const emulator = codeWorld({ otherProjects: ['guides'] })
  await happens(emulator, 'opened', { inputs: { 'project-id': 'guides', ...OLD } })
  expectOutcome(await happens(emulator, 'opened'), 'pull-request')
})

test('3.13 with a memory-key, nothing is forgotten', async () => {
  const emulator = codeWorld()
  const memory = { 'memory-key': 'sixteen-characters-long' }
  await happens(emulator, 'opened', { inputs: memory })
  expectOutcome(await pushes(emulator, SECOND_PUSH, { inputs: memory }), 'pull-request')
  expect(emulator.promptCounts()).toEqual([2])
})

test.each([
  ['an event', (emulator: World) => happens(emulator, 'opened', { runId: 90, attempt: 2 }), CODE],
] as const)(
  'H1 4.3 a re-run of %s after a new API key asks nothing before a person has looked',
  async (_, comes, on) => {
    const emulator = codeWorld()
    await happens(emulator, 'opened', { runId: 90, ...OLD_INPUTS })
    expectOutcome(await comes(emulator), 'error', 'creation-uncertain')
    expect(asked(emulator)).toBe(1)
    expect(emulator.written(on).length).toBeGreaterThan(0)
  },
)

test('H1 4.3 a re-run of a command after a new API key asks nothing before a person has looked', async () => {
  const emulator = ownWorld()
  const { said } = await emulator.ask('/docs explain', OLD_INPUTS)
  const again = (attempt: number) => emulator.act(said, { attempt })
  expectOutcome(await again(2), 'error', 'creation-uncertain')
  expect(asked(emulator)).toBe(1)
  expectOutcome(await again(3), 'pull-request')
  expect(asked(emulator)).toBe(2)
  expect(emulator.bodies(ISSUE).length).toBeGreaterThan(0)
})

test('3.9 a schedule whose open issue another key signed opens no second one, and pays nothing', async () => {
  const emulator = ownWorld()
  const inputs = { 'issue-title': 'Refresh' }
  expectOutcome(await emulator.refresh(1, { 'issue-title': 'Refresh', ...OLD }), 'pull-request')
  const result = await emulator.refresh(2, inputs)
  expectOutcome(result, 'error', 'bad-input')
  expect(result.log).toMatch(
    /The API key has changed, so issue #13 does not tell since when\. A comment \/docs … there asks/,
  )
  expect(asked(emulator)).toBe(1)
  expect(emulator.calls().filter((call) => call === 'POST /repos/octo/app/issues')).toHaveLength(1)
  expectOutcome(await emulator.ask('/docs go on', { on: 13 }), 'pull-request')
  const third = await emulator.refresh(3, inputs)
  expectOutcome(third, 'pull-request')
  expect(third.outputs['issue-number']).toBe('13')
})

test('3.9 closed by a person, it starts afresh', async () => {
  const emulator = ownWorld()
  await emulator.refresh(1, { 'issue-title': 'Refresh', ...OLD })
  emulator.github.editIssue(13, { state: 'closed' })
  const { outputs } = await emulator.refresh(2, { 'issue-title': 'Refresh' })
  expect(outputs).toMatchObject({ outcome: 'pull-request', 'job-action': 'created' })
  expect(outputs['issue-number']).not.toBe('13')
})

const COMES: [string, (emulator: World) => Promise<RunResult>][] = [
  ['a push', (emulator) => pushes(emulator, SECOND_PUSH)],
  ['a label', (emulator) => happens(emulator, 'labeled')],
  [
    'the merge',
    (emulator) => {
      emulator.github.push(CODE, SECOND_PUSH)
      return closes(emulator, true)
    },
  ],
]

test.each(COMES)('3.13 nor does %s where a personal token writes the comments', async (_, comes) => {
  const emulator = codeWorld({ tokenLogin: 'carol' })
  await happens(emulator, 'opened', OLD_INPUTS)
  expectOutcome(await comes(emulator), 'skipped', 'no-changes')
  expect(asked(emulator)).toBe(1)
})

test.each(COMES)('3.13 H3 a record that a stranger copied keeps %s from nothing', async (_, comes) => {
  const other = codeWorld()
  await happens(other, 'opened', OLD_INPUTS)
  const body = other.bodies(CODE)[0] ?? ''
  expect(body).toContain('<!-- docs-agent')
  const emulator = codeWorld({ tokenLogin: 'carol' })
  emulator.github.addComment(CODE, { login: 'mona', body })
  expectOutcome(await comes(emulator), 'pull-request')
})
