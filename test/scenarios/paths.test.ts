import { expect, test } from 'vitest'
import {
  CODE,
  codeWorld,
  DELIVERED,
  FIRST,
  file,
  happens,
  pushes,
  SECOND,
  saidOf,
} from '../helpers/code-world.ts'
import { DIRECT, type Pushed, pushTo } from '../helpers/push.ts'
import { expectOutcome, ISSUE, type World, world } from '../helpers/world.ts'

// Contract 3.14: which files call for docs.

const PATHS = { paths: 'src/**\n!**/*.test.ts' }
const NOTES = file('notes.md', 'note')
const TESTS = file('src/retry.test.ts', 'tested')
const NONE = 'success: No file changed that `paths` names'

const asked = (emulator: World): number => emulator.prompts().length
const listsOf = (emulator: World): string[] => emulator.calls().filter((call) => /\/files/.test(call))

function changing(...files: readonly ReturnType<typeof file>[]) {
  const emulator = codeWorld()
  emulator.github.push(CODE, { files })
  return emulator
}

test.each<[string, readonly ReturnType<typeof file>[]]>([
  ['no other files', [...FIRST]],
  ['other files, too', [NOTES, ...FIRST, TESTS]],
  ['one that was renamed away', [{ ...file('lib/retry.ts', 'moved'), earlier: 'src/retry.ts' }]],
])('3.14 a pull request that changes a file of `paths`, and %s, is asked', async (_, files) => {
  const emulator = changing(...files)
  expectOutcome(await happens(emulator, 'opened', { inputs: PATHS }), 'pull-request')
  expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
})

test('3.14 4.13 one that changes none asks nothing, and its status is `success` at once', async () => {
  const emulator = changing(NOTES, TESTS)
  const result = await happens(emulator, 'opened', { inputs: PATHS })
  expectOutcome(result, 'skipped', 'no-changes')
  expect(result.log).toContain('No file changed that paths names')
  expect(saidOf(emulator)).toEqual([NONE])
  expect(emulator.calls('service')).toEqual([])
  expect(emulator.bodies(CODE)).toEqual([])
  expectOutcome(await pushes(emulator, { files: [NOTES, TESTS, SECOND] }, { inputs: PATHS }), 'pull-request')
})

test('3.14 3.13 a push that changes only other files is the same request', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'opened', { inputs: PATHS })
  const others = await pushes(emulator, { files: [...FIRST, NOTES], commit: [NOTES] }, { inputs: PATHS })
  expectOutcome(others, 'skipped', 'no-changes')
  expect(saidOf(emulator)).toEqual([DELIVERED])
  expect(asked(emulator)).toBe(1)
})

test.each<[string, Record<string, string>]>([
  ['with the same `paths`', PATHS],
  ['without `paths`', {}],
])('3.14 4.13 a command %s ignores them, and its verdict goes first', async (_, paths) => {
  const emulator = changing(NOTES)
  await happens(emulator, 'opened', { inputs: PATHS })
  const inputs = { ...paths, 'commit-status': 'docs' }
  const { said: _said, ...result } = await emulator.ask('/docs explain', { on: CODE, inputs })
  expectOutcome(result, 'pull-request')
  expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
  const again = await happens(emulator, 'reopened', { inputs: PATHS })
  expectOutcome(again, 'skipped', 'no-changes')
  expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
  emulator.github.push(CODE, { isForced: true, files: [file('notes.md', 'note', 9)] })
  await happens(emulator, 'synchronize', { inputs: PATHS })
  expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
})
const push = (emulator: World, after: string, pushed: Pushed = {}) =>
  pushTo(emulator, after, { files: [SECOND], ...pushed }, { inputs: PATHS })

