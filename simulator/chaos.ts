import type { Fault, When } from '../emulator/faults.ts'
import type { Host } from '../emulator/http.ts'
import type { Dice, Weighted } from './dice.ts'
import { HOSTILE } from './hostile.ts'
import { ELSEWHERE, STRAY_PATH } from './network.ts'

type Make = (dice: Dice, now: number) => Fault

const either = (dice: Dice): When => dice.pick(['before', 'after'])

const delay: Make = (dice) => ({ kind: 'delay', ms: dice.spread(100, 60_000), when: either(dice) })

/** What can happen to a connection, to either host. */
const ANYWHERE: Weighted<Make> = [
  [() => ({ kind: 'refuse' }), 3],
  [(dice) => ({ kind: 'reset', when: either(dice) }), 4],
  [() => ({ kind: 'resetMidBody' }), 2],
  [(dice) => ({ kind: 'stall', when: either(dice) }), 2],
  [() => ({ kind: 'stallMidBody' }), 1],
  [delay, 4],
  [(dice) => ({ kind: 'slowBody', chunkBytes: 400, pauseMs: dice.spread(10, 8000) }), 1],
  [(dice) => ({ kind: 'html', status: dice.pick([200, 403, 502, 503]), when: 'before' }), 1],
  [() => ({ kind: 'truncated' }), 1],
  [() => ({ kind: 'wrongType' }), 1],
  [() => ({ kind: 'wrongType', body: 'null' }), 0.5],
  [
    (dice) => ({ kind: 'redirect', location: `${ELSEWHERE}/steal`, status: dice.pick([301, 302, 307, 308]) }),
    1,
  ],
  [() => ({ kind: 'oversize', bytes: 6 * 1024 * 1024 }), 0.1],
]

/** The other end repeats what it got, and more. It can only echo the secret that it gets itself. */
const echo = (dice: Dice, secret: 'test-key' | 'test-token'): unknown =>
  dice.pick<unknown>([
    { error: 'Invalid request', message: 'Invalid request' },
    { error: `Bearer ${secret} was refused\n::error::forged by the server` },
    { error: dice.pick(HOSTILE), message: dice.pick(HOSTILE) },
    { message: `token ${secret} ${secret}`, errors: [{ message: dice.pick(HOSTILE) }] },
    `plain text with ${secret}\r\n::set-output name=outcome::forged`,
    `<html><body>${secret}</body></html>`,
    ['a', 'list'],
    '',
  ])

const retryAfter = (dice: Dice, now: number): Readonly<Record<string, string>> => ({
  'retry-after': dice.weighted([
    [String(dice.spread(1, 120)), 6],
    [new Date(now + dice.spread(1000, 600_000)).toUTCString(), 2],
    ['86400', 1],
    ['0', 1],
    ['-5', 0.5],
    ['soon', 0.5],
  ]),
})

/** Refusals are never of something that was done all the same; faults of the server may be (contract 4.3). */
const SERVICE: Weighted<Make> = [
  ...ANYWHERE,
  [(dice) => ({ kind: 'redirect', location: STRAY_PATH, status: dice.pick([301, 302, 307, 308]) }), 0.5],
  [
    (dice) => ({
      kind: 'status',
      status: dice.pick([400, 401, 402, 403, 408, 409, 422]),
      body: echo(dice, 'test-key'),
    }),
    4,
  ],
  [(dice) => ({ kind: 'status', status: 404, body: echo(dice, 'test-key') }), 1],
  [
    (dice) => ({
      kind: 'status',
      status: dice.pick([500, 502, 503, 504, 520]),
      body: echo(dice, 'test-key'),
      when: either(dice),
    }),
    5,
  ],
  [(dice) => ({ kind: 'status', status: 429, body: echo(dice, 'test-key') }), 2],
  [
    (dice, now) => ({
      kind: 'status',
      status: 429,
      body: echo(dice, 'test-key'),
      headers: retryAfter(dice, now),
    }),
    3,
  ],
  [
    (dice, now) => ({
      kind: 'status',
      status: 503,
      body: echo(dice, 'test-key'),
      headers: { 'retry-after': String(dice.spread(1, Math.max(2, now % 600))) },
    }),
    3,
  ],
]

const said = (message: string) => ({ message, documentation_url: 'https://docs.github.com/rest' })

const GITHUB: Weighted<Make> = [
  ...ANYWHERE,
  [() => ({ kind: 'status', status: 401, body: said('Bad credentials') }), 1],
  [() => ({ kind: 'status', status: 403, body: said('Resource not accessible by integration') }), 2],
  [() => ({ kind: 'status', status: 404, body: said('Not Found') }), 2],
  [() => ({ kind: 'status', status: 410, body: said('This issue was locked') }), 1],
  [() => ({ kind: 'status', status: 422, body: said('Body is too long (maximum is 65536 characters)') }), 1],
  [
    (dice) => ({
      kind: 'status',
      status: dice.pick([500, 502, 503]),
      body: echo(dice, 'test-token'),
      when: either(dice),
    }),
    5,
  ],
  [
    (dice, now) => ({
      kind: 'status',
      status: dice.pick([403, 429]),
      body: said('API rate limit exceeded'),
      headers: {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.round(now / 1000) + dice.spread(1, 3600)),
      },
    }),
    2,
  ],
  [
    (dice) => ({
      kind: 'status',
      status: dice.pick([403, 429]),
      body: said('You have exceeded a secondary rate limit'),
      headers: { 'retry-after': String(dice.spread(1, 300)) },
    }),
    2,
  ],
  [(dice) => ({ kind: 'status', status: dice.pick([400, 418]), body: echo(dice, 'test-token') }), 1],
]

/** Something that goes wrong with a request to this host. */
export const faultOf = (host: Host, dice: Dice, now: number): Fault =>
  dice.weighted(host === 'service' ? SERVICE : GITHUB)(dice, now)

/** For tables: `status 503 after`. */
export function nameOf(fault: Fault): string {
  const status = 'status' in fault && fault.status !== undefined ? ` ${fault.status}` : ''
  const wait = fault.kind === 'status' && fault.headers?.['retry-after'] !== undefined ? ' + Retry-After' : ''
  const when = 'when' in fault && fault.when === 'after' ? ' after' : ''
  return `${fault.kind}${status}${wait}${when}`
}
