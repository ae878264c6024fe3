import { describe, expect, test } from 'vitest'
import type { Fault } from '../../emulator/faults.ts'
import type { Check } from '../../emulator/github/checks.ts'
import { checkedWorld as world } from '../helpers/checked-world.ts'
import type { World } from '../helpers/world.ts'

const FIX = { 'fix-attempts': '2', 'timeout-minutes': '60' }
const SECOND = 1000
const MINUTE = 60 * SECOND
const NEVER = { takesMs: Number.POSITIVE_INFINITY }
const CLA: Check = { name: 'license/cla', kind: 'status', ...NEVER }
const OFFLINE: Check = { name: 'gpu', startsAfterMs: Infinity, ...NEVER }

const ask = (emulator: World, inputs = {}) => emulator.ask('/docs explain', { inputs: { ...FIX, ...inputs } })

/** When the first request of a kind came, in ms on the emulator's clock. */
const timeOf = ({ requests }: World, path: RegExp): number =>
  requests.find((request) => path.test(request.path))?.at ?? Number.NaN

const FIXES = /\/message$/

describe('4.12 what never ends holds nothing up', () => {
  test.each<[string, readonly Check[], string, RegExp]>([
    [
      'a pending status and a queued check',
      [{ name: 'build' }, CLA, OFFLINE],
      'pending',
      /^\*\*⏳ .* Of its 3 checks, \[`gpu`\]\(\S+\), `license\/cla` had not ended\.\n/,
    ],
    [
      'them after the last fix failed as well',
      [{ name: 'build', conclusion: 'failure' }, CLA],
      'failure',
      /^\*\*⚠️ .* Of its 2 checks, \[`build`\]\(\S+\) fails, `license\/cla` had not ended; failures went back/,
    ],
  ])('the run stops after five minutes where nothing is left but %s', async (_, checks, status, words) => {
    const emulator = world([checks, checks])
    const result = await ask(emulator, { 'fix-attempts': '1' })
    expect(result.outputs, result.log).toMatchObject({ outcome: 'pull-request', checks: status })
    expect(emulator.bodies()).toEqual([expect.stringMatching(words)])
    const from = emulator.requests.findLast(({ path }) => FIXES.test(path))?.at
    const waited = emulator.settings.now() - (from ?? timeOf(emulator, /check-runs$/))
    expect(waited).toBeGreaterThanOrEqual(5 * MINUTE)
    expect(waited).toBeLessThan(7 * MINUTE)
  })
})

describe('4.12 `none` only where no head ever had a check', () => {
  test('the records of the thread know of one as well', async () => {
    const emulator = world([[{ name: 'build' }], []])
    await ask(emulator)
    const next = await emulator.ask('/docs shorten it', { inputs: FIX, runId: 2 })
    expect(next.outputs, next.log).toMatchObject({ checks: 'pending' })
  })
})

describe('4.12 a 404, 410 or 422 of GitHub counts the second time', () => {
  test.each([
    [/\/pulls\/77$/, 404],
    [/check-runs$/, 410],
    [/check-suites$/, 422],
    [/\/status$/, 404],
  ])('%s answers %i once', async (path, status) => {
    const emulator = world([[{ name: 'build', conclusion: 'failure' }], [{ name: 'build' }]])
    const fault: Fault = { kind: 'status', status }
    for (const skip of [1, 4]) emulator.faults.add({ match: { host: 'github', path }, skip, fault })
    const result = await ask(emulator)
    expect(result.outputs, result.log).toMatchObject({ checks: 'success', fixes: '1' })
    expect(result.annotations).toEqual([])
  })

  test('one that comes again half a minute later counts', async () => {
    const emulator = world([[{ name: 'build' }]])
    const fault: Fault = { kind: 'status', status: 404 }
    emulator.faults.add({ match: { host: 'github', path: /check-runs$/ }, fault, times: Infinity })
    const result = await ask(emulator)
    expect(result.outputs).toMatchObject({ checks: 'unavailable' })
    expect(result.annotations).toMatchObject([{ level: 'warning' }])
    expect(Number(result.outputs['duration-seconds'])).toBeGreaterThanOrEqual(30)
    expect(Number(result.outputs['duration-seconds'])).toBeLessThan(60)
  })
})
