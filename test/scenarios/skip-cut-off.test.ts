import { expect, test } from 'vitest'
import { CODE, codeWorld, happens, headOf } from '../helpers/code-world.ts'
import { expectOutcome } from '../helpers/world.ts'

// Contract 3.2, 6.2: a skip whose run is killed counts no less than one whose run comes to its end.

const STATUS = { 'commit-status': 'docs' }
const POST = { host: 'github', method: 'POST', path: /\/issues\/30\/comments$/ } as const

test.each([
  ['alone', '', '.', '', STATUS],
  ['with a reason', ' because only typos', ': only typos.', ': only typos', STATUS],
  ['without a commit status', ': only tests', ': only tests.', undefined, {}],
] as const)(
  '3.2 6.2 a skip %s whose run is killed before its comment is there: the post step writes it',
  async (_, given, why, status, inputs) => {
    const emulator = codeWorld()
    const said = emulator.say(`/docs skip${given}`, { on: CODE })
    await emulator.interrupted(emulator.given(said, { runId: 5, inputs }), POST, { fault: { kind: 'reset' } })
    const [body = '', ...more] = emulator.bodies(CODE)
    expect(more).toEqual([])
    expect(body).toContain(`**👍 No documentation needed**, says @alice${why} \`/docs …\` asks for it.`)
    const set = emulator.github.statuses(headOf(emulator)).map(({ description }) => description)
    expect(set).toEqual(status === undefined ? [] : [`Skipped by alice${status}`])
    expectOutcome(await happens(emulator, 'labeled', { inputs: { ...inputs } }), 'skipped', 'docs-skipped')
    expect(emulator.prompts()).toEqual([])
  },
)

test('3.2 5.7 a skip that GitHub does not take for three minutes: the run does not say that it is forgotten', async () => {
  const emulator = codeWorld()
  const now = emulator.settings.now()
  const away = { match: POST, between: [now, now + 180_000], times: Infinity } as const
  emulator.faults.add({ ...away, fault: { kind: 'status', status: 502 } })
  const { said: _, ...result } = await emulator.ask('/docs skip', { on: CODE, inputs: STATUS })
  expectOutcome(result, 'skipped', 'docs-skipped')
  expect(emulator.bodies(CODE)).toEqual([expect.stringContaining('No documentation needed')])
  expect(result.summary).not.toContain('does not remember this skip')
  expectOutcome(await happens(emulator, 'labeled'), 'skipped', 'docs-skipped')
})