test('3.14 3.8 of what a push merged, only merges that change a file of `paths` count', async () => {
  const emulator = world()
  const counts = emulator.merge({ title: 'Add retries', files: FIRST, days: 2 })
  const other = emulator.merge({ title: 'Write notes', files: [NOTES], days: 1 })
  const result = await push(emulator, other.sha, { commits: [counts.sha] })
  expectOutcome(result, 'pull-request')
  expect(result.outputs['issue-number']).toBe(String(counts.number))
  expect(emulator.prompts()[0]).toContain('Add retries')
  expect(emulator.prompts()[0]).not.toContain('Write notes')
  const lists = listsOf(emulator)
  expect(lists.filter((call) => call.includes(`/pulls/${other.number}/`))).toHaveLength(1)
  // The prompt shows the files of the one that counts.
  expect(lists.filter((call) => call.includes(`/pulls/${counts.number}/`))).toHaveLength(2)
})

test('3.14 3.8 a push that merged none of them asks nothing, although GitHub has more of them in its comparison', async () => {
  const emulator = world()
  const other = emulator.merge({ files: [NOTES, TESTS] })
  const result = await push(emulator, other.sha)
  expectOutcome(result, 'skipped', 'no-changes')
  expect(result.log).toContain('No file changed that paths names')
  expect(emulator.calls('service')).toEqual([])
})

test('3.14 3.8 a push of other files leaves the docs of a pull request decided, also once it is merged', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'opened', { inputs: PATHS })
  await pushes(emulator, { files: [...FIRST, NOTES], commit: [NOTES] }, { inputs: PATHS })
  emulator.github.closePullRequest(CODE, { merged: true })
  const sha = emulator.github.pull(CODE).mergeCommitSha ?? ''
  expectOutcome(await push(emulator, sha), 'skipped', 'no-changes')
  expect(asked(emulator)).toBe(1)
})

test.each<[string, readonly ReturnType<typeof file>[], boolean]>([
  ['a file of `paths`', [NOTES, SECOND], true],
  ['one that was renamed away', [{ ...NOTES, earlier: 'src/notes.md' }], true],
  ['none', [NOTES, TESTS], false],
  ['as many as GitHub lists', Array.from({ length: 300 }, (_, at) => file(`notes/${at}.md`, 'note')), true],
])('3.14 3.8 a direct push that changes %s', async (_, files, isAsked) => {
  const emulator = world()
  const result = await push(emulator, DIRECT, { files })
  if (isAsked) expectOutcome(result, 'pull-request')
  else expectOutcome(result, 'skipped', 'no-changes')
  expect(asked(emulator)).toBe(isAsked ? 1 : 0)
  expect(listsOf(emulator)).toEqual([])
})

test('3.14 3.10 `changes-since` leaves out the merges that change none; without others, nothing is asked', async () => {
  const emulator = world()
  emulator.merge({ title: 'Write notes', files: [NOTES], days: 3 })
  const inputs = { ...PATHS, 'issue-number': String(ISSUE), 'changes-since': 'last-run' }
  const none = await emulator.refresh(1, inputs)
  expectOutcome(none, 'skipped', 'no-changes')
  expect(none.log).toContain('Nothing that changed a file that paths names was merged into main since ')
  emulator.merge({ title: 'Add retries', files: FIRST, days: 2 })
  expectOutcome(await emulator.refresh(2, inputs), 'pull-request')
  expect(emulator.prompts()[0]).toContain('Add retries')
  expect(emulator.prompts()[0]).not.toContain('Write notes')
})

test('3.14 3.10 what a person asks with `changes-since` is about the merges of all files', async () => {
  const emulator = world()
  emulator.merge({ title: 'Write notes', files: [NOTES], days: 3 })
  emulator.merge({ title: 'Add retries', files: FIRST, days: 2 })
  await emulator.ask('/docs refresh', { inputs: { ...PATHS, 'changes-since': '7d' } })
  expect(emulator.prompts()[0]).toMatch(/: 2\n- #\d+: Add retries\n- #\d+: Write notes\n/)
})
