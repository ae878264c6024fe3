import { describe, expect, test } from 'vitest'
import type { Turn } from '../../emulator/service/turn.ts'
import {
  CODE,
  codeWorld,
  happens,
  INPUTS,
  pulled,
  pushes,
  SECOND_PUSH,
  saidOf,
} from '../helpers/code-world.ts'
import { expectOutcome, READ, type World } from '../helpers/world.ts'

// Contract 5.2, H5: the end of a job ends its last turn. Of an earlier one it says neither red nor green.

const HOUR = 3_600_000
const STATUS = { 'commit-status': 'docs' }
const UNCERTAIN = 'error: Not known whether it was finished: /docs … asks again, or /docs skip'
/** Works until the next request comes. */
const LONG: Turn = { durationMs: 60_000 }
const QUICK: Turn = { reads: 0 }

/** An event whose run does not wait, so that nobody reads the end of its turn. */
const first = async (emulator: World, turn: Turn, inputs = {}) => {
  emulator.service.script.push(turn)
  expectOutcome(await happens(emulator, 'opened', { inputs: { wait: 'false', ...inputs } }), 'started')
}

const message = async (emulator: World, turn: Turn, inputs = {}) => {
  emulator.service.script.push(turn)
  return await emulator.ask('/docs shorten', {
    on: CODE,
    by: 'bob',
    runId: 2,
    inputs: { ...inputs, 'timeout-minutes': '15' },
  })
}

const MESSAGE = { host: 'service', method: 'POST', path: /\/message$/ } as const

/** A message whose run is killed once the job has it, so that nobody reports what was read before it. @param isKnown its record says so */
async function loseMessage(emulator: World, turn: Turn, isKnown = true) {
  emulator.service.script.push(turn)
  const run = emulator.given(emulator.say('/docs shorten', { on: CODE, by: 'bob' }), {
    runId: 2,
    post: false,
  })
  await (isKnown
    ? emulator.interrupted(run, READ, { skip: 1 })
    : emulator.interrupted(run, MESSAGE, { when: 'after' }))
  await emulator.pass(HOUR)
}

/** Who finds the earlier turn over. */
const BY: [string, (emulator: World) => Promise<unknown>][] = [
  ['the run of the later request', async () => {}],
  ['a sweep', (emulator) => emulator.collect()],
  ['another command', (emulator) => emulator.ask('/docs status', { on: CODE, runId: 3 })],
]

describe.each<[string, Turn, Turn]>([
  ['fails', LONG, { ending: 'failed' }],
  ['opens the pull request', LONG, {}],
  ['ends without one', LONG, { pr: 'none' }],
])('a later turn %s', (_, earlier, later) => {
  test.each(BY)(
    'H5 5.2 the head of the earlier one is neither red nor green, and no event pays again, by %s',
    async (by, comes) => {
      const emulator = codeWorld()
      await first(emulator, earlier)
      const waits = by === 'the run of the later request'
      await message(emulator, later, waits ? {} : { wait: 'false' })
      await emulator.pass(HOUR)
      await comes(emulator)
      await emulator.collect()
      expect(saidOf(emulator).at(-1)).toBe(UNCERTAIN)
      expect(emulator.bodies(CODE).join()).toContain(
        'It is not known whether the docs agent finished this request',
      )
      for (const action of ['labeled', 'synchronize', 'reopened'])
        expectOutcome(await happens(emulator, action), 'skipped', 'no-changes')
      expect(emulator.promptCounts()).toEqual([2])
      expect(saidOf(emulator).at(-1)).toBe(UNCERTAIN)
      expectOutcome(
        await emulator.ask('/docs explain it', { on: CODE, runId: 7, inputs: STATUS }),
        'pull-request',
      )
      expect(saidOf(emulator).at(-1)).toBe('success: octo/docs#77')
    },
  )
})

const LATER: Turn[] = [{ ending: 'failed' }, {}, { pr: 'none' }]

test.each(LATER)(
  'H5 5.2 a turn that surely opened the pull request keeps it, whatever a later one does: %j',
  async (later) => {
    const emulator = codeWorld()
    await first(emulator, QUICK)
    await emulator.pass(HOUR)
    await loseMessage(emulator, later)
    await emulator.collect()
    expect(saidOf(emulator).at(-1)).toBe('success: octo/docs#77')
    expect(emulator.promptCounts()).toEqual([2])
    expectOutcome(await happens(emulator, 'labeled'), 'skipped', 'no-changes')
  },
)

