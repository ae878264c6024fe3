import { expect, test } from 'vitest'
import { simulatedClock } from '../../emulator/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import { beforeAsking, briefly, forContext, whileReporting, whileWaiting } from '../../src/http/failure.ts'
import { thrownBy } from '../helpers/agent.ts'
import { forgeOf } from '../trigger/helpers.ts'
import { NOW, type Reply, scripted } from './helpers.ts'

const MINUTE = 60_000
const COMMENT = { id: 1, body: 'x', html_url: 'https://github.com/octo/app/issues/12#c' }
const OK: Reply = { json: COMMENT, takes: 100 }

const refusal = (seconds: number): Reply => ({
  ...{ status: 403, takes: 100, json: { message: 'You have exceeded a secondary rate limit' } },
  headers: { 'retry-after': String(seconds) },
})

test('8.1 what one request learns of a limit keeps the others from meeting it', async () => {
  const { forge, calls } = await scripted(() => (calls.length <= 8 ? refusal(30) : OK), whileReporting())
  const written = Array.from({ length: 30 }, () => forge.updateComment(1, 'x'))
  expect(await Promise.all(written)).toHaveLength(30)
  const times = calls.map(({ at }) => at)
  expect(times.filter((at) => at < 30_000)).toEqual(Array(8).fill(0))
  expect(times).toHaveLength(8 + 30)
})

test('8.1 also reads, and those of another phase, which ends where the limit lasts longer than it', async () => {
  const { forge, calls, sleep } = await scripted(() => (calls.length === 1 ? refusal(3600) : OK))
  const refused = { kind: 'away', httpStatus: 403, detail: 'You have exceeded a secondary rate limit' }
  const limitedUntil = NOW + 100 + 3_600_000
  expect(await thrownBy(forge.updateComment(1, 'x'))).toMatchObject({ ...refused, limitedUntil })
  for (const phase of [forge, forge.during(whileReporting()), forge.during(briefly())]) {
    expect(await thrownBy(phase.issue(12))).toMatchObject({ ...refused, limitedUntil, triedMs: 0 })
  }
  expect(calls).toHaveLength(1)
  await sleep(60 * MINUTE)
  await forge.updateComment(1, 'x')
  expect(calls).toHaveLength(2)
})

test.each([
  ['before the agent is asked', 60, beforeAsking(3 * MINUTE)],
  ['for the context of a prompt', 120, forContext()],
  ['while the job works', 180, whileWaiting(9 * MINUTE)],
  ['for what reports the end', 1020, whileReporting()],
  ['when the run is cancelled', 20, briefly()],
])('5.7 a limit is waited out %s for %i s at most', async (_, seconds, limits) => {
  const asking = async (asked: number) => {
    const { forge, passed } = await scripted(({ at }) => (at < asked * 1000 ? refusal(asked) : OK), limits)
    const failed = await forge.updateComment(1, 'x').then(
      () => false,
      () => true,
    )
    return [failed, Math.floor(passed() / 1000)]
  }
  expect(await asking(seconds - 2)).toEqual([false, seconds - 2])
  expect(await asking(seconds + 2)).toEqual([true, 0])
})

test('5.7 a request that waits for the end of a limit then has the time that every request has', async () => {
  const failed: Reply = { status: 502, json: { message: 'Server Error' } }
  const reply = (at: number) => (at === 0 ? refusal(300) : at < 301_500 ? failed : OK)
  const { forge, passed, sleep } = await scripted(({ at }) => reply(at))
  const first = forge.updateComment(1, 'x')
  await sleep(200)
  await Promise.all([first, forge.updateComment(2, 'x')])
  expect(passed()).toBeGreaterThan(301_500)
})

test('5.7 what is held back takes no room in the pace', async () => {
  const { forge, calls } = await scripted(() => (calls.length <= 8 ? refusal(20) : OK), whileReporting())
  await Promise.all(Array.from({ length: 60 }, () => forge.updateComment(1, 'x')))
  const before = (ms: number) => calls.filter(({ at }) => at < ms).length
  expect([before(20_000), before(MINUTE), calls.length]).toEqual([8, 60, 68])
})

test('5.7 where a limit names no time, nobody comes back before a minute, and one who waited no later', async () => {
  const nameless: Reply = { status: 429, json: { message: 'Too many requests' } }
  const { forge, calls, sleep } = await scripted(({ path, at }) =>
    at === 0 || (path.endsWith('/2') && at === MINUTE) ? nameless : OK,
  )
  const first = forge.updateComment(1, 'x')
  await sleep(1000)
  await Promise.all([first, forge.updateComment(2, 'x')])
  expect(calls.map(({ at }) => at)).toEqual([0, MINUTE, MINUTE, 2 * MINUTE])
})

test('8.1 of five hundred comments, 375 come in the first hour', async () => {
  const { forge, calls } = await scripted(() => OK, whileReporting())
  await Promise.all(Array.from({ length: 500 }, () => forge.updateComment(1, 'x')))
  expect(calls.filter(({ at }) => at < 60 * MINUTE)).toHaveLength(375)
  expect(calls).toHaveLength(500)
})

test('8.1 the limit of an hour, met by many, is met a few times', async () => {
  const [clock, start] = [simulatedClock(0), Date.now()]
  const emulator = createEmulator({ ...clock, now: () => start + clock.passed(), rateLimits: {} })
  emulator.github.addIssue({ number: 12 })
  const forge = (await forgeOf(emulator, clock)).during(beforeAsking(60 * MINUTE))
  const reads = await Promise.allSettled(Array.from({ length: 1500 }, () => forge.issue(12)))
  const refused = emulator.requests.filter(({ status }) => status === 403)
  expect(reads.filter(({ status }) => status === 'fulfilled')).toHaveLength(1000)
  expect(refused.length).toBeLessThanOrEqual(8)
})
