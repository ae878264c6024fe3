import { expect, test } from 'vitest'
import { simulatedClock } from '../../emulator/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import type { RateLimitOptions } from '../../emulator/github/rate-limits.ts'
import { APP, clients } from './helpers.ts'

function limited(rateLimits?: RateLimitOptions) {
  const clock = simulatedClock()
  const emulator = createEmulator({ ...clock, rateLimits })
  emulator.github.addIssue({ number: 1 })
  const { github } = clients(emulator)
  const read = () => github('GET', `${APP}/issues/1`)
  const comment = () => github('POST', `${APP}/issues/1/comments`, { body: 'x' })
  const react = () => github('DELETE', `${APP}/issues/comments/1/reactions/1`)
  return { clock, emulator, read, comment, react }
}

/** How many of so many requests, one after another, are not refused. */
async function allowed(many: number, request: () => Promise<{ status: number }>): Promise<number> {
  let count = 0
  for (let n = 0; n < many; n += 1) if (![403, 429].includes((await request()).status)) count += 1
  return count
}

test('80 requests a minute and 500 an hour may create content', async () => {
  const { clock, comment } = limited({})
  expect(await allowed(90, comment)).toBe(80)
  expect((await comment()).body.message).toContain('blocked from content creation')
  let hour = 80
  for (let minute = 0; minute < 7; minute += 1) {
    await clock.sleep(60_001)
    hour += await allowed(80, comment)
  }
  expect(hour).toBe(500)
})

test('a minute has 900 points: a read is one, a write five', async () => {
  const { clock, read, react } = limited({ primaryPerHour: 5000, retryAfter: 3, status: 429 })
  expect(await allowed(100, react)).toBe(100)
  expect(await allowed(401, read)).toBe(400)
  const { status, headers } = await read()
  expect([status, headers.get('retry-after')]).toEqual([429, '3'])
  await clock.sleep(60_001)
  expect(await allowed(1, read)).toBe(1)
})

test('the hour of the token ends with a header that says so, and none of this counts by default', async () => {
  const { read } = limited({ primaryPerHour: 3 })
  expect(await allowed(3, read)).toBe(3)
  const { status, headers, body } = await read()
  expect([status, headers.get('x-ratelimit-remaining')]).toEqual([403, '0'])
  expect(body.message).toMatch(/^API rate limit exceeded/)
  const free = limited()
  expect(await allowed(1100, free.read)).toBe(1100)
})

test('a hundred requests at the same time, and no more', async () => {
  const { emulator, read } = limited({})
  emulator.faults.add({ times: 200, fault: { kind: 'delay', ms: 1000 } })
  const statuses = (await Promise.all(Array.from({ length: 101 }, read))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 403)).toHaveLength(1)
})

test('GitHub ends a request after ten seconds, and may carry it out', async () => {
  const { clock, emulator, comment } = limited()
  emulator.faults.add({ fault: { kind: 'delay', ms: 15_000 } })
  expect([(await comment()).status, clock.passed()]).toEqual([504, 10_000])
  expect(emulator.github.comments(1)).toHaveLength(0)
  await clock.sleep(5001)
  expect(emulator.github.comments(1)).toHaveLength(1)
})
