import { expect, test } from 'vitest'
import { start } from '../helpers/sweeps.ts'
import { ownWorld, type Said, type World } from '../helpers/world.ts'

// A re-run may take a request up while a sweep does what follows its end. From then on it is that of the re-run.

const REACTION = { host: 'github', method: 'POST', path: /\/reactions$/ } as const
const NO_WAIT = { wait: 'false' }

/** The job of the first attempt failed, and no run has said so. */
async function failed(emulator: World): Promise<Said> {
  return (await start(emulator, { turn: { reads: 0, ending: 'failed' } })).said
}

/** The service refused the first attempt, and GitHub took no reaction. */
async function refused(emulator: World): Promise<Said> {
  const said = emulator.say('/docs explain')
  emulator.faults.add({ match: { host: 'service' }, fault: { kind: 'status', status: 402 } })
  const fault = { kind: 'status', status: 502 } as const
  const away = emulator.faults.add({ match: REACTION, times: Number.POSITIVE_INFINITY, fault })
  await emulator.act(said, { post: false })
  away.remove()
  await emulator.pass(7_200_000)
  return said
}

test.each([
  ['that was not sent is sent', refused, 'started'],
  ['whose job failed is reported', failed, 'failed'],
])(
  '8.2 4.3 a request %s by a re-run while a sweep reports it: the record of the re-run stays',
  async (_, given, outcome) => {
    const emulator = ownWorld()
    const said = await given(emulator)
    let seen: unknown
    const ends: unknown[] = []
    const call = async () => {
      emulator.service.script.push({ ending: 'active-forever' })
      ends.push((await emulator.act(said, { attempt: 2, inputs: NO_WAIT })).outputs.outcome)
      seen = emulator.records()
    }
    emulator.faults.add({ match: REACTION, fault: { kind: 'call', call } })
    await emulator.collect()
    expect(ends).toEqual([outcome])
    expect(seen).toHaveLength(1)
    expect(emulator.records()).toEqual(seen)
    expect(emulator.promptCounts()).toEqual([1])
  },
)
