import { describe, expect, test } from 'vitest'
import type { Check } from '../../emulator/github/checks.ts'
import type { RunResult } from '../../emulator/runner.ts'
import type { ActionRecord, RequestRecord } from '../../src/record/record.ts'
import { signingKey, signRecord } from '../../src/record/signed-record.ts'
import { checkedWorld, FIX, fixes, MESSAGE } from '../helpers/checked-world.ts'
import { CODE, codeWorld, DELIVERED, happens, pushes, SECOND_PUSH, saidOf } from '../helpers/code-world.ts'
import {
  BOT,
  CREATE,
  DAY_MS,
  errorsOf,
  expectOutcome,
  IN_BUNDLE,
  ISSUE,
  MEMORY_KEY,
  type Said,
  signingOf,
  type World,
  world,
} from '../helpers/world.ts'

// Contract 3.15: how many times a day the agent is asked.

const LISTS = /^\/repos\/octo\/app\/issues\/comments$/
const ALWAYS = { times: Number.POSITIVE_INFINITY } as const
const HOUR = 3_600_000
const limit = (most: number) => ({ 'daily-limit': String(most) })
const FULL =
  /`?daily-limit`? allows 1 request in 24 hours\. \[?Re-run the workflow(?:\]\(\S+\))? after (\d{4}-\d\d-\d\d \d\d:\d\d) UTC\./

const asked = (emulator: World): number => emulator.prompts().length
const lists = ({ requests }: World) => requests.filter(({ path }) => LISTS.test(path))

/** One more issue, and a command there. */
async function elsewhere(emulator: World, inputs: Readonly<Record<string, string>>, more = {}) {
  const { number } = emulator.github.addIssue({ title: 'Another', body: '', user: 'carol' })
  const { said, ...result } = await emulator.ask('/docs more', {
    on: number,
    runId: 2000 + number,
    inputs,
    ...more,
  })
  return { number, said, result }
}

/** @returns when the next place is free, as the log says */
function expectFull(result: RunResult, most = 1): string {
  expectOutcome(result, 'skipped', 'daily-limit')
  expect(result.exitCode).toBe(0)
  const full = new RegExp(FULL.source.replace('1 request ', `${most} requests? `))
  expect(result.log).toMatch(full)
  return full.exec(result.log)?.[1] ?? ''
}

interface NewAsk {
  readonly at: number
  readonly login?: string
  readonly type?: 'User' | 'Bot'
  readonly key?: string
  /** In place of what the record there says. */
  readonly more?: Partial<RequestRecord>
}

/** A comment on the issue, with the record of the one there, but for one other ask. */
function addAsk(
  emulator: World,
  { at, login = BOT, type = 'Bot', key = MEMORY_KEY, more = {} }: NewAsk,
): void {
  const [found] = emulator.records()
  if (found === undefined) throw new Error('no record')
  const record = { ...found, asks: [at], ...more } as ActionRecord
  const body = `Words\n\n${signRecord(record, { ...signingOf(), key: signingKey(key) })}`
  emulator.github.addComment(ISSUE, { login, type, body })
}

test('3.15 a command beyond the limit is not asked; its answer names the time, and then it is asked', async () => {
  const emulator = world()
  expectOutcome(await emulator.ask('/docs explain', { inputs: limit(1) }), 'pull-request')
  await emulator.pass(HOUR)
  const { number, said, result } = await elsewhere(emulator, limit(1))
  const at = expectFull(result)
  expect(emulator.lastWords(number)).toMatch(/^\*\*ℹ️ The daily limit is reached, .*\*\*, @alice\.\n/)
  expect(emulator.lastWords(number)).toMatch(FULL)
  expect(emulator.reactions(said.id)).toEqual(['confused'])
  expect(asked(emulator)).toBe(1)

  // Not a moment earlier than the message says.
  const until = Date.parse(`${at}Z`) - emulator.settings.now()
  await emulator.pass(until - 120_000)
  expectFull(await emulator.act(said, { attempt: 2, runId: 2000 + number, inputs: limit(1) }))
  await emulator.pass(120_000)
  const again = await emulator.act(said, { attempt: 3, runId: 2000 + number, inputs: limit(1) })
  expectOutcome(again, 'pull-request')
  expect(emulator.reactions(said.id)).toEqual(['rocket'])
})

