import { expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import { MESSAGE } from '../helpers/checked-world.ts'
import { CODE, closes, codeWorld, happens, INPUTS, pulled, SECOND_PUSH } from '../helpers/code-world.ts'
import { expectOutcome, type World } from '../helpers/world.ts'

// Contract 3.13: a merge whose last changes may have gone out with a run that was lost.

const HOUR = 3_600_000
const LOST: Fault = { kind: 'reset' }
const TAKEN: Fault = { kind: 'reset', when: 'after' }

/** The run of the second push is lost with its host while its message goes out. */
async function lose(emulator: World, fault: Fault): Promise<void> {
  await happens(emulator, 'opened')
  emulator.github.push(CODE, SECOND_PUSH)
  const run = emulator.given(pulled(emulator, 'synchronize'), { runId: 50, post: false, inputs: INPUTS })
  await emulator.interrupted(run, MESSAGE, { fault })
}

test.each<[string, Fault, number]>([
  ['an hour later', LOST, HOUR],
  ['an hour later, where the agent has them', TAKEN, HOUR],
  ['once no run holds them any more', LOST, 181_000],
])(
  'H7 3.13 merged %s: the end of the code does not say that the agent works on it, nor that it has it',
  async (_, fault, ms) => {
    const emulator = codeWorld({ docsRepository: 'octo/app' })
    await lose(emulator, fault)
    await emulator.pass(ms)
    const closed = await closes(emulator, true)
    expectOutcome(closed, 'skipped', 'no-changes')
    expect(closed.summary).toContain('It is not known whether the docs agent got the changes')
    expect(emulator.bodies(77).join('\n')).not.toMatch(/still works on it|documents it/)
    expect(emulator.bodies(CODE).join('\n')).toContain('It is not known whether the job')
  },
)

test('H7 3.13 merged while the message is on its way: the agent works on it', async () => {
  const emulator = codeWorld({ docsRepository: 'octo/app' })
  await lose(emulator, LOST)
  const closed = await closes(emulator, true)
  expectOutcome(closed, 'skipped', 'pull-request-closed')
  expect(emulator.bodies(77).at(-1)).toContain('still works on it')
})

test('H7 3.13 merged into another branch than the default one: it is not known whether the agent lacks them', async () => {
  const emulator = codeWorld({ docsRepository: 'octo/app' })
  Object.assign(emulator.github.pull(CODE).base, { ref: 'next' })
  await lose(emulator, LOST)
  await emulator.pass(HOUR)
  const closed = await closes(emulator, true)
  expectOutcome(closed, 'skipped', 'pull-request-closed')
  expect(closed.summary).toContain('and it is not known whether the docs agent got its last changes.')
  expect(emulator.bodies(77).join('\n')).not.toMatch(/lacks its last changes|still works/)
})
