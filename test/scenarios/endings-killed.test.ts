import { expect, test } from 'vitest'
import { FIX } from '../helpers/checked-world.ts'
import { SAYS } from '../helpers/phrases.ts'
import { bundleWorld, CREATE, IN_BUNDLE, ownWorld, READ, world } from '../helpers/world.ts'

test('2 6.2 killed while it waits: the post step says that the job goes on, and a re-run picks it up', async () => {
  const emulator = await bundleWorld({ docsRepository: 'octo/app' })
  emulator.service.script.push({ reads: 2 })
  const said = emulator.say('/docs Explain retries')
  const result = await emulator.interrupted(emulator.given(said), READ, { fault: { kind: 'stall' } })
  const id = emulator.service.jobs()[0]?.id ?? ''
  expect(result).toMatchObject({ signal: 'SIGKILL', outputs: { 'job-id': id, 'job-action': 'created' } })
  expect(result.outputs).toMatchObject({ status: 'active', model: 'sonnet', ref: 'main' })
  expect(emulator.bodies()).toEqual([
    expect.stringContaining(`The run was cancelled; the job \`${id}\` goes on`),
  ])
  expect(emulator.records()).toMatchObject([{ state: 'running', waitsMs: 0, job: { id } }])
  expect(result.post?.log).toContain(`the job ${id} goes on`)
  expect(result.post?.summary).toContain(SAYS.cancelled)
  expect(emulator.calls('service').map((call) => call.split(' ')[0])).toEqual(['POST', 'GET'])

  const again = await emulator.act(said, { attempt: 2 })
  expect(again.outputs).toMatchObject({ outcome: 'pull-request', 'job-action': 'resumed' })
  expect(emulator.reactions(said.id)).toEqual(['rocket'])
  expect(emulator.bodies()).toHaveLength(1)
  expect(emulator.service.jobs()).toHaveLength(1)
})

test.each([
  ['before it was processed', 'before', 0],
  ['after it was processed', 'after', 1],
] as const)('6.2 killed during the create, %s: creation-uncertain', async (_, when, jobs) => {
  const emulator = world()
  const run = emulator.given(emulator.say('/docs Explain retries'))
  const result = await emulator.interrupted(run, CREATE, { fault: { kind: 'stall', when } })
  expect(result).toMatchObject({ signal: 'SIGKILL' })
  expect(result.outputs['job-id']).toBeUndefined()
  expect(emulator.service.jobs()).toHaveLength(jobs)
  expect(emulator.bodies()).toEqual([
    expect.stringMatching(/^\*\*❌ It is not known whether a job was started/),
  ])
  expect(emulator.bodies()[0]).toContain('Look at the dashboard first')
  expect(result.post?.log).toContain(SAYS.uncertain)
  expect(emulator.calls('service')).toHaveLength(1)
})

test('6.2 killed in a thread that can no longer be read: the post step writes nothing over what may stand there', async () => {
  const emulator = world()
  const match = { method: 'GET', path: /\/issues\/12\/comments$/ }
  const fault = { kind: 'status', status: 403 } as const
  emulator.faults.add({ match, skip: 1, times: Number.POSITIVE_INFINITY, fault })
  const run = emulator.given(emulator.say('/docs Explain retries'))
  await emulator.interrupted(run, READ, { fault: { kind: 'stall' } })
  expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.works)])
})

test('6.2 the post step never undoes what was reported, and asks nobody anything', async () => {
  const [emulator, alone] = [world(), world()]
  const { post } = await emulator.ask('/docs Explain retries', { post: true })
  expect(emulator.bodies()).toEqual([expect.stringContaining('The docs agent opened')])
  expect(post).toMatchObject({ exitCode: 0, log: '', summary: '', outputs: {} })
  await alone.ask('/docs Explain retries', { post: false })
  expect(emulator.requests).toHaveLength(alone.requests.length)
})

test('4.12 6.2 killed while GitHub takes a result whose checks the run would follow: the post step tells people of it', async () => {
  const emulator = world({ docsRepository: 'octo/app' })
  const run = emulator.given(emulator.say('/docs Explain retries'), { inputs: FIX })
  const taking = { method: 'POST', path: /\/issues\/12\/comments$/ }
  await emulator.interrupted(run, taking, { skip: 1, fault: { kind: 'stall', when: 'before' } })
  expect(emulator.bodies()).toEqual([expect.stringContaining('The docs agent opened')])
  // An edit notifies nobody: after the status, and the result that was lost, it is posted once more.
  const posted = emulator.calls('github').filter((call) => call === 'POST /repos/octo/app/issues/12/comments')
  expect(posted).toHaveLength(3)
})

test.each([1, 2])(
  '4.12 5.6 killed at edit %i of the comment while it follows the checks: no comment says for ever that they run',
  async (skip) => {
    const emulator = world({ docsRepository: 'octo/app' })
    emulator.github.checks.script.push([{ name: 'build' }])
    const run = emulator.given(emulator.say('/docs Explain retries'), { inputs: FIX })
    const edit = { method: 'PATCH', path: /\/issues\/comments\/\d+$/ }
    await emulator.interrupted(run, edit, { skip: skip - 1, fault: { kind: 'stall', when: 'before' } })
    const [record] = emulator.records()
    const isOpen = record?.state === 'reported' && record.checks?.isFollowed === true
    expect([/checks are running/.test(emulator.lastWords()), isOpen]).toEqual([isOpen, isOpen])
  },
)

test.skipIf(IN_BUNDLE)(
  '4.12 6.1 a re-run that is cancelled as it begins leaves the checks to the next sweep',
  async () => {
    const emulator = ownWorld({ docsRepository: 'octo/app' })
    emulator.github.checks.script.push([{ name: 'build', takesMs: 60_000 }])
    const said = emulator.say('/docs Explain retries')
    const checks = { method: 'GET', path: /\/check-runs$/ }
    await emulator.interrupted(emulator.given(said, { inputs: FIX, post: false }), checks)
    expect(emulator.lastWords()).toContain('are running')
    const list = { method: 'GET', path: /\/issues\/12\/comments$/ }
    const again = emulator.given(said, { inputs: FIX, attempt: 2 })
    await emulator.interrupted(again, list, { signal: 'SIGINT' })
    await emulator.pass(60 * 60_000)
    await emulator.collect()
    expect(emulator.lastWords()).not.toContain('are running')
  },
)
