import { expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import { openWorld, type World } from '../helpers/in-process.ts'

const FOR_EVER = Number.POSITIVE_INFINITY
const READ = { host: 'service', method: 'GET' } as const

/** From the first read of the job on. @returns ends it */
function whenTheJobIsRead({ emulator }: World, fault: Fault): () => void {
  const rules: { remove(): void }[] = []
  const call = () =>
    void rules.push(emulator.faults.add({ match: { host: 'github' }, times: FOR_EVER, fault }))
  emulator.faults.add({ match: READ, fault: { kind: 'call', call } })
  return () => {
    for (const rule of rules) rule.remove()
  }
}

test('5.7 GitHub talks nonsense before the agent is asked: nothing is sent, and nobody is refused', async () => {
  const world = openWorld('/docs explain')
  const fault = { kind: 'html', status: 200 } as const
  const rule = world.emulator.faults.add({ match: { host: 'github' }, skip: 1, times: FOR_EVER, fault })
  const { outputs, log } = await world.start(1).done
  expect(outputs).toMatchObject({ outcome: 'error', reason: 'github-unavailable', 'job-id': '' })
  expect(log.filter((line) => line.includes('nothing was sent'))).toHaveLength(1)
  expect(world.passed()).toBeGreaterThan(29_000)
  expect(world.passed()).toBeLessThan(60_000)
  expect([world.serviceCalls(), world.comments(), world.reactions()]).toEqual([[], [], []])

  rule.remove()
  expect((await world.start(2).done).outputs.outcome).toBe('pull-request')
})

test('5.7 4.7 a redirect to another host ends the run at once, and is named as what came', async () => {
  const world = openWorld('/docs explain')
  const fault = { kind: 'redirect', location: 'https://example.com/' } as const
  world.emulator.faults.add({ match: { host: 'github' }, times: FOR_EVER, fault })
  const { outputs, log } = await world.start(1).done
  expect(outputs.reason).toBe('github-unavailable')
  expect(log.join('\n')).toContain(
    "GitHub's answer was unusable (a redirect to another host), so nothing was sent.",
  )
  expect(world.passed()).toBeLessThan(1000)
})

test('5.7 a short run waits no longer than a third of its time', async () => {
  const world = openWorld('/docs explain')
  const fault = { kind: 'reset' } as const
  world.emulator.faults.add({ match: { host: 'github' }, times: FOR_EVER, fault })
  const { outputs } = await world.start(1, { 'timeout-minutes': '0.5' }).done
  expect(outputs.reason).toBe('github-unavailable')
  expect(world.passed()).toBeLessThan(12_000)
})

test('5.6 GitHub is away when the job ends: outcome and log say so, and the post step writes it', async () => {
  const world = openWorld('/docs explain')
  world.emulator.service.script.push({ ending: 'failed' })
  const comesBack = whenTheJobIsRead(world, { kind: 'reset' })
  const main = await world.start(1).done
  expect(main.outputs).toMatchObject({ outcome: 'failed', 'comment-url': '' })
  expect(main.log.filter((line) => line.startsWith('Could not '))).toHaveLength(1)
  expect(world.comments()).toEqual([expect.stringContaining('is working')])

  comesBack()
  await world.post(main, 1).done
  expect(world.comments()).toEqual([expect.stringContaining('failed')])
  expect(world.reactions()).toEqual(['confused'])
})

test('5.6 GitHub is away as the request goes out, and back for the result: the warning takes nothing away', async () => {
  const world = openWorld('/docs explain')
  const match = { path: /issues\/12\/comments$/ }
  const from = Date.UTC(2026, 0, 1)
  const between = [from, from + 45_000] as const
  world.emulator.faults.add({ match, skip: 1, times: FOR_EVER, between, fault: { kind: 'reset' } })
  const { outputs, log } = await world.start(1).done
  expect(outputs.reason).toBe('github-unavailable')
  expect(world.comments()).toEqual([expect.stringContaining('did not get the request')])
  expect(log.at(-1)).toMatch(/^Could not write the status comment \(.*\)\. The run goes on\.$/)
})

test('6.2 5.6 killed in a thread that takes no comments: the post step promises nothing of it', async () => {
  const world = openWorld('/docs explain')
  world.emulator.github.lock(12)
  world.emulator.service.script.push({ ending: 'active-forever' })
  const step = world.start(1)
  await world.pause(10_000)
  step.kill()
  const { log } = await world.post(step, 1).done
  expect(log[0]).toContain('goes on. No thread remembers it, so look at it in the dashboard before a re-run.')
})

test('6.1 5.6 a GitHub that stalls does not hold up the end of a cancelled run', async () => {
  const world = openWorld('/docs explain')
  world.emulator.service.script.push({ ending: 'active-forever' })
  whenTheJobIsRead(world, { kind: 'stall' })
  let from = Number.NaN
  const call = () => {
    from = world.passed()
    step.canceller.cancel()
  }
  world.emulator.faults.add({ match: READ, skip: 1, fault: { kind: 'call', call } })
  const step = world.start(1)
  await step.done
  expect(world.passed() - from).toBeLessThanOrEqual(5000)
  expect(step.outputs).toMatchObject({ outcome: 'cancelled', 'job-action': 'created' })
})

test('6.1 cancelled while GitHub stalls about the status comment: the run was cancelled, and sent nothing', async () => {
  const world = openWorld('/docs explain')
  const match = { method: 'POST', path: /comments$/ }
  const call = () => step.canceller.cancel()
  world.emulator.faults.add({ match, fault: { kind: 'call', call } })
  world.emulator.faults.add({ match, times: FOR_EVER, fault: { kind: 'stall' } })
  const step = world.start(1)
  const { outputs } = await step.done
  expect(outputs).toMatchObject({ outcome: 'cancelled', reason: '', 'job-id': '' })
  expect(world.serviceCalls()).toEqual([])
})

test.each([
  ['annotations of a check', /\/annotations$/],
  ['branch to preview', /\/pulls\/77$/],
  ['thread', /\/issues\/12\/comments$/],
])(
  '6.1 4.12 cancelled while GitHub stalls about the %s: the thread has the pull request as it stands in time',
  async (_, path) => {
    const world = openWorld('/docs explain')
    const { github, faults } = world.emulator
    const annotations = [{ path: 'a.mdx', line: 1, message: 'no' }]
    github.checks.script.push([{ name: 'build', conclusion: 'failure', annotations }])
    let from = Number.NaN
    const cancel = () => {
      from = world.passed()
      step.canceller.cancel()
    }
    const call = () => {
      const match = { method: 'GET', path }
      faults.add({ match, fault: { kind: 'call', call: cancel } })
      faults.add({ match, times: FOR_EVER, fault: { kind: 'stall' } })
    }
    faults.add({ match: READ, fault: { kind: 'call', call } })
    const step = world.start(1, { 'fix-attempts': '1', preview: 'true' })
    await step.done
    expect(world.passed() - from).toBeLessThanOrEqual(5000)
    expect(step.outputs).toMatchObject({ outcome: 'pull-request', checks: 'pending' })
    expect(world.comments()).toEqual([expect.stringContaining('The run stopped before its checks ended')])
  },
)
