import { expect, test } from 'vitest'
import { CODE, codeWorld, headOf, INPUTS, pulled, SECOND_PUSH } from '../helpers/code-world.ts'
import { CREATE, expectOutcome } from '../helpers/world.ts'

// Contract 3.13: one reusable workflow, called twice, makes two steps of jobs with one name.

const NO_CREDITS = { kind: 'status', status: 402, body: { error: 'no credits' } } as const
const MESSAGE = { ...CREATE, path: /\/message$/ }

test.each([
  ['its prompt', { prompt: 'Write its changelog.' }],
  ['its commit status', { 'commit-status': 'changelog' }],
  ['its guidelines', { guidelines: 'Write a changelog.' }],
])(
  'H5 3.13 two calls that differ in %s: what one of them could not ask goes along with its next push',
  async (_, more) => {
    const emulator = codeWorld()
    const call = async (action: string, runId: number, inputs = {}) =>
      await emulator.act(pulled(emulator, action), { runId, inputs: { ...INPUTS, ...inputs } })
    emulator.faults.add({ match: MESSAGE, fault: NO_CREDITS })
    expectOutcome(await call('opened', 700), 'pull-request')
    expectOutcome(await call('opened', 700, more), 'error', 'payment-required')
    emulator.github.push(CODE, SECOND_PUSH)
    expectOutcome(await call('synchronize', 701, more), 'pull-request')
    expect(emulator.prompts().at(-1)).toContain('+first')
    expectOutcome(await call('synchronize', 701), 'pull-request')
    expect(emulator.prompts().at(-1), 'the other call has the first push').not.toContain('+first')
  },
)

test('3.4 3.13 a push of a bot is pending also where each push has a prompt of its own', async () => {
  const emulator = codeWorld()
  const prompt = () => `Document ${headOf(emulator)}.`
  const inputs = { ...INPUTS, prompt: prompt() }
  expectOutcome(await emulator.act(pulled(emulator, 'opened'), { runId: 700, inputs }), 'pull-request')
  emulator.github.push(CODE, SECOND_PUSH)
  const event = pulled(emulator, 'synchronize', 'format[bot]')
  const sender = { login: 'format[bot]', type: 'Bot' }
  const bots = { ...event, payload: { ...event.payload, sender } }
  expectOutcome(
    await emulator.act(bots, { runId: 701, inputs: { ...inputs, prompt: prompt() } }),
    'skipped',
    'bot',
  )
  expect(emulator.github.statuses(headOf(emulator)).map(({ state }) => state)).toEqual(['pending'])
})