test.each(LATER)('H5 5.2 nor is a turn said to have opened what the one before it had: %j', async (later) => {
  const emulator = codeWorld()
  emulator.service.script.push(QUICK, LONG)
  expectOutcome(await happens(emulator, 'opened'), 'pull-request')
  await pushes(emulator, SECOND_PUSH, { inputs: { wait: 'false' } })
  await message(emulator, later, { wait: 'false' })
  await emulator.pass(HOUR)
  await emulator.collect()
  await emulator.collect()
  expect(saidOf(emulator).at(-1)).toBe(UNCERTAIN)
})

test.each(LATER)(
  'H5 5.2 with `fix-attempts`, checks that a sweep cannot read are no verdict: %j',
  async (later) => {
    const emulator = codeWorld()
    emulator.service.script.push(QUICK)
    const inputs = { ...INPUTS, 'fix-attempts': '1' }
    const run = emulator.given(pulled(emulator, 'opened'), { post: false, inputs })
    await emulator.interrupted(run, READ)
    await emulator.pass(2 * HOUR)
    await loseMessage(emulator, later)
    await emulator.collect()
    expect(saidOf(emulator).at(-1)).toMatch(/^pending: octo\/docs#77, whose checks could not be read/)
  },
)

test.each([1, 2, 3])(
  'H5 5.2 a re-run of the earlier request says so, attempt after attempt (%i)',
  async (times) => {
    const emulator = codeWorld()
    emulator.service.script.push(LONG)
    const { said } = await emulator.ask('/docs explain', { on: CODE, inputs: { ...STATUS, wait: 'false' } })
    await message(emulator, { ending: 'failed' }, { wait: 'false' })
    await emulator.pass(HOUR)
    for (let attempt = 2; attempt < 2 + times; attempt += 1)
      expectOutcome(await emulator.act(said, { attempt, inputs: STATUS }), 'error', 'end-uncertain')
    expect(emulator.promptCounts()).toEqual([2])
    expect(saidOf(emulator).at(-1)).toBe(UNCERTAIN)
  },
)

const EARLIER: [string, Turn, string][] = [
  ['opened the pull request', LONG, 'success: octo/docs#77'],
  ['opened none', { ...LONG, pr: 'none' }, 'success: The docs agent opened no pull request'],
  ['failed', { ...LONG, ending: 'failed' }, 'failure: The docs agent failed'],
]

/** bob's run is lost so soon that it can tell nothing of the job. */
const LOST = [
  ['the job has the message', { match: MESSAGE, when: 'after' }],
  ['it is not known whether the job has it', { match: MESSAGE, when: 'before' }],
] as const

describe.each(EARLIER)('H5 5.2 a sweep reads the end of a turn that %s', (_, earlier, says) => {
  for (const [name, { match: struck, when }] of LOST)
    for (const ms of [3000, 8000])
      test(`another request comes ${ms} ms later, and ${name}: what was read is the end of the last turn`, async () => {
        const emulator = codeWorld()
        await first(emulator, earlier)
        await emulator.pass(HOUR)
        const call = async () => {
          await emulator.pass(ms)
          emulator.service.script.push({ durationMs: HOUR })
          const said = emulator.say('/docs shorten', { on: CODE, by: 'bob' })
          await emulator.interrupted(emulator.given(said, { runId: 2, post: false }), struck, { when })
        }
        // The sweep has read the job, and looks at the thread once more before it writes.
        const match = { method: 'GET', path: /\/issues\/30\/comments$/ }
        emulator.faults.add({ match, fault: { kind: 'call', when: 'before', call } })
        await emulator.collect()
        expect(saidOf(emulator).at(-1)).toContain(says)
        expect(emulator.bodies(CODE).join()).not.toContain('not known whether the docs agent finished')
      })
})

test.each(LATER)(
  'H5 5.2 a message that the job may have makes the end before it no surer: %j',
  async (later) => {
    const emulator = codeWorld()
    await first(emulator, { ...QUICK, pr: 'none' })
    await emulator.pass(HOUR)
    await loseMessage(emulator, later, false)
    await emulator.collect()
    await emulator.collect()
    expect(saidOf(emulator).at(-1)).toBe(UNCERTAIN)
  },
)

test.each<[string, Turn, string]>([
  ['opened the pull request', {}, 'success: octo/docs#77'],
  ['opened none', { pr: 'none' }, 'success: The docs agent opened no pull request'],
  ['failed', { ending: 'failed' }, 'failure: The docs agent failed'],
])('H5 5.2 a turn that was read before the next one keeps its end: it %s', async (_, earlier, says) => {
  const emulator = codeWorld()
  await first(emulator, { ...QUICK, ...earlier })
  await emulator.pass(HOUR)
  await message(emulator, {})
  expect(saidOf(emulator).at(-1)).toBe(says)
})
