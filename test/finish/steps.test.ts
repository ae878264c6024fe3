import { expect, test } from 'vitest'
import { openWorld, type Step, type World } from '../helpers/in-process.ts'

const READ = { host: 'service', method: 'GET', path: /\/job\/[^/]+$/ } as const
const CREATE = { host: 'service', method: 'POST', path: /\/job$/ } as const
const COMMENTS = { host: 'github', method: 'GET', path: /\/issues\/12\/comments$/ } as const
const HOUR = 3_600_000

/** An attempt that gets SIGINT while it reads the thread, before it has a plan. */
async function cancelledAttempt(world: World, attempt: number): Promise<Step> {
  const rule = world.emulator.faults.add({
    match: COMMENTS,
    // The permission is known by then: before that, a run writes nothing.
    fault: { kind: 'call', call: () => world.pause(100).then(() => step.canceller.cancel()) },
  })
  const step = world.start(attempt)
  await step.done
  rule.remove()
  return step
}

/** An attempt that is killed at this request, after the server has processed it. */
async function killedAttempt(
  world: World,
  attempt: number,
  match: typeof READ | typeof CREATE,
): Promise<Step> {
  const killed = Promise.withResolvers<void>()
  const call = () => {
    step.kill()
    killed.resolve()
  }
  world.emulator.faults.add({ match, fault: { kind: 'call', when: 'after', call } })
  const step = world.start(attempt)
  await killed.promise
  return step
}

test.each([-HOUR, HOUR])(
  '4.6 a wall clock that is set by %i ms while the run waits changes nothing',
  async (ms) => {
    const usual = openWorld('/docs explain')
    usual.emulator.service.script.push({ durationMs: 120_000 })
    const { outputs } = await usual.start(1).done
    const world = openWorld('/docs explain')
    world.emulator.service.script.push({ reads: usual.serviceCalls().length - 2 })
    world.emulator.faults.add({ match: READ, fault: { kind: 'call', call: () => world.set(ms) } })
    const step = await world.start(1).done
    expect(step.outputs.outcome).toBe('pull-request')
    expect(step.outputs['duration-seconds']).toBe(outputs['duration-seconds'])
    expect(world.passed()).toBe(usual.passed())
  },
)

test.each(['/docs explain', '/docs status'])(
  '4.4 %s: nothing is sent once GitHub has used up the time',
  async (request) => {
    const world = openWorld(request)
    const slow = { kind: 'delay', ms: 9000 } as const
    world.emulator.faults.add({ match: { host: 'github', path: /permission$/ }, fault: slow })
    const { outputs } = await world.start(1, { 'timeout-minutes': '0.1' }).done
    expect(world.serviceCalls()).toEqual([])
    if (request === '/docs explain') expect(outputs.outcome).toBe('timed-out')
  },
)

test('5.2 6.1 a re-run that is cancelled before its plan leaves the job that an earlier attempt started', async () => {
  const world = openWorld('/docs explain')
  const first = await killedAttempt(world, 1, READ)
  const second = await cancelledAttempt(world, 2)
  expect(second.outputs).toMatchObject({ outcome: 'cancelled', 'job-id': first.outputs['job-id'] })
  const third = await world.start(3).done
  expect(third.outputs).toMatchObject({
    outcome: 'pull-request',
    'job-action': 'resumed',
    'job-id': first.outputs['job-id'],
  })
  expect(world.emulator.service.jobs()).toHaveLength(1)
  expect(world.comments()).toHaveLength(1)
})

test('5.2 what was under way when an earlier attempt died is still unknown after a cancelled one', async () => {
  const world = openWorld('/docs explain')
  await killedAttempt(world, 1, CREATE)
  const second = await cancelledAttempt(world, 2)
  expect(second.outputs).toMatchObject({ outcome: 'error', reason: 'creation-uncertain' })
  expect(world.comments().join()).toContain('Look at the dashboard first')
  // People were asked to look.
  const third = await world.start(3).done
  expect(third.outputs).toMatchObject({ outcome: 'pull-request', 'job-action': 'created' })
  expect(world.emulator.service.jobs()).toHaveLength(2)
  expect(world.comments()).toHaveLength(1)
})

test('5.3 6.2 a re-run that is cancelled changes nothing about a result', async () => {
  const world = openWorld('/docs explain')
  await world.start(1).done
  const before = [world.comments(), world.reactions()]
  const { outputs } = await cancelledAttempt(world, 2)
  expect(outputs.outcome).toBe('cancelled')
  expect([world.comments(), world.reactions()]).toEqual(before)
  expect(world.emulator.service.jobs()).toHaveLength(1)
})

test('2.3 secrets that a prompt holds reach neither comment nor summary nor output', async () => {
  const world = openWorld('/docs explain test-key and test-token')
  const { summary, outputs, log } = await world.start(1).done
  expect(world.comments().join()).toContain('explain *** and ***')
  expect(summary).toContain('explain *** and ***')
  expect(JSON.stringify([world.comments(), summary, outputs, log])).not.toMatch(/test-key|test-token/)
})
