import { describe, expect, test } from 'vitest'
import { CREATE, READ } from '../helpers/world.ts'
import { firstCommand, type Kill, killsIn, type Setting, STATUS_COMMENT } from './helpers.ts'

/** What the attempt before the re-run has come to. */
const EARLIER = [
  ['has reported', undefined],
  ['was lost while it waited', { match: READ, at: 0, when: 'after', post: false }],
  ['was lost before the job was noted', { match: CREATE, at: 0, when: 'before', post: false }],
  ['was killed while it waited, and said so', { match: READ, at: 0, when: 'after', post: true }],
  ['was lost before it asked', { match: STATUS_COMMENT, at: 0, when: 'after', post: false }],
] as const satisfies readonly (readonly [string, Kill | undefined])[]

const reRunOf =
  (earlier: Kill | undefined): Setting =>
  (then) =>
    firstCommand(async (witness) => {
      if (earlier === undefined) await witness.undisturbed()
      else await witness.killed(earlier)
      witness.emulator.clearRequests()
      await then(witness)
    })

const table = await Promise.all(
  EARLIER.map(async ([what, kill]) => [what, reRunOf(kill), await killsIn(reRunOf(kill))] as const),
)

describe.each(table)('a re-run of an attempt that %s', (_, setting, kills) => {
  test.each(kills)('5.2 6.2 killed at $what ($at), $when it is processed, post step $post', (kill) =>
    setting(async (witness) => {
      const result = await witness.killed(kill)
      // Before the permission is known, a run says nothing about what others have left behind.
      if (kill.post && witness.hasActed()) witness.expectClosed(result)
      witness.expectTold(await witness.toTheEnd(), 1)
      expect(witness.emulator.bodies(77)).toHaveLength(1)
    }),
  )
})
