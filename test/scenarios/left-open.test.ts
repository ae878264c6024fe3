import { expect, test } from 'vitest'
import type { FaultMatch } from '../../emulator/faults.ts'
import {
  CODE as CODE_PULL,
  codeWorld,
  DELIVERED,
  happens,
  pushes,
  SECOND_PUSH,
  saidOf,
} from '../helpers/code-world.ts'
import { SAYS } from '../helpers/phrases.ts'
import { expectOutcome, IN_BUNDLE, ownWorld, READ, type World, world } from '../helpers/world.ts'

// Contract 5.6, 5.7: an end is said to its last part, also where GitHub or the runner was away for a part of it.

const SECOND = 1000
const MINUTE = 60 * SECOND
const WRITES = { issues: 'write', pull_requests: 'write', contents: 'read', statuses: 'write' } as const
const CODE = 30
const BAD_GATEWAY = { kind: 'status', status: 502 } as const
const MESSAGE: FaultMatch = { host: 'service', method: 'POST', path: /\/message$/ }
const COMMENT: FaultMatch = { host: 'github', method: 'POST', path: /\/issues\/\d+\/comments$/ }

/** From now on, such requests get no answer for so long. */
function away({ faults, settings }: World, match: FaultMatch, ms: number): void {
  const from = settings.now()
  faults.add({ match, times: Number.POSITIVE_INFINITY, between: [from, from + ms], fault: BAD_GATEWAY })
}

test.skipIf(IN_BUNDLE)(
  '5.7 4.13 an endpoint that fails before the agent is asked: thread, reaction and commit status say the end',
  async () => {
    const emulator = ownWorld({ permissions: WRITES })
    emulator.github.addPullRequest({ number: CODE, user: 'alice' })
    await emulator.ask('/docs explain', { on: CODE })
    away(emulator, { method: 'GET', path: /\/pulls\/77$/ }, 130 * SECOND)
    const inputs = { 'commit-status': 'docs' }
    const { said, ...result } = await emulator.ask('/docs more', { on: CODE, inputs })
    expectOutcome(result, 'error', 'github-unavailable')
    expect(emulator.promptCounts()).toEqual([1])
    expect(emulator.lastWords(CODE)).toMatch(/^\*\*❌ /)
    expect(emulator.reactions(said.id)).toEqual(['confused'])
    const statuses = emulator.github.statuses(emulator.github.pull(CODE).head.sha)
    expect(statuses.at(-1)).toMatchObject({ state: 'error' })
  },
)

test.skipIf(IN_BUNDLE)('5.7 4.13 so does a thread that cannot be read when a push comes', async () => {
  const emulator = codeWorld()
  await happens(emulator, 'labeled')
  away(emulator, { method: 'GET', path: /\/issues\/\d+\/comments$/ }, 130 * SECOND)
  expectOutcome(await pushes(emulator, SECOND_PUSH), 'error', 'github-unavailable')
  expect(saidOf(emulator).at(-1)).toMatch(/^error: /)
})

test.skipIf(IN_BUNDLE)(
  '5.7 4.13 nor does a label then take back what the status of the head says',
  async () => {
    const emulator = codeWorld()
    await happens(emulator, 'labeled')
    away(emulator, { method: 'GET', path: /\/issues\/\d+\/comments$/ }, 130 * SECOND)
    expectOutcome(await happens(emulator, 'labeled', { runId: 91 }), 'error', 'github-unavailable')
    expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
  },
)

