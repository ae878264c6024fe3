import { expect, test } from 'vitest'
import {
  act,
  bodies,
  expectOutcome,
  given,
  interrupted,
  lastWords,
  ownWorld,
  READ,
  reactions,
  records,
  say,
} from './conversation-helpers.ts'

test.each(['SIGINT', 'SIGKILL'] as const)(
  '5.3 6.1 6.2 %s while it waits: the thread says that the job goes on, and a re-run picks it up',
  async (signal) => {
    const emulator = await ownWorld()
    emulator.service.script.push({ reads: 3 })
    const said = say(emulator, '/docs explain')
    const result = await interrupted(emulator, given(emulator, said), READ, { signal })
    expect(lastWords(emulator)).toContain('goes on')
    expect(records(emulator)).toMatchObject([
      { state: 'running', waitsUntil: 0, job: { id: result.outputs['job-id'] } },
    ])
    expect(reactions(emulator, said.id)).toEqual(['confused'])

    const again = await act(emulator, said, { attempt: 2 })
    expectOutcome(again, 'pull-request')
    expect(again.outputs['job-action']).toBe('resumed')
    expect(reactions(emulator, said.id)).toEqual(['rocket'])
    expect(bodies(emulator)).toHaveLength(1)
    expect(emulator.service.jobs()).toHaveLength(1)
  },
)

test('6.1 the next command after a cancelled run continues the job', async () => {
  const emulator = await ownWorld()
  await interrupted(emulator, given(emulator, say(emulator, '/docs explain')), READ, { signal: 'SIGINT' })
  const next = await act(emulator, say(emulator, '/docs shorten'), { runId: 2 })
  expectOutcome(next, 'pull-request')
  expect(next.outputs['job-action']).toBe('continued')
  expect(emulator.service.jobs()).toHaveLength(1)
})
