import { expect, test } from 'vitest'
import { after, killsIn } from './helpers.ts'

const followUp = after('/docs shorten')

test.each(await killsIn(followUp))(
  '4.9 5.2 6.2 a follow-up, killed at $what ($at), $when it is processed, post step $post',
  (kill) =>
    followUp(async (witness) => {
      const { emulator } = witness
      const result = await witness.killed(kill)
      if (kill.post) witness.expectClosed(result)
      const asked = emulator.calls('service')
      const sent = asked.findIndex((call) => call.endsWith('/message'))
      if (sent >= 0 && sent < asked.length - 1) {
        expect(result.outputs['job-id']).toBe(emulator.service.jobs()[0]?.id)
      }
      witness.expectTold(await witness.toTheEnd(), 2)
      expect(emulator.service.jobs(), 'a message never turns into a second job').toHaveLength(1)
      expect(emulator.bodies(77)).toHaveLength(1)
    }),
)
