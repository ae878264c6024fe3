import { expect, test } from 'vitest'
import {
  CODE,
  codeWorld,
  DELIVERED,
  FIRST,
  file,
  happens,
  pushes,
  SECOND_PUSH,
  saidOf,
} from '../helpers/code-world.ts'
import { CREATE, expectOutcome, type World } from '../helpers/world.ts'

// Contract 3.13 and 4.13: the verdict belongs to the changes, not to the request that came last.

const OTHER = [file('src/retry.ts', 'another')]

const goesBack = (emulator: World): Promise<unknown> => pushes(emulator, { isForced: true, files: FIRST })

test('3.13 who goes back to changes that were decided gets their verdict back, not that of others', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  emulator.service.script.push({ ending: 'failed' })
  expectOutcome(await pushes(emulator, { isForced: true, files: OTHER }), 'failed')
  expectOutcome(await pushes(emulator, { isForced: true, files: FIRST }), 'skipped', 'no-changes')
  expect(saidOf(emulator)).toEqual([DELIVERED])
  expect(emulator.prompts()).toHaveLength(2)
})

test('3.13 a command decides the changes that it found: its verdict goes along with a rebase', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  emulator.service.script.push({ ending: 'failed' })
  expectOutcome(
    await emulator.ask('/docs shorter', { on: CODE, inputs: { 'commit-status': 'docs' } }),
    'failed',
  )
  await goesBack(emulator)
  expect(saidOf(emulator)).toEqual(['failure: The docs agent failed'])
})

test('3.13 8.3 the end of a command goes to the head to which a rebase moved what it found, and to no other', async () => {
  for (const [files, expected] of [
    [FIRST, [DELIVERED]],
    [OTHER, []],
  ] as const) {
    const emulator = codeWorld()
    emulator.service.script.push({ reads: 1 })
    const inputs = { 'commit-status': 'docs', wait: 'false' }
    expectOutcome(await emulator.ask('/docs explain', { on: CODE, inputs }), 'started')
    emulator.github.push(CODE, { isForced: true, files })
    for (let sweeps = 0; sweeps < 3; sweeps += 1) await emulator.collect()
    expect(saidOf(emulator)).toEqual(expected)
  }
})

const ON = { on: CODE, inputs: { 'commit-status': 'docs', wait: 'false' } }

test('3.13 8.3 a head that a second rebase brought is pending where a later command works on the same changes', async () => {
  const emulator = codeWorld()
  emulator.service.script.push({ reads: 1 }, { ending: 'active-forever' })
  expectOutcome(await emulator.ask('/docs explain', ON), 'started')
  emulator.github.push(CODE, { isForced: true, files: FIRST })
  expectOutcome(await emulator.ask('/docs new shorter', { ...ON, by: 'bob' }), 'started')
  emulator.github.push(CODE, { isForced: true, files: FIRST })
  for (let sweeps = 0; sweeps < 3; sweeps += 1) await emulator.collect()
  expect(saidOf(emulator)).toEqual(['pending: The docs agent is working'])
})

test.each([403, 404, 410])(
  '4.13 a pull request that cannot be read at the end (%i) costs only the head of another',
  async (status) => {
    const emulator = codeWorld()
    const call = () => {
      const match = { method: 'GET', path: /\/pulls\/30$/ }
      emulator.faults.add({ match, times: Infinity, fault: { kind: 'status', status } })
    }
    emulator.faults.add({ match: CREATE, fault: { kind: 'call', when: 'after', call } })
    expectOutcome(await happens(emulator, 'labeled'), 'pull-request')
    expect(saidOf(emulator)).toEqual(['pending: The docs agent is working', DELIVERED])
  },
)

test('4.13 the verdict of a later command keeps its words', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'opened')
  emulator.faults.add({ match: { host: 'service', method: 'POST' }, fault: { kind: 'status', status: 402 } })
  const inputs = { 'commit-status': 'docs' }
  await emulator.ask('/docs more', { on: CODE, by: 'bob', runId: 2, inputs })
  await happens(emulator, 'labeled')
  expect(saidOf(emulator).at(-1)).toContain('No credits')
})

test('3.13 4.13 after a new job of a command, the changes keep the pull request of theirs, and the new job gets all of them', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'opened')
  await emulator.ask('/docs new other', { on: CODE, by: 'bob', runId: 2 })
  await happens(emulator, 'labeled')
  expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
  await pushes(emulator, SECOND_PUSH)
  expect(emulator.prompts().at(-1)).toContain('first')
})
