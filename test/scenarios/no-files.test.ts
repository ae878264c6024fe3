import { expect, test } from 'vitest'
import {
  CODE,
  closes,
  codeWorld,
  DELIVERED,
  FIRST,
  happens,
  INPUTS,
  pulled,
  pushes,
  saidOf,
} from '../helpers/code-world.ts'
import { expectOutcome, type World } from '../helpers/world.ts'

// Contract 3.8: a pull request that changes no file has nothing to document.

const NONE = 'success: No file changed'
const GONE = 'pending: octo/app#77 documents what is gone: close it and re-run, or /docs …, /docs skip'
const STATUS = { 'commit-status': 'docs' }
const PATHS = { inputs: { paths: 'src/**' } }
const world = () => codeWorld({ docsRepository: 'octo/app' })
const emptied = (emulator: World, more = {}) => pushes(emulator, { isForced: true, files: [] }, more)

test.each([
  ['opened', {}],
  ['ready_for_review', {}],
  ['reopened', {}],
  ['labeled', PATHS],
])('3.8 4.13 without files, `%s` asks nothing, and is green', async (action, more) => {
  const emulator = world()
  emulator.github.push(CODE, { files: [] })
  expectOutcome(await happens(emulator, action, more), 'skipped', 'no-changes')
  expect(emulator.calls('service')).toEqual([])
  expect(saidOf(emulator)).toEqual([NONE])
  expect(emulator.bodies(CODE)).toEqual([])
})

test.each([
  ['', {}],
  [' with `paths`', PATHS],
])('3.8 4.13 a push takes back what the docs describe%s: pending until a person decides', async (_, more) => {
  const emulator = world()
  await happens(emulator, 'labeled', more)
  expectOutcome(await emptied(emulator, more), 'skipped', 'no-changes')
  expect(emulator.prompts()).toHaveLength(1)
  expect(saidOf(emulator)).toEqual([GONE])
})

test.each([
  ['in a private repository', 'octo/docs', undefined],
  ['that GitHub does not show', 'octo/app', 404],
  ['that the token may not read', 'octo/app', 403],
])('3.8 4.13 and so it is where the docs are in a pull request %s', async (_, docsRepository, status) => {
  const emulator = codeWorld({ docsRepository })
  await happens(emulator, 'labeled')
  const match = { method: 'GET', path: /\/pulls\/77$/ }
  if (status !== undefined) emulator.faults.add({ match, times: 9, fault: { kind: 'status', status } })
  expectOutcome(await emptied(emulator), 'skipped', 'no-changes')
  expect(saidOf(emulator)).toEqual([GONE.replace('octo/app', docsRepository)])
})

test.each<[string, (emulator: World) => Promise<unknown>, string]>([
  [
    'closes the docs, and re-runs',
    async (emulator) => {
      emulator.github.closePullRequest(77)
      await happens(emulator, 'synchronize', { runId: 91, attempt: 2 })
    },
    NONE,
  ],
  [
    'merges the docs, and re-runs',
    async (emulator) => {
      emulator.github.closePullRequest(77, { merged: true })
      await happens(emulator, 'synchronize', { runId: 91, attempt: 2 })
    },
    NONE,
  ],
  [
    'skips',
    (emulator) => emulator.ask('/docs skip', { on: CODE, inputs: STATUS }),
    'success: Skipped by alice',
  ],
  [
    'uses a command',
    (emulator) => emulator.ask('/docs revert it', { on: CODE, inputs: STATUS }),
    'success: octo/app#77',
  ],
  [
    'brings the changes back',
    (emulator) => pushes(emulator, { isForced: true, files: FIRST }),
    'success: octo/app#77',
  ],
])('4.13 a push took back what the docs describe, and then a person %s', async (_, act, said) => {
  const emulator = world()
  await happens(emulator, 'labeled')
  await emptied(emulator, { runId: 91 })
  await act(emulator)
  expect(saidOf(emulator).at(-1)).toBe(said)
})

test('4.13 what a command decided stays, where the next event changes no file either', async () => {
  const emulator = world()
  await happens(emulator, 'labeled')
  await emptied(emulator)
  await emulator.ask('/docs revert it', { on: CODE, inputs: STATUS })
  expectOutcome(await happens(emulator, 'edited'), 'skipped', 'no-changes')
  expect(saidOf(emulator).at(-1)).toBe('success: octo/app#77')
})

test('3.4 a bot takes back what the docs describe: it is the same', async () => {
  const emulator = world()
  await happens(emulator, 'labeled')
  expectOutcome(await emptied(emulator, { by: 'renovate[bot]' }), 'skipped', 'bot')
  expect(saidOf(emulator)).toEqual([GONE])
})

test.each([true, false])(
  '3.8 the end of a pull request without files asks nothing (merged: %j)',
  async (merged) => {
    const emulator = world()
    emulator.github.push(CODE, { files: [] })
    expectOutcome(await closes(emulator, merged), 'skipped', merged ? 'no-changes' : 'pull-request-closed')
    expect(emulator.calls('service')).toEqual([])
  },
)

test('3.13 a list of files that GitHub cut is not empty', async () => {
  const emulator = codeWorld()
  const match = { method: 'GET', path: /\/pulls\/30\/files$/ }
  emulator.faults.add({ match, fault: { kind: 'status', status: 200, body: [] } })
  expectOutcome(await emulator.act(pulled(emulator, 'opened'), { inputs: INPUTS }), 'pull-request')
  expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
})