test('3.15 without the input nothing is read, and what is asked counts for workflows with it', async () => {
  const emulator = world()
  expectOutcome(await emulator.ask('/docs explain'), 'pull-request')
  expect(lists(emulator)).toEqual([])
  expectFull((await elsewhere(emulator, limit(1), { workflow: 'Other' })).result)
  // Follow-ups in one thread count, too.
  expectOutcome(await emulator.ask('/docs more', { runId: 2 }), 'pull-request')
  expectOutcome(await emulator.ask('/docs less', { runId: 3, inputs: limit(2) }), 'skipped', 'daily-limit')
  expect(lists(emulator)).toHaveLength(2)
})

describe('3.15 on each event', () => {
  test('3.13 4.13 a pull request: the status is an error with the time, and a later push asks', async () => {
    const emulator = codeWorld()
    await emulator.ask('/docs explain')
    const result = await happens(emulator, 'opened', { inputs: limit(1) })
    expectFull(result)
    expect(saidOf(emulator)).toHaveLength(1)
    expect(saidOf(emulator)[0]).toMatch(
      /^error: daily-limit allows 1 request in 24 hours\. Re-run the workflow after [-\d]+ \d\d:\d\d UTC\.$/,
    )
    expect(emulator.bodies(CODE)).toEqual([])
    await emulator.pass(DAY_MS + HOUR)
    expectOutcome(await pushes(emulator, SECOND_PUSH, { inputs: limit(1) }), 'pull-request')
    expect(saidOf(emulator).at(-1)).toMatch(/^success/)
  })

  test('3.13 a pull request: pushes count although their comments are hidden', async () => {
    const emulator = codeWorld()
    expectOutcome(await happens(emulator, 'opened', { inputs: limit(2) }), 'pull-request')
    expectOutcome(await pushes(emulator, SECOND_PUSH, { inputs: limit(2) }), 'pull-request')
    expect(emulator.bodies(CODE)).toHaveLength(1)
    expectOutcome((await elsewhere(emulator, limit(2))).result, 'skipped', 'daily-limit')
  })

  test('3.9 3.10 a schedule: what was merged goes with the next one', async () => {
    const emulator = world()
    await emulator.ask('/docs explain')
    emulator.merge({ title: 'Add retries' })
    const inputs = { 'issue-title': 'Docs refresh', 'changes-since': 'last-run', ...limit(1) }
    expectFull(await emulator.refresh(1, inputs))
    await emulator.pass(DAY_MS + HOUR)
    expectOutcome(await emulator.refresh(2, inputs), 'pull-request')
    expect(emulator.prompts().at(-1)).toContain('Add retries')
    expectOutcome((await elsewhere(emulator, limit(1))).result, 'skipped', 'daily-limit')
  })
})

const FAILS: Check = { name: 'build', conclusion: 'failure' }

describe.skipIf(IN_BUNDLE)('3.15 4.12 fixes', () => {
  const inputs = (most: number) => ({ 'fix-attempts': '2', ...limit(most) })

  test('beyond the limit, failures stay, and the thread says why', async () => {
    const emulator = checkedWorld([[FAILS, { ...FAILS, name: 'lint' }], [FAILS]])
    const { said: _, ...result } = await emulator.ask('/docs explain', { inputs: inputs(2) })
    expect(result.outputs, result.log).toMatchObject({
      outcome: 'pull-request',
      checks: 'failure',
      fixes: '1',
    })
    expect(fixes(emulator)).toHaveLength(1)
    expect(emulator.lastWords()).toMatch(
      /^\*\*⚠️ .*`build`.* fails; failures went back to the agent once\. No further failures go back: `daily-limit` allows 2 requests in 24 hours\. Re-run the workflow after [-\d]+ \d\d:\d\d UTC\.\n/,
    )
    expect(errorsOf(result)).toEqual([])
    // A day later, a re-run goes on.
    expectOutcome((await elsewhere(emulator, limit(2))).result, 'skipped', 'daily-limit')
  })

  test('a re-run sends them back once there is a place', async () => {
    const emulator = checkedWorld([[FAILS], [{ name: 'build' }]])
    const said = emulator.say('/docs explain')
    const first = await emulator.act(said, { inputs: inputs(1) })
    expect(first.outputs, first.log).toMatchObject({ checks: 'failure', fixes: '0' })
    await emulator.pass(DAY_MS)
    const again = await emulator.act(said, { attempt: 2, inputs: inputs(1) })
    expect(again.outputs, again.log).toMatchObject({ checks: 'success', fixes: '1' })
  })

  test('a list that cannot be read: nothing goes back', async () => {
    const emulator = checkedWorld([[FAILS]])
    const fault = { kind: 'status', status: 403 } as const
    emulator.faults.add({ match: { path: LISTS }, skip: 1, ...ALWAYS, fault })
    const result = await emulator.ask('/docs explain', { inputs: inputs(9) })
    expect(result.outputs, result.log).toMatchObject({
      outcome: 'pull-request',
      checks: 'failure',
      fixes: '0',
    })
    expect(fixes(emulator)).toEqual([])
    expect(emulator.lastWords()).toContain('No further failures go back: Could not count')
  })
})

