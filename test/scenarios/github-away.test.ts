import { expect, test } from 'vitest'
import type { Fault, FaultMatch } from '../../emulator/faults.ts'
import { type ActionRun, startAction } from '../../emulator/runner.ts'
import { SAYS } from '../helpers/phrases.ts'
import { ownWorld, READ, type World } from '../helpers/world.ts'

const FOR_EVER = Number.POSITIVE_INFINITY

/** Adds the fault to all requests to GitHub. @returns what is called ends it, and since when it lasts */
function away({ faults, settings }: World, fault: Fault, skip = 0) {
  const since = settings.now()
  const rule = faults.add({ match: { host: 'github' }, skip, times: FOR_EVER, fault })
  return { comesBack: rule.remove, lasted: () => settings.now() - since }
}

const STALL = { kind: 'stall' } as const

/** Cancels the run at such a request after the first read of its job; the others like it stall. */
async function cancelled(emulator: World, run: ActionRun, match: FaultMatch) {
  const { faults, settings } = emulator
  let [from, lasted] = [0, 0]
  const cancel = () => {
    from = settings.now()
    running.kill('SIGINT')
  }
  const begin = () => {
    faults.add({ match, fault: { kind: 'call', call: cancel } })
    if (match !== READ) faults.add({ match, times: FOR_EVER, fault: STALL })
  }
  faults.add({ match: READ, fault: { kind: 'call', call: begin } })
  const running = startAction(run)
  running.child.once('exit', () => {
    lasted = settings.now() - from
  })
  return { ...(await running.done), lasted }
}

test('5.7 GitHub talks nonsense before the agent is asked: nothing is sent, and nobody is refused', async () => {
  const emulator = ownWorld()
  const { comesBack, lasted } = away(emulator, { kind: 'html', status: 200 }, 1)
  const { said, outputs, log } = await emulator.ask('/docs explain')
  expect(outputs).toMatchObject({ outcome: 'error', reason: 'github-unavailable', 'job-id': '' })
  expect(log.match(/nothing was sent/g)).toHaveLength(1)
  // The main step, and the post step once more.
  expect(lasted()).toBeGreaterThan(119_000)
  expect(lasted()).toBeLessThan(260_000)
  const seen = [emulator.calls('service'), emulator.bodies(), emulator.reactions(said.id)]
  expect(seen).toEqual([[], [], []])

  comesBack()
  expect((await emulator.act(said, { attempt: 2 })).outputs.outcome).toBe('pull-request')
})

test('5.7 4.7 a redirect to another host ends the run at once, and is named as what came', async () => {
  const emulator = ownWorld()
  const { lasted } = away(emulator, { kind: 'redirect', location: 'https://example.com/' })
  const { outputs, log } = await emulator.ask('/docs explain')
  expect(outputs.reason).toBe('github-unavailable')
  expect(log).toContain('an address on another host')
  expect(lasted()).toBeLessThan(5000)
})

test('5.7 a rate limit that lasts too long ends the run at once, and says until when', {
  tags: 'bundle',
}, async () => {
  const emulator = ownWorld()
  const until = Math.ceil(emulator.settings.now() / 1000) + 3600
  const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(until) }
  const { lasted } = away(emulator, { kind: 'status', status: 403, headers })
  const { outputs, log } = await emulator.ask('/docs explain')
  expect(outputs.reason).toBe('github-unavailable')
  const time = new Date(until * 1000).toISOString().slice(11, 16)
  expect(log).toContain(`so nothing was sent. Its rate limit ends at ${time} UTC.`)
  expect(lasted()).toBeLessThan(5000)
})

test('5.7 GitHub is away for the comments that tell the agent’s own pull requests: nothing is sent', async () => {
  const emulator = ownWorld({ prAuthor: 'alice' })
  await emulator.ask('/docs explain')
  emulator.github.closePullRequest(77, { merged: true })
  emulator.faults.add({ match: { path: /\/issues\/comments$/ }, times: FOR_EVER, fault: { kind: 'reset' } })
  const after = emulator.github.pull(77).mergeCommitSha
  const payload = { ref: 'refs/heads/main', before: 'b'.repeat(40), after, commits: [] }
  const inputs = { 'timeout-minutes': '0.5', prompt: 'Refresh.' }
  const { outputs } = await emulator.act({ name: 'push', payload }, { inputs })
  expect(outputs).toMatchObject({ outcome: 'error', reason: 'github-unavailable' })
  expect(emulator.promptCounts()).toEqual([1])
})

test('5.6 GitHub is away when the job ends: outcome and log say so, and the post step writes it', async () => {
  const emulator = ownWorld()
  emulator.service.script.push({ ending: 'failed' })
  let comesBack = () => {}
  const call = () => {
    comesBack = away(emulator, { kind: 'reset' }).comesBack
  }
  emulator.faults.add({ match: READ, fault: { kind: 'call', call } })
  const said = emulator.say('/docs explain')
  const running = startAction(emulator.given(said))
  let atEnd: readonly string[] = []
  running.child.once('exit', () => {
    atEnd = emulator.bodies()
    comesBack()
  })
  const main = await running.done
  expect(main.outputs).toMatchObject({ outcome: 'failed', 'comment-url': '' })
  expect(main.log.match(/^Warning: Could not |^Could not /gm)).toHaveLength(1)
  expect(atEnd).toEqual([expect.stringContaining(SAYS.works)])
  expect(emulator.bodies()).toEqual([expect.stringContaining('failed')])
  expect(emulator.reactions(said.id)).toEqual(['confused'])
  // The main step said it already.
  expect(main.post).toMatchObject({ log: '', summary: '' })
})

test('6.1 5.6 a GitHub that stalls does not hold up the end of a cancelled run', async () => {
  const emulator = ownWorld()
  emulator.service.script.push({ ending: 'active-forever' })
  emulator.faults.add({ match: READ, fault: { kind: 'call', call: () => void away(emulator, STALL) } })
  const { outputs, lasted } = await cancelled(
    emulator,
    emulator.given(emulator.say('/docs explain'), { post: false }),
    READ,
  )
  expect(lasted).toBeLessThanOrEqual(5000)
  expect(outputs).toMatchObject({ outcome: 'cancelled', 'job-action': 'created' })
})

test('6.1 cancelled while GitHub stalls about the status comment: the run was cancelled, and sent nothing', async () => {
  const emulator = ownWorld()
  const match = { method: 'POST', path: /comments$/ }
  const run = emulator.given(emulator.say('/docs explain'), { post: false })
  const { outputs } = await emulator.interrupted(run, match, { signal: 'SIGINT', fault: STALL })
  expect(outputs).toMatchObject({ outcome: 'cancelled', reason: '', 'job-id': '' })
  expect(emulator.calls('service')).toEqual([])
})
