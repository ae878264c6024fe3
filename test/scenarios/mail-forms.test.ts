import { expect } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import { MAILS } from '../helpers/mails.ts'
import { inTurn, testMatrix } from '../helpers/matrix.ts'
import { outsideOf, partIn } from '../helpers/prompt-parts.ts'
import { expectOutcome, ownWorld } from '../helpers/world.ts'

// Contract 3.1: each form of mail as its client writes it, and whatever GitHub says of how it came.

const ORIGIN = { host: 'github', method: 'POST', path: /graphql$/ } as const
const SAYS: Readonly<Record<string, { readonly isMail: boolean; readonly fault?: Fault }>> = {
  yes: { isMail: true },
  no: { isMail: false },
  nothing: { isMail: true, fault: { kind: 'status', status: 502 } },
  'yes, late': { isMail: true, fault: { kind: 'delay', ms: 9000 } },
  'yes, too late': { isMail: true, fault: { kind: 'delay', ms: 60_000 } },
}

testMatrix(
  Object.entries(SAYS).flatMap(([says, how]) =>
    MAILS.map(([client, mail]) => [client, says, how, mail] as const),
  ),
  inTurn(Object.keys(SAYS).length, MAILS.length),
)(
  'H4 3.1 %s, and GitHub says %s: what a mail answers is in no request',
  async (client, says, { isMail, fault }, mail) => {
    const emulator = ownWorld()
    if (fault) emulator.faults.add({ match: ORIGIN, fault, times: 99 })
    const result = await emulator.ask(`/docs explain\n\n${mail}`, { isMail })
    expectOutcome(result, 'pull-request')
    const [prompt = ''] = emulator.prompts()
    const below = partIn(prompt, /^what stood below/)
    if (says === 'no') expect(below, client).toBe('')
    else {
      expect(below).toContain('EVIL')
      expect(outsideOf(prompt)).toContain('\nexplain\n\n@alice asks')
      expect(outsideOf(prompt)).not.toMatch(/EVIL|mallory/)
    }
  },
)
