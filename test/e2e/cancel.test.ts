import { expect, test } from 'vitest'
import { commented } from './helpers/events.ts'
import { openWorld, postsOf, reactionsTo, rootStep, sound, told } from './helpers/world.ts'

// A runner asks a step to end (SIGINT, then SIGTERM) before it kills it. act, on SIGINT, kills the step's process at
// once, and goes on to the post steps: so it is the post step that speaks here. What the step itself says to signals is
// in test/scenarios/endings-signals.test.ts.
test('6.2 a cancelled run says that the job goes on, and the next command finds it', async () => {
  const world = await openWorld()
  world.emulator.service.script.push({ ending: 'active-forever' })
  const { event, id } = commented(world, '/docs explain retries')
  const running = world.start('comment-command.yml', event)
  const cancel = () => void running.child.kill('SIGINT')
  const firstRead = { host: 'service', method: 'GET', path: /\/job\/[^/]+$/ } as const
  world.emulator.faults.add({ match: firstRead, fault: { kind: 'call', when: 'after', call: cancel } })
  const run = sound(await running.done)

  const job = world.emulator.service.jobs()[0]
  expect([run.exitCode, rootStep(run).result]).toEqual([1, 'failure'])
  expect(rootStep(run).outputs).toMatchObject({ 'job-id': job?.id, status: 'active' })
  expect(postsOf(run)).toMatchObject([{ result: 'success', summary: expect.stringContaining('cancelled') }])
  expect(told(world)).toEqual([
    expect.stringMatching(/^\*\*⏹️ The run was cancelled; the job `j_\w+` goes on/),
  ])
  expect(reactionsTo(world, id)).toEqual(['confused'])
  expect(job?.status).toBe('active')

  const status = commented(world, '/docs status')
  const next = await world.run('comment-command.yml', status.event)
  expect(rootStep(next).outputs).toMatchObject({ outcome: 'skipped', reason: 'status', 'job-id': job?.id })
})
