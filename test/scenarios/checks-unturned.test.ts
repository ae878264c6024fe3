import { expect, test } from 'vitest'
import type { Check } from '../../emulator/github/checks.ts'
import { checkedWorld, fixes } from '../helpers/checked-world.ts'

// Contract 4.12: what no commit turns is not paid for again.

const fails = (...names: readonly string[]): Check[] => names.map((name) => ({ name, conclusion: 'failure' }))
const RIGHTS: Check = { name: 'deploy', kind: 'status', conclusion: 'error', summary: 'No rights' }
const INPUTS = { 'fix-attempts': '5' }
const UNTURNED = 'No further failures go back: the last fix repaired none of these checks.'

test.each<[string, readonly (readonly Check[])[], number]>([
  ['a check that wants a title', [fails('title'), fails('title'), [{ name: 'title' }]], 1],
  ['a status that lacks rights', [[RIGHTS], [RIGHTS], [RIGHTS]], 1],
  ['both', [[RIGHTS, ...fails('title')], [RIGHTS, ...fails('title')], []], 1],
  ['an old and a new one', [fails('title'), fails('title', 'build'), []], 1],
  ['one that the second fix does not turn', [fails('a', 'b'), fails('b'), fails('b'), []], 2],
])('4.12 after a fix that turned nothing of %s, none follows', async (_, heads, rounds) => {
  const emulator = checkedWorld(heads)
  const { outputs, log } = await emulator.ask('/docs explain', { inputs: INPUTS })
  expect(outputs, log).toMatchObject({ checks: 'failure', fixes: String(rounds) })
  expect(fixes(emulator)).toHaveLength(rounds)
  expect(emulator.lastWords()).toContain(UNTURNED)
})

test.each<[string, readonly (readonly Check[])[], string]>([
  ['one of two passes', [fails('a', 'b'), fails('b'), []], '2'],
  ['another one fails instead', [fails('a'), fails('b'), [{ name: 'b' }]], '2'],
  [
    'one of its name by another App fails',
    [fails('a'), [{ name: 'a' }, { name: 'a', app: 'other', conclusion: 'failure' }], []],
    '2',
  ],
])('4.12 a fix after which %s is followed by the next', async (_, heads, rounds) => {
  const emulator = checkedWorld(heads)
  const { outputs, log } = await emulator.ask('/docs explain', { inputs: INPUTS })
  expect(outputs, log).toMatchObject({ outcome: 'pull-request', fixes: rounds })
  expect(emulator.lastWords()).not.toContain('repaired none')
})

test('4.12 where all attempts are used up, that is what people read', async () => {
  const emulator = checkedWorld([fails('title'), fails('title')])
  await emulator.ask('/docs explain', { inputs: { 'fix-attempts': '1' } })
  expect(emulator.lastWords()).toContain('failures went back to the agent once')
  expect(emulator.lastWords()).not.toContain('repaired none')
})

test('4.12 a re-run after a fix that turned nothing sends none, and one after a fix that did sends the next', async () => {
  for (const [second, rounds] of [
    [fails('title'), '1'],
    [fails('build'), '2'],
  ] as const) {
    const emulator = checkedWorld([fails('title'), second, []])
    const said = emulator.say('/docs explain')
    // The run stops while it follows the turn of its fix.
    const call = { host: 'service', method: 'POST', path: /\/message$/ } as const
    await emulator.interrupted(emulator.given(said, { inputs: INPUTS }), call, {
      signal: 'SIGINT',
      when: 'after',
    })
    const { outputs, log } = await emulator.act(said, { attempt: 2, inputs: INPUTS })
    expect(outputs, log).toMatchObject({ fixes: rounds })
  }
})
