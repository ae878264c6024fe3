import { expect, test } from 'vitest'
import { expectOutcome, IN_BUNDLE, ownWorld, READ, type Said, type World } from '../helpers/world.ts'
import { start } from './helpers.ts'

// A re-run may take a request up while a sweep does what follows its end. From then on it is that of the re-run.

const REACTION = { host: 'github', method: 'POST', path: /\/reactions$/ } as const
const COMMENT = { host: 'github', method: 'POST', path: /\/comments$/ } as const
const NO_WAIT = { wait: 'false' }

/** The job of the first attempt failed, and no run has said so. */
async function failed(emulator: World): Promise<Said> {
  return (await start(emulator, { turn: { reads: 0, ending: 'failed' } })).said
}

/** The service refused the first attempt, whose runner was lost before the reaction. */
async function refused(emulator: World): Promise<Said> {
  const said = emulator.say('/docs explain')
  emulator.faults.add({ match: { host: 'service' }, fault: { kind: 'status', status: 402 } })
  await emulator.interrupted(emulator.given(said, { post: false }), COMMENT, { skip: 1, when: 'after' })
  await emulator.pass(7_200_000)
  return said
}

/** The first attempt was cancelled while its job worked, and GitHub did not take the reaction. */
async function cancelled(emulator: World): Promise<Said> {
  emulator.service.script.push({ ending: 'active-forever' })
  const said = emulator.say('/docs explain')
  const fault = { kind: 'status', status: 500 } as const
  const away = emulator.faults.add({ match: REACTION, skip: 1, times: Number.POSITIVE_INFINITY, fault })
  await emulator.interrupted(emulator.given(said, { post: false }), READ, { signal: 'SIGINT' })
  away.remove()
  await emulator.pass(7_200_000)
  return said
}

test.skipIf(IN_BUNDLE).each([
  ['whose job failed is asked again', failed, [1, 1]],
  ['that was not sent is sent', refused, [1]],
  ['whose job works is followed', cancelled, [1]],
])(
  '8.2 4.3 a request %s while a sweep reports it: the record of the re-run stays',
  async (_, given, prompts) => {
    const emulator = ownWorld()
    const said = await given(emulator)
    let seen: unknown
    const call = async () => {
      emulator.service.script.push({ ending: 'active-forever' })
      expectOutcome(await emulator.act(said, { attempt: 2, inputs: NO_WAIT }), 'started')
      seen = emulator.records()
    }
    emulator.faults.add({ match: REACTION, fault: { kind: 'call', call } })
    await emulator.collect()
    expect(seen).toMatchObject([{ state: 'running' }])
    expect(emulator.records()).toEqual(seen)
    await emulator.pass(7_200_000)
    expect((await emulator.collect()).outputs).toMatchObject({ active: '1', finished: '0' })
    expectOutcome(await emulator.act(said, { attempt: 3, inputs: NO_WAIT }), 'started')
    expect(emulator.promptCounts()).toEqual(prompts)
  },
)