test.skipIf(IN_BUNDLE).each([
  ['a re-run', 2, false],
  ['a sweep after the post step', 2, true],
  ['a sweep once no run can wait for it', 31, false],
] as const)(
  '4.10 5.6 8.1 a preview that a killed run left: %s deploys it once, and shows it',
  async (by, minutes, post) => {
    const emulator = ownWorld()
    const said = emulator.say('/docs explain')
    const inputs = { preview: 'true' }
    const run = emulator.given(said, { inputs, post })
    await emulator.interrupted(run, COMMENT, { skip: 1, when: 'after' })
    await emulator.pass(minutes * MINUTE)
    const comes = () =>
      by === 'a re-run' ? emulator.act(said, { attempt: 2, inputs, post: false }) : emulator.collect()
    for (let n = 0; n < 2; n++) await comes()
    expect(emulator.bodies()).toEqual([expect.stringContaining('[Preview](')])
    expect(emulator.calls('service').filter((call) => /POST .*\/preview\//.test(call))).toHaveLength(1)
  },
)

test.skipIf(IN_BUNDLE)(
  '5.6 8.1 what a run that timed out left open is done while its job goes on',
  async () => {
    const emulator = ownWorld()
    emulator.service.script.push({ ending: 'active-forever' })
    away(emulator, { path: /\/reactions$/ }, 20 * MINUTE)
    const { said } = await emulator.ask('/docs explain', { inputs: { 'timeout-minutes': '2' } })
    expect(emulator.reactions(said.id)).toEqual([])
    const told = emulator.bodies()
    await emulator.pass(30 * MINUTE)
    await emulator.collect()
    expect(emulator.reactions(said.id)).toEqual(['confused'])
    expect(emulator.bodies()).toEqual([expect.stringContaining(told[0]?.split('\n')[0] ?? '?')])
    const before = emulator.calls().length
    await emulator.collect()
    expect(
      emulator
        .calls()
        .slice(before)
        .some((call) => call.includes('/reactions')),
    ).toBe(false)
  },
)

test.skipIf(IN_BUNDLE)('4.10 8.1 a sweep leaves a preview to the run that waits for it', async () => {
  const emulator = ownWorld()
  emulator.service.previews.everyDeployment = { durationMs: 5 * MINUTE }
  const match = { host: 'service', method: 'GET', path: /\/update-status\// } as const
  const call = async () => void (await emulator.collect())
  emulator.faults.add({ match, skip: 20, fault: { kind: 'call', call } })
  await emulator.ask('/docs explain', { inputs: { preview: 'true' } })
  expect(emulator.bodies()).toEqual([expect.stringContaining('[Preview](')])
  expect(emulator.calls('service').filter((name) => /POST .*\/preview\//.test(name))).toHaveLength(1)
})

test.skipIf(IN_BUNDLE)(
  '4.10 5.6 a preview that a cancelled run left while it followed the checks, too',
  async () => {
    const emulator = ownWorld()
    emulator.github.checks.script.push([{ name: 'build', takesMs: 10 * MINUTE }])
    emulator.service.previews.everyDeployment = { reads: 9 }
    const inputs = { preview: 'true', 'fix-attempts': '1' }
    const run = emulator.given(emulator.say('/docs explain'), { inputs })
    const match = { host: 'service', method: 'GET', path: /\/update-status\// } as const
    await emulator.interrupted(run, match, { signal: 'SIGINT' })
    expect(emulator.lastWords()).not.toContain('[Preview](')
    await emulator.pass(60 * MINUTE)
    emulator.service.previews.everyDeployment = { reads: 1 }
    await emulator.collect()
    expect(emulator.lastWords()).toContain('[Preview](')
  },
)

test.skipIf(IN_BUNDLE)(
  '5.2 6.2 a run that does not wait leaves its job to a sweep from the answer on',
  async () => {
    const emulator = world({ permissions: WRITES })
    emulator.github.addPullRequest({ number: CODE, user: 'alice' })
    const inputs = { wait: 'false', 'commit-status': 'docs' }
    const run = emulator.given(emulator.say('/docs explain', { on: CODE }), { inputs })
    const read = { method: 'GET', path: /\/issues\/30\/comments$/ } as const
    await emulator.interrupted(run, read, { skip: 1 })
    expect(emulator.lastWords(CODE)).not.toContain(SAYS.uncertain)
    for (let sweeps = 0; sweeps < 4; sweeps += 1) await emulator.collect()
    expect(emulator.lastWords(CODE)).toContain('✅')
  },
)

test.skipIf(IN_BUNDLE)(
  '5.2 a re-run that read the thread and fails before its plan leaves what the earlier attempt said',
  async () => {
    const emulator = ownWorld()
    await emulator.ask('/docs explain')
    emulator.faults.add({ match: MESSAGE, fault: { kind: 'status', status: 402 } })
    const { said } = await emulator.ask('/docs more')
    const before = emulator.bodies()
    expect(before.at(-1)).toContain(SAYS.unsent)
    away(emulator, { method: 'GET', path: /\/pulls\/77$/ }, 130 * SECOND)
    const result = await emulator.act(said, { attempt: 2, post: false })
    expectOutcome(result, 'error', 'github-unavailable')
    expect(emulator.bodies()).toEqual(before)
  },
)

test.skipIf(IN_BUNDLE)(
  '5.6 4.12 what an outage kept back during the checks, the run itself does',
  async () => {
    const emulator = ownWorld()
    emulator.github.checks.script.push([{ name: 'build', takesMs: 8 * MINUTE }])
    const call = () => away(emulator, { method: 'POST', path: /\/(labels|reactions)$/ }, 4 * MINUTE)
    emulator.faults.add({ match: COMMENT, skip: 1, fault: { kind: 'call', when: 'after', call } })
    const inputs = { 'fix-attempts': '1', labels: 'docs' }
    const { said, ...result } = await emulator.ask('/docs explain', { inputs, post: false })
    expect(result.outputs).toMatchObject({ outcome: 'pull-request', checks: 'success' })
    expect(emulator.github.repo().issues.get(77)?.labels).toEqual(['docs'])
    expect(emulator.reactions(said.id)).toEqual(['rocket'])
  },
)

test.skipIf(IN_BUNDLE)(
  '5.5 5.6 the answer to the comment on the pull request is lost before the checks end: there is one',
  async () => {
    const emulator = ownWorld()
    emulator.github.checks.script.push([{ name: 'build', takesMs: 8 * MINUTE }])
    const there = { host: 'github', path: /\/issues\/77\/comments$/ } as const
    const call = () => away(emulator, there, 4 * MINUTE)
    const lost = { kind: 'reset', when: 'after' } as const
    emulator.faults.add({ match: { ...there, method: 'POST' }, fault: { kind: 'call', call } })
    emulator.faults.add({ match: { ...there, method: 'POST' }, fault: lost })
    await emulator.ask('/docs explain', { inputs: { 'fix-attempts': '1' } })
    expect(emulator.bodies(77)).toHaveLength(1)
  },
)

test.skipIf(IN_BUNDLE)(
  '5.6 4.12 killed while the checks run: the thread has what is done by then',
  async () => {
    const emulator = ownWorld()
    emulator.github.checks.script.push([{ name: 'build', takesMs: 8 * MINUTE }])
    const inputs = { 'fix-attempts': '1', labels: 'docs' }
    const run = emulator.given(emulator.say('/docs explain'), { inputs, post: false })
    const match = { method: 'GET', path: /\/check-runs$/ } as const
    await emulator.interrupted(run, match, { skip: 5 })
    expect(emulator.records()).toEqual([expect.objectContaining({ openParts: ['checks'] })])
  },
)

test.skipIf(IN_BUNDLE)(
  '5.2 a re-run that cannot read the thread says nothing over what it does not know',
  async () => {
    const emulator = ownWorld()
    const said = emulator.say('/docs explain')
    await emulator.interrupted(emulator.given(said, { post: false }), READ, { when: 'after' })
    away(emulator, { method: 'GET', path: /\/issues\/12\/comments$/ }, 130 * SECOND)
    expectOutcome(await emulator.act(said, { attempt: 2 }), 'error', 'github-unavailable')
    expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.works)])
    await emulator.pass(2 * MINUTE)
    expectOutcome(await emulator.act(said, { attempt: 3 }), 'pull-request')
    expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.opened)])
    expect(emulator.promptCounts()).toEqual([1])
  },
)

