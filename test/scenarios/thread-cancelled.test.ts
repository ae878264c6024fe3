import { expect, test } from 'vitest'
import { startAction } from '../../emulator/runner.ts'
import {
  act,
  bodies,
  calls,
  expectOutcome,
  given,
  lastWords,
  ownWorld,
  reactions,
  records,
  say,
} from './conversation-helpers.ts'

test.each(['SIGINT', 'SIGTERM'] as const)(
  '6.1 %s while it waits: the thread says that the job goes on, and a re-run picks it up',
  async (signal) => {
    const emulator = await ownWorld()
    emulator.service.script.push({ reads: 3 })
    const said = say(emulator, '/docs explain')
    const running = startAction(given(emulator, said))
    const call = () => void running.kill(signal)
    emulator.faults.add({ match: { host: 'service', method: 'GET' }, fault: { kind: 'call', call } })
    const result = await running.done
    expectOutcome(result, 'cancelled')
    expect(result.exitCode).toBe(1)
    expect(lastWords(emulator)).toMatch(
      /cancelled; the job `j_\w+` goes on[\s\S]*re-run of the workflow picks it up/,
    )
    expect(records(emulator)).toMatchObject([{ state: 'detached', job: { id: result.outputs['job-id'] } }])
    expect(reactions(emulator, said.id)).toEqual(['confused'])

    const again = await act(emulator, said, { attempt: 2 })
    expectOutcome(again, 'pull-request')
    expect(again.outputs['job-action']).toBe('resumed')
    expect(reactions(emulator, said.id)).toEqual(['rocket'])
    expect(bodies(emulator)).toHaveLength(1)
    expect(emulator.service.jobs()).toHaveLength(1)
  },
)

test('6.1 a signal while the creation is under way: its answer is awaited, the id is not lost', async () => {
  const emulator = await ownWorld()
  const said = say(emulator, '/docs explain')
  const running = startAction(given(emulator, said))
  const match = { host: 'service', method: 'POST' } as const
  emulator.faults.add({ match, fault: { kind: 'call', call: () => void running.kill('SIGINT') } })
  emulator.faults.add({ match, fault: { kind: 'delay', ms: 1000, when: 'after' } })
  const result = await running.done
  expectOutcome(result, 'cancelled')
  expect(result.outputs['job-id']).toBe(emulator.service.jobs()[0]?.id)
  expect(records(emulator)).toMatchObject([{ state: 'detached', job: { id: result.outputs['job-id'] } }])
  expect(reactions(emulator, said.id)).toEqual(['confused'])
})

test('6.1 the next command after a cancelled run continues the job', async () => {
  const emulator = await ownWorld()
  const said = say(emulator, '/docs explain')
  const running = startAction(given(emulator, said))
  emulator.faults.add({
    match: { host: 'service', method: 'GET' },
    fault: { kind: 'call', call: () => void running.kill('SIGINT') },
  })
  await running.done
  const next = await act(emulator, say(emulator, '/docs shorten'), { runId: 2 })
  expectOutcome(next, 'pull-request')
  expect(next.outputs['job-action']).toBe('continued')
  expect(emulator.service.jobs()).toHaveLength(1)
})

test('6.2 5.3 killed while it waits: the post step says it, and eyes go', async () => {
  const emulator = await ownWorld()
  emulator.service.script.push({ ending: 'active-forever' })
  const said = say(emulator, '/docs explain')
  const running = startAction(given(emulator, said))
  emulator.faults.add({
    match: { host: 'service', method: 'GET' },
    fault: { kind: 'call', call: () => void running.kill('SIGKILL') },
  })
  const result = await running.done
  expect(result.outputs['job-id']).toBe(emulator.service.jobs()[0]?.id)
  expect(lastWords(emulator)).toContain('goes on')
  expect(reactions(emulator, said.id)).toEqual(['confused'])
})

test('6.2 the post step never undoes a reported result, and asks nobody anything after it', async () => {
  const emulator = await ownWorld()
  const said = say(emulator, '/docs explain')
  const without = await act(emulator, said, { post: false })
  const before = [calls(emulator).length, lastWords(emulator)]
  expectOutcome(without, 'pull-request')
  const other = await ownWorld()
  expectOutcome(await act(other, say(other, '/docs explain')), 'pull-request')
  expect([calls(other).length, lastWords(other).split('\n')[0]]).toEqual([
    before[0],
    String(before[1]).split('\n')[0],
  ])
})