describe('3.15 records that cannot be read', () => {
  test.each([[403], [502]])('HTTP %i: nothing is asked, and a re-run asks', async (status) => {
    const emulator = world()
    const said = emulator.say('/docs explain')
    const fault = { kind: 'status', status } as const
    const rule = emulator.faults.add({ match: { path: LISTS }, ...ALWAYS, fault })
    const result = await emulator.act(said, { inputs: limit(5) })
    expectOutcome(result, 'error', 'github-unavailable')
    expect(asked(emulator)).toBe(0)
    expect(emulator.bodies().join('\n')).not.toContain('is working')
    rule.remove()
    expectOutcome(await emulator.act(said, { attempt: 2, inputs: limit(1) }), 'pull-request')
  })
})

describe('3.15 what is not counted', () => {
  const warned = ({ annotations }: RunResult) => annotations.map(({ message }) => message).join('\n')
  const UNCOUNTED = /keeps no record in a thread, so daily-limit neither counts nor refuses/

  test('a run without a thread, and one with `comment: off`', async () => {
    const emulator = world()
    await emulator.ask('/docs explain', { inputs: limit(1) })
    const dispatched = await emulator.dispatch({ runId: 2, inputs: limit(1) })
    expectOutcome(dispatched, 'pull-request')
    expect(warned(dispatched)).toMatch(UNCOUNTED)
    const silent = await elsewhere(emulator, { comment: 'off', ...limit(1) })
    expectOutcome(silent.result, 'pull-request')
    expect(warned(silent.result)).toMatch(UNCOUNTED)
    expect(lists(emulator)).toHaveLength(1)
    expectOutcome((await elsewhere(emulator, limit(2))).result, 'pull-request')
  })

  test('one with another memory-key, and a warning says so', async () => {
    const emulator = world()
    await emulator.ask('/docs explain', { inputs: { 'memory-key': 'test-key-of-another-team' } })
    const { result } = await elsewhere(emulator, limit(1))
    expectOutcome(result, 'pull-request')
    expect(warned(result)).toContain('The records of 1 comment of the last day do not verify')
  })

  test('and says so once, also where failures go back', async () => {
    const emulator = checkedWorld([[], [{ name: 'build', conclusion: 'failure' }], [{ name: 'build' }]])
    emulator.github.addIssue({ number: 13 })
    await emulator.ask('/docs explain', { on: 13, inputs: { 'memory-key': 'test-key-of-another-team' } })
    const { outputs, annotations } = await emulator.ask('/docs more', {
      runId: 2,
      inputs: { ...FIX, ...limit(5) },
    })
    expect(outputs).toMatchObject({ checks: 'success', fixes: '1' })
    expect(annotations).toMatchObject([{ message: expect.stringContaining('do not verify') }])
  })

  test('help, status, a dry run, and what surely was not sent', async () => {
    const emulator = world()
    await emulator.ask('/docs help', { inputs: limit(1) })
    await emulator.ask('/docs status', { runId: 2, inputs: limit(1) })
    await emulator.ask('/docs explain', { runId: 3, inputs: { 'dry-run': 'true', ...limit(1) } })
    emulator.faults.add({ match: CREATE, fault: { kind: 'status', status: 402 } })
    const unpaid = await emulator.ask('/docs explain', { runId: 4, inputs: limit(1) })
    expectOutcome(unpaid, 'error', 'payment-required')
    expectOutcome(await emulator.ask('/docs explain', { runId: 5, inputs: limit(1) }), 'pull-request')
  })

  test('4.3 what may have been sent counts', async () => {
    const emulator = world()
    emulator.faults.add({ match: CREATE, fault: { kind: 'reset' } })
    const lost = await emulator.ask('/docs explain', { inputs: limit(1) })
    expectOutcome(lost, 'error', 'creation-uncertain')
    expectFull((await elsewhere(emulator, limit(1))).result)
  })

  test.each<[string, boolean, (emulator: World, said: Said) => Promise<unknown>]>([
    ['with its runner', false, async () => undefined],
    ['and its post step says so', true, async () => undefined],
    ['and a re-run says so', false, (emulator, said) => emulator.act(said, { runId: 7, attempt: 2 })],
    ['and a sweep says so', false, (emulator) => emulator.pass(4 * 60_000).then(() => emulator.collect())],
  ])('6.2 so does what a run was about to send when it was lost %s', async (_, post, later) => {
    const emulator = world()
    const said = emulator.say('/docs explain')
    const run = emulator.given(said, { runId: 7, post, inputs: limit(1) })
    await emulator.interrupted(run, CREATE)
    await later(emulator, said)
    expectFull((await elsewhere(emulator, limit(1))).result)
  })
})

