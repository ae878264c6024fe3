import { expect, test } from 'vitest'
import type { Emulator } from '../../emulator/emulator.ts'
import type { Fault, FaultMatch } from '../../emulator/faults.ts'
import type { RunResult } from '../../emulator/runner.ts'
import { answer, sound } from '../helpers/action.ts'
import {
  act,
  bodies,
  CREATE,
  calls,
  given,
  interrupted,
  ownWorld,
  READ,
  reactions,
  records,
  say,
  world,
} from './conversation-helpers.ts'

/** Alice asks; the run is killed when such a request comes in, which then meets the fault. */
async function kill(
  emulator: Emulator,
  match: FaultMatch,
  fault: Fault = { kind: 'stall' },
  said = say(emulator, '/docs Explain retries'),
): Promise<RunResult> {
  return sound(await interrupted(emulator, given(emulator, said), match, { fault }), emulator)
}

test('2 6.2 killed while it waits: the post step says that the job goes on, and a re-run picks it up', async () => {
  const emulator = await ownWorld()
  emulator.service.script.push({ reads: 2 })
  const said = say(emulator, '/docs Explain retries')
  const result = await kill(emulator, READ, undefined, said)
  const id = emulator.service.jobs()[0]?.id ?? ''
  expect(result).toMatchObject({ signal: 'SIGKILL', outputs: { 'job-id': id, 'job-action': 'created' } })
  expect(result.outputs).toMatchObject({ status: 'active', model: 'sonnet', ref: 'main' })
  expect(bodies(emulator)).toEqual([
    expect.stringContaining(`The run was cancelled; the job \`${id}\` goes on`),
  ])
  expect(records(emulator)).toMatchObject([{ state: 'running', waitsUntil: 0, job: { id } }])
  expect(result.post?.log).toContain(`the job ${id} goes on`)
  expect(result.post?.summary).toContain('The run was cancelled')
  expect(calls(emulator, 'service').map((call) => call.split(' ')[0])).toEqual(['POST', 'GET'])

  const again = await act(emulator, said, { attempt: 2 })
  expect(again.outputs).toMatchObject({ outcome: 'pull-request', 'job-action': 'resumed' })
  expect(reactions(emulator, said.id)).toEqual(['rocket'])
  expect(bodies(emulator)).toHaveLength(1)
  expect(emulator.service.jobs()).toHaveLength(1)
})

test.each([
  ['before it was processed', 'before', 0],
  ['after it was processed', 'after', 1],
] as const)('6.2 killed during the create, %s: creation-uncertain', async (_, when, jobs) => {
  const emulator = await world()
  const result = await kill(emulator, CREATE, { kind: 'stall', when })
  expect(result).toMatchObject({ signal: 'SIGKILL' })
  expect(result.outputs['job-id']).toBeUndefined()
  expect(emulator.service.jobs()).toHaveLength(jobs)
  expect(bodies(emulator)).toEqual([
    expect.stringMatching(/^\*\*❌ It is not known whether a job was started/),
  ])
  expect(bodies(emulator)[0]).toContain('Look at the dashboard first')
  expect(result.post?.log).toContain('It is not known whether a job was started')
  expect(calls(emulator, 'service')).toHaveLength(1)
})

test('6.2 the post step never undoes what was reported, and asks nobody anything', async () => {
  const [emulator, alone] = [await world(), await world()]
  const { post } = await answer(emulator, '/docs Explain retries', { post: true })
  expect(bodies(emulator)).toEqual([expect.stringContaining('The docs agent opened')])
  expect(post).toMatchObject({ exitCode: 0, log: '', summary: '', outputs: {} })
  await answer(alone, '/docs Explain retries', { post: false })
  expect(emulator.requests).toHaveLength(alone.requests.length)
})
