import { expect, test } from 'vitest'
import { firstCommand, killsIn } from './helpers.ts'

test.each(await killsIn(firstCommand))(
  '5.2 6.2 a first command, killed at $what ($at), $when it is processed, post step $post',
  (kill) =>
    firstCommand(async (witness) => {
      const { emulator } = witness
      const result = await witness.killed(kill)
      if (emulator.calls('service').some((call) => call.startsWith('GET'))) {
        expect(result.outputs['job-id']).toBe(emulator.service.jobs()[0]?.id)
      }
      if (kill.post) {
        witness.expectClosed(result)
        if (witness.sent() > 0) expect(emulator.bodies()).toHaveLength(1)
      }
      witness.expectTold(await witness.toTheEnd(), 1)
      expect(emulator.bodies(77)).toHaveLength(1)
    }),
)
