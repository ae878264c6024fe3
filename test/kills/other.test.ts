import { describe, expect, test } from 'vitest'
import { expectOutcome } from '../helpers/world.ts'
import { after, killsIn } from './helpers.ts'

/** What each comes to, however often it is killed on the way. */
const COMMANDS = [
  ['/docs new', after('/docs new from scratch'), ['pull-request', ''], ['rocket'], true],
  ['/docs status', after('/docs status'), ['skipped', 'status'], ['+1'], false],
  ['/docs help', after('/docs help'), ['skipped', 'help'], ['+1'], false],
  [
    'a command of a stranger',
    after('/docs explain', 'mallory'),
    ['skipped', 'permission-denied'],
    ['confused'],
    false,
  ],
] as const

const table = await Promise.all(
  COMMANDS.map(async ([name, setting, ...rest]) => [name, setting, await killsIn(setting), ...rest] as const),
)

describe.each(table)('%s', (_, setting, kills, [outcome, reason], reaction, sends) => {
  test.each(kills)(
    '5.3 6.2 killed at $what ($at), $when it is processed, post step $post: one answer',
    (kill) =>
      setting(async (witness) => {
        const { emulator, said } = witness
        const result = await witness.killed(kill)
        if (kill.post && witness.hasActed()) witness.expectClosed(result)
        expectOutcome(await witness.toTheEnd(), outcome, reason)
        expect(emulator.bodies()).toHaveLength(2)
        expect(emulator.reactions(said.id)).toEqual(reaction)
        // How often it was sent is the witness's matter.
        if (!sends) expect(emulator.service.jobs()).toHaveLength(1)
      }),
  )
})
