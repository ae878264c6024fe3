import { expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import type { Turn } from '../../emulator/service/turn.ts'
import { SAYS } from '../helpers/phrases.ts'
import { CREATE, READ, world } from '../helpers/world.ts'

test('2 6.2 killed while it waits: the post step says that the job goes on, and a re-run picks it up', {
  tags: 'bundle',
}, async () => {
  const emulator = world({ docsRepository: 'octo/app' })
  emulator.service.script.push({ reads: 2 })
  const said = emulator.say('/docs Explain retries')
  const result = await emulator.interrupted(emulator.given(said), READ, { fault: { kind: 'stall' } })
  const id = emulator.service.jobs()[0]?.id ?? ''
  expect(result).toMatchObject({ signal: 'SIGKILL', outputs: { 'job-id': id, 'job-action': 'created' } })
  expect(result.outputs).toMatchObject({ status: 'active', model: 'sonnet', ref: 'main' })
  expect(emulator.bodies()).toEqual([
    expect.stringContaining(`The run was cut short; the job \`${id}\` goes on`),
  ])
  expect(emulator.records()).toMatchObject([{ state: 'running', leaseMs: 0, job: { id } }])
  expect(result.post?.log).toContain(`the job ${id} goes on`)
  expect(result.post?.summary).toContain(SAYS.cancelled)
  // The post step has read the job once.
  expect(emulator.calls('service').map((call) => call.split(' ')[0])).toEqual(['POST', 'GET', 'GET'])

  const again = await emulator.act(said, { attempt: 2 })
  expect(again.outputs).toMatchObject({ outcome: 'pull-request', 'job-action': 'resumed' })
  expect(emulator.reactions(said.id)).toEqual(['rocket'])
  expect(emulator.bodies()).toHaveLength(1)
  expect(emulator.service.jobs()).toHaveLength(1)
})

test.each([
  ['before it was processed', 'before', 0],
  ['after it was processed', 'after', 1],
] as const)(
  '6.2 killed during the create, %s: creation-uncertain',
  { tags: 'bundle' },
  async (_, when, jobs) => {
    const emulator = world()
    const run = emulator.given(emulator.say('/docs Explain retries'))
    const result = await emulator.interrupted(run, CREATE, { fault: { kind: 'stall', when } })
    expect(result).toMatchObject({ signal: 'SIGKILL' })
    expect(result.outputs['job-id']).toBeUndefined()
    expect(emulator.service.jobs()).toHaveLength(jobs)
    expect(emulator.bodies()).toEqual([
      expect.stringMatching(/^\*\*❌ It is not known whether a job was started/),
    ])
    expect(emulator.bodies()[0]).toContain("Look for the job in Mintlify's dashboard")
    expect(result.post?.log).toContain(SAYS.uncertain)
    expect(emulator.calls('service')).toHaveLength(1)
  },
)

test('6.2 the post step never undoes what was reported, and asks nobody anything', {
  tags: 'bundle',
}, async () => {
  const [emulator, alone] = [world(), world()]
  const { post } = await emulator.ask('/docs Explain retries', { post: true })
  expect(emulator.bodies()).toEqual([expect.stringContaining('The docs agent opened')])
  expect(post).toMatchObject({ exitCode: 0, log: '', summary: '', outputs: {} })
  await alone.ask('/docs Explain retries', { post: false })
  expect(emulator.requests).toHaveLength(alone.requests.length)
})

test('H2 killed while it waits, and GitHub does not show the thread to the post step: log and summary say that the job goes on', async () => {
  const emulator = world()
  emulator.service.script.push({ reads: 2 })
  const call = () => {
    emulator.faults.add({
      match: { host: 'github', method: 'GET', path: /\/comments/ },
      fault: { kind: 'status', status: 403 },
      times: Number.POSITIVE_INFINITY,
    })
  }
  emulator.faults.add({ match: READ, fault: { kind: 'call', when: 'before', call } })
  const run = emulator.given(emulator.say('/docs Explain retries'))
  const { post } = await emulator.interrupted(run, READ, { fault: { kind: 'stall' } })
  expect(post?.log).toContain(`the job ${emulator.service.jobs()[0]?.id} goes on`)
  expect(post?.summary).toContain(SAYS.cancelled)
  expect(emulator.lastWords()).toContain('is working')
})

test('H7 a re-run that looks once is killed while it does: its post step says that the job goes on, whatever the first attempt said', async () => {
  const emulator = world()
  emulator.service.script.push({ reads: 5 })
  const said = emulator.say('/docs Explain retries')
  const inputs = { wait: 'false' }
  await emulator.act(said, { inputs })
  const again = emulator.given(said, { inputs, attempt: 2 })
  const { post } = await emulator.interrupted(again, READ, { fault: { kind: 'stall' } })
  expect(post?.log).toContain(`the job ${emulator.service.jobs()[0]?.id} goes on`)
  expect(post?.summary).toContain(SAYS.cancelled)
})

test('H2 a run that does not wait brings the job of its message into the thread before it leaves a comment on the pull request', async () => {
  const emulator = world({ docsRepository: 'octo/app' })
  emulator.service.script.push({ reads: 0 }, { reads: 5 })
  await emulator.ask('/docs Explain retries', { inputs: { wait: 'false' } })
  const { length } = emulator.requests
  await emulator.ask('/docs Explain limits', { inputs: { wait: 'false' } })
  const writes = emulator.requests.slice(length).filter(({ method }) => method !== 'GET')
  const sent = writes.findIndex(({ host }) => host === 'service')
  const [next] = writes.slice(sent + 1)
  expect([next?.method, next?.path]).toEqual(['PATCH', expect.stringContaining('/issues/comments/')])
  expect(writes.map(({ path }) => path)).toContain('/repos/octo/app/issues/77/comments')
})

test.each<[string, Fault | undefined, Turn]>([
  ['that the service refused', { kind: 'status', status: 402 }, {}],
  ['that got no answer', { kind: 'reset', when: 'after' }, {}],
  ['whose job failed', undefined, { reads: 0, ending: 'failed' }],
])(
  '5.3 a re-run of a request %s is killed before it asks: the end that the thread says has its reaction, without eyes',
  async (_, fault, turn) => {
    const emulator = world()
    emulator.service.script.push(turn)
    if (fault !== undefined) emulator.faults.add({ match: CREATE, fault })
    const { said } = await emulator.ask('/docs Explain retries')
    const words = emulator.bodies()
    expect(emulator.reactions(said.id)).toEqual(['confused'])
    // What the agent is to know of the issue is read before it is asked, and comes later than the reaction.
    const match = { path: /\/issues\/12$/ }
    const again = emulator.given(said, { attempt: 2 })
    let seen: readonly string[] = []
    const call = () => {
      seen = emulator.reactions(said.id)
    }
    emulator.faults.add({ match, fault: { kind: 'delay', ms: 200 } })
    emulator.faults.add({ match, fault: { kind: 'call', call } })
    await emulator.interrupted(again, match, { fault: { kind: 'stall' } })
    expect(seen).toContain('eyes')
    expect(emulator.reactions(said.id)).toEqual(['confused'])
    expect(emulator.bodies()).toEqual(words)
  },
)
