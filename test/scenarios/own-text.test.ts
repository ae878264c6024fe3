import { expect, test } from 'vitest'
import { expectOutcome, ISSUE, world } from '../helpers/world.ts'

// Contract 3.4: with the token of a person or an App, GitHub starts runs for what the action writes.

const SAYS =
  'The text holds a record of the action, so it counts as what the action wrote. To ask, write a comment without it.'

test.each(['alice', 'docs-app[bot]'])(
  '3.4 a result that %s wrote asks nothing, and the log says why',
  async (tokenLogin) => {
    const emulator = world({ tokenLogin })
    await emulator.ask('/docs explain')
    const { body } = emulator.github.comments(ISSUE).at(-1) ?? { body: '' }
    const again = await emulator.ask(body, { by: tokenLogin })
    expectOutcome(again, 'skipped', 'bot')
    expect(again.log).toContain(SAYS)
    expect(again.log).not.toContain('allowed-bots')
    expect(emulator.promptCounts()).toEqual([1])
  },
)

test('3.4 H7 a person who copies such a record into a command reads what to do', async () => {
  const emulator = world()
  await emulator.ask('/docs explain')
  const [record = ''] = emulator.lastWords().match(/<!--[\s\S]*-->/) ?? []
  const result = await emulator.ask(`/docs shorten\n\n${record}`)
  expectOutcome(result, 'skipped', 'bot')
  expect(result.log).toContain(SAYS)
  expectOutcome(await emulator.ask('/docs shorten'), 'pull-request')
})
