import { describe, expect, test } from 'vitest'
import { TransportError, type TransportKind } from '../../src/http/fetch.ts'
import { backoffMs, verdictOf } from '../../src/http/retry.ts'
import { type Failure, reasonOf } from '../../src/http/service.ts'

const transport = (kind: TransportKind): Failure => ({
  kind: 'transport',
  error: new TransportError(kind, 'x'),
})
const status = (code: number, retryAfterMs?: number): Failure => ({
  kind: 'status',
  status: code,
  detail: '',
  retryAfterMs,
})
const unreadable: Failure = { kind: 'unreadable', detail: 'x' }

describe.each([
  ['no connection', transport('unsent'), 'retry', 'retry', 'network'],
  ['bad certificate', transport('certificate'), 'end', 'end', 'network'],
  ['an environment that can never work', transport('unusable'), 'end', 'end', 'network'],
  ['response time-out', transport('timeout'), 'unknown', 'retry', 'network'],
  ['reset', transport('broken'), 'unknown', 'retry', 'network'],
  ['hung up', transport('cancelled'), 'unknown', 'retry', 'network'],
  ['over 5 MiB', transport('too-large'), 'unknown', 'retry', 'bad-response'],
  ['unreadable 2xx', unreadable, 'unknown', 'retry', 'bad-response'],
  ['429', status(429), 'retry', 'retry', 'rate-limited'],
  ['429 with Retry-After', status(429, 1000), 'retry', 'retry', 'rate-limited'],
  ['503 with Retry-After', status(503, 0), 'retry', 'retry', 'service-unavailable'],
  ['bare 503', status(503), 'unknown', 'retry', 'service-unavailable'],
  ['500', status(500), 'unknown', 'retry', 'service-unavailable'],
  ['500 with Retry-After', status(500, 1000), 'unknown', 'retry', 'service-unavailable'],
  ['502', status(502), 'unknown', 'retry', 'service-unavailable'],
  ['504', status(504), 'unknown', 'retry', 'service-unavailable'],
  ['599', status(599), 'unknown', 'retry', 'service-unavailable'],
  ['408', status(408), 'end', 'retry', 'rejected'],
  ['400', status(400), 'end', 'end', 'rejected'],
  ['401', status(401), 'end', 'end', 'unauthorized'],
  ['402', status(402), 'end', 'end', 'payment-required'],
  ['403', status(403), 'end', 'end', 'forbidden'],
  ['404', status(404), 'end', 'end', 'job-not-found'],
  ['409', status(409), 'end', 'end', 'rejected'],
  ['422', status(422), 'end', 'end', 'rejected'],
  ['307', status(307), 'end', 'end', 'bad-response'],
] as const)('%s', (_, failure, send, read, reason) => {
  test(`4.3 create and message: ${send}`, () => expect(verdictOf('send', failure)).toBe(send))
  test(`4.4 read: ${read}`, () => expect(verdictOf('read', failure)).toBe(read))
  test(`2 reason: ${reason}`, () => expect(reasonOf(failure)).toBe(reason))
})

test('4.4 pauses between tries double from 1 s to 30 s, and vary by a tenth', () => {
  const middle = [1, 2, 3, 4, 5, 6, 7, 100].map((n) => backoffMs(n, () => 0.5))
  expect(middle).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  expect(backoffMs(1, () => 0)).toBeCloseTo(900)
  expect(backoffMs(1, () => 0.999_999)).toBeLessThanOrEqual(1100)
})