test.skipIf(IN_BUNDLE)(
  '5.6 8.2 a sweep reports right after a run said that it waits no more: the result stays, and comes once',
  async () => {
    const emulator = ownWorld()
    emulator.service.script.push({ durationMs: 2 * MINUTE + 500 })
    const call = async () => {
      await emulator.pass(1500)
      await emulator.collect({ comment: 'update' })
    }
    const match = { host: 'github', method: 'POST', path: /\/reactions$/ } as const
    emulator.faults.add({ match, skip: 1, fault: { kind: 'call', call } })
    const inputs = { 'timeout-minutes': '2', comment: 'update' }
    const { said, ...result } = await emulator.ask('/docs explain', { inputs })
    expectOutcome(result, 'timed-out')
    expect(emulator.bodies()).toEqual([expect.stringContaining(SAYS.opened)])
    expect(emulator.reactions(said.id)).toEqual(['rocket'])
    await emulator.pass(10 * MINUTE)
    expect((await emulator.collect({ comment: 'update' })).outputs.finished).toBe('0')
  },
)

test.skipIf(IN_BUNDLE)(
  '4.13 5.6 8.2 so does the commit status, where the run could not read its job',
  async () => {
    const emulator = codeWorld()
    emulator.service.script.push({ durationMs: 3 * SECOND })
    emulator.faults.add({ match: READ, fault: { kind: 'status', status: 401 } })
    let isOver = false
    const call = async () => {
      if (isOver) return
      isOver = true
      await emulator.pass(1500)
      await emulator.collect()
    }
    const match = { host: 'github', method: 'POST', path: /\/statuses\// } as const
    emulator.faults.add({ match, skip: 1, fault: { kind: 'call', call } })
    expectOutcome(await happens(emulator, 'labeled'), 'error', 'unauthorized')
    expect(emulator.lastWords(CODE_PULL)).toContain(SAYS.opened)
    expect(saidOf(emulator).at(-1)).toBe(DELIVERED)
  },
)

test.skipIf(IN_BUNDLE)(
  '2 2.1 a sweep that reports while a run ends takes back nothing of what that has said',
  async () => {
    const emulator = world()
    emulator.service.script.push({ durationMs: 63_000 })
    const call = async () => {
      await emulator.settings.sleep(8000)
      await emulator.collect()
    }
    emulator.faults.add({
      match: { method: 'DELETE', path: /\/issues\/comments\/\d+$/ },
      fault: { kind: 'call', call },
    })
    const result = await emulator.ask('/docs explain', { inputs: { 'timeout-minutes': '1' } })
    expect([result.exitCode, result.outputs.outcome], result.log).toEqual([1, 'timed-out'])
    expect(emulator.lastWords()).toContain('✅')
  },
)
