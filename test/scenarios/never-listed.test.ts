import { describe, expect, test } from 'vitest'
import { CODE, codeWorld, DELIVERED, happens, saidOf } from '../helpers/code-world.ts'
import { expectOutcome, type World } from '../helpers/world.ts'

// In the words of https://github.com/googleapis/repo-automation-bots/issues/4475, its answers in two forms, and
// https://github.com/dyladan/component-owners/issues/23.
const TOO_LONG = 'Server Error: Sorry, this diff is taking too long to generate.'
const TOO_MANY = 'The request could not be processed because too many files changed'

const FILES = { method: 'GET', path: /\/pulls\/\d+\/files$/ } as const
const STATUS = { 'commit-status': 'docs' }
const UNREAD = 'error: GitHub cannot be read: see the run, or /docs skip'

describe.each([
  [500, TOO_LONG],
  [422, TOO_LONG],
  [422, TOO_MANY],
])('3.13 GitHub never lists the files of a pull request: HTTP %i, %j', (status, message) => {
  async function unlisted<T>(emulator: World, run: () => Promise<T>): Promise<T> {
    const fault = { kind: 'status', status, body: { message } } as const
    const rule = emulator.faults.add({ match: FILES, times: Infinity, fault })
    const result = await run()
    rule.remove()
    return result
  }

  test('an event asks nothing, and says who can', async () => {
    const emulator = codeWorld()
    const result = await unlisted(emulator, () => happens(emulator, 'opened'))
    expectOutcome(result, 'error', 'github-unavailable')
    expect(emulator.prompts()).toEqual([])
    expect(saidOf(emulator)).toEqual([UNREAD])
    expect(emulator.lastWords(CODE)).toContain(
      'If GitHub still does not list the changes then, a command asks without them.',
    )
  })

  test.each([[{}], [STATUS]])('a command asks without them: %j', async (inputs) => {
    const emulator = codeWorld()
    await unlisted(emulator, () => happens(emulator, 'opened'))
    const command = await unlisted(emulator, () => emulator.ask('/docs explain', { on: CODE, inputs }))
    expectOutcome(command, 'pull-request')
    expect(emulator.prompts()[0]).toContain('could not be read')
    const isSet = 'commit-status' in inputs
    expect(saidOf(emulator).at(-1)).toBe(isSet ? DELIVERED : UNREAD)

    await unlisted(emulator, () => happens(emulator, 'labeled'))
    expect(saidOf(emulator).at(-1)).toBe(isSet ? DELIVERED : UNREAD)
    expect(emulator.promptCounts()).toEqual([1])
  })
})
