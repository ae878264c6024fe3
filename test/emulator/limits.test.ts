import { expect, test } from 'vitest'
import { simulatedClock } from '../../emulator/clock.ts'
import { createEmulator } from '../../emulator/emulator.ts'
import type { RateLimitOptions } from '../../emulator/github/rate-limits.ts'
import { ask } from './helpers.ts'

// docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api

const MINUTE = 60_000

function limited(rateLimits?: RateLimitOptions) {
  const clock = simulatedClock()
  const emulator = createEmulator({ ...clock, rateLimits })
  emulator.github.addIssue({ number: 1 })
  const [issue, comments] = ['/repos/octo/app/issues/1', '/repos/octo/app/issues/1/comments']
  const read = () => ask(emulator, `GET ${issue}`)
  const comment = () => ask(emulator, `POST ${comments}`, { body: 'x' })
  const remove = () => ask(emulator, 'DELETE /repos/octo/app/issues/comments/1')
  return { clock, emulator, read, comment, remove }
}

/** How many of so many requests, one after another, are not refused. */
async function allowed(many: number, request: () => Promise<{ status: number }>): Promise<number> {
  let count = 0
  for (let n = 0; n < many; n += 1) if (![403, 429].includes((await request()).status)) count += 1
  return count
}

// "In general, no more than 80 content-generating requests per minute and no more than 500 […] per hour are allowed."
test('80 requests a minute and 500 an hour may create content', async () => {
  const { clock, comment } = limited({})
  expect(await allowed(90, comment)).toBe(80)
  let hour = 80
  for (let minute = 0; minute < 7; minute += 1) {
    await clock.sleep(MINUTE + 1)
    hour += await allowed(80, comment)
  }
  expect(hour).toBe(500)
})

// "No more than 900 points per minute are allowed": a GET is one, "most POST, PATCH, PUT, or DELETE requests" are five.
test('a minute has 900 points, and the refusal is what the options say', async () => {
  const { clock, read, remove } = limited({ retryAfter: 3, status: 429 })
  expect(await allowed(100, remove)).toBe(100)
  expect(await allowed(401, read)).toBe(400)
  const { status, headers } = await read()
  expect([status, headers.get('retry-after')]).toEqual([429, '3'])
  await clock.sleep(MINUTE + 1)
  expect(await allowed(1, read)).toBe(1)
})

// "If GitHub takes more than 10 seconds to process an API request, GitHub will terminate the request".
test('GitHub ends a request after ten seconds, and may carry it out', async () => {
  const { clock, emulator, comment } = limited()
  emulator.faults.add({ fault: { kind: 'delay', ms: 15_000 } })
  expect([(await comment()).status, clock.passed()]).toEqual([504, 10_000])
  expect(emulator.github.comments(1)).toHaveLength(0)
  await clock.sleep(5001)
  expect(emulator.github.comments(1)).toHaveLength(1)
})