test.each([-25, 0, 25])(
  '3.15 what goes out counts by GitHub’s clock, %i hours before that of its runner',
  async (hours) => {
    const emulator = world()
    await emulator.ask('/docs explain')
    const writtenAt = emulator.settings.now() + hours * HOUR
    const more = { state: 'sending', to: undefined, requestDigest: 'another', writtenAt } as const
    addAsk(emulator, { at: emulator.settings.now(), more: { ...more, asks: [] } })
    expectFull((await elsewhere(emulator, limit(2))).result, 2)
  },
)

describe('3.15 H3 forged records', () => {
  test.each<[string, string, 'User' | 'Bot', string, number, boolean]>([
    ["a stranger's copy", 'mallory', 'User', MEMORY_KEY, 0, false],
    ["a bot's with another key", 'evil[bot]', 'Bot', 'another-key', 0, false],
    ['one from the future', BOT, 'Bot', MEMORY_KEY, 25 * HOUR, false],
    ['but the own ones count', BOT, 'Bot', MEMORY_KEY, 0, true],
  ])('%s', async (_, login, type, key, ahead, counts) => {
    const emulator = world()
    await emulator.ask('/docs explain')
    addAsk(emulator, { at: emulator.settings.now() + ahead, login, type, key })
    const { result } = await elsewhere(emulator, limit(2))
    if (counts) expectOutcome(result, 'skipped', 'daily-limit')
    else expectOutcome(result, 'pull-request')
  })
})

test.each([
  ['a skip', 'skip', 'success: Skipped by alice'],
  ['the agent’s end', 'opened', DELIVERED],
])(
  'H5 4.13 a command that the limit refuses after %s decides the status: no event makes it green again',
  async (_, first, green) => {
    const emulator = codeWorld()
    const once = { 'daily-limit': '1', 'commit-status': 'docs' }
    if (first === 'skip') {
      await emulator.ask('/docs explain')
      await emulator.ask('/docs skip', { on: CODE, runId: 51, inputs: { 'commit-status': 'docs' } })
    } else await happens(emulator, first, { inputs: once })
    expect(saidOf(emulator).at(-1)).toBe(green)
    const refused = await emulator.ask('/docs document retries', { on: CODE, runId: 52, inputs: once })
    expectOutcome(refused, 'skipped', 'daily-limit')
    await happens(emulator, 'labeled', { inputs: once })
    expect(saidOf(emulator).at(-1)).toMatch(/^error: /)
    expect(saidOf(emulator).filter((said) => said === green)).toHaveLength(1)
  },
)

test('3.15 a fix that goes out while another request is asked counts once', async () => {
  const emulator = checkedWorld([[{ name: 'build', conclusion: 'failure' }], [{ name: 'build' }]])
  const call = async () => {
    await emulator.ask('/docs new another', { runId: 77, inputs: { wait: 'false' } })
  }
  emulator.faults.add({ match: MESSAGE, fault: { kind: 'call', call } })
  const { outputs } = await emulator.ask('/docs explain', { inputs: { ...FIX, 'daily-limit': '9' } })
  expect(outputs).toMatchObject({ checks: 'success', fixes: '1' })
  const asks = emulator.records().flatMap((record) => ('asks' in record ? record.asks : []))
  expect(new Set(asks).size).toBe(emulator.prompts().length)
})
