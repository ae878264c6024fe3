import type { Fault, When } from '../emulator/faults.ts'
import type { EmulatedRequest, Host } from '../emulator/http.ts'
import { Dice, type Weighted } from './dice.ts'
import { HOSTILE } from './hostile.ts'
import type { Life } from './life.ts'
import { CALL_HEADER, ELSEWHERE, STRAY_PATH } from './network.ts'
import type { World } from './world.ts'

type Make = (dice: Dice, now: number) => Fault

const either = (dice: Dice): When => dice.pick(['before', 'after'])

/** What breaks a request on its way, to either host. */
const BREAKS: Weighted<Make> = [
  [() => ({ kind: 'refuse' }), 3],
  [(dice) => ({ kind: 'reset', when: either(dice) }), 5],
  [() => ({ kind: 'resetMidBody' }), 2],
  [(dice) => ({ kind: 'stall', when: either(dice) }), 2],
  [() => ({ kind: 'stallMidBody' }), 1],
  [(dice) => ({ kind: 'delay', ms: dice.spread(100, 60_000), when: either(dice) }), 4],
  [(dice) => ({ kind: 'html', status: dice.pick([502, 503]), when: 'before' }), 1],
]

/** Bodies and redirects that no server means. */
const ODD: Weighted<Make> = [
  [(dice) => ({ kind: 'slowBody', chunkBytes: 400, pauseMs: dice.spread(10, 8000) }), 1],
  [(dice) => ({ kind: 'html', status: dice.pick([200, 403]), when: 'before' }), 1],
  [() => ({ kind: 'truncated' }), 1],
  [(dice) => ({ kind: 'wrongType', ...dice.pick([{}, { body: 'null' }]) }), 1.5],
  [(dice) => redirect(dice, `${ELSEWHERE}/steal`), 1],
  [() => ({ kind: 'oversize', bytes: 6 * 1024 * 1024 }), 0.1],
]

const redirect = (dice: Dice, location: string): Fault => ({
  kind: 'redirect',
  location,
  status: dice.pick([301, 302, 307, 308]),
})

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

const status = (code: number, body: unknown, headers: Record<string, string> = {}, when?: When): Fault => ({
  kind: 'status',
  status: code,
  body,
  headers,
  ...(when && { when }),
})

const retryAfter = (dice: Dice, now: number): Record<string, string> => ({
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
  ...BREAKS,
  ...ODD,
  [(dice) => redirect(dice, STRAY_PATH), 0.5],
  [(dice) => status(dice.pick([400, 401, 402, 403, 408, 409, 422]), echo(dice, 'test-key')), 4],
  // Of the service itself (4.4), and of something in front of it.
  [() => status(404, { error: 'Job not found' }), 0.5],
  [() => ({ kind: 'html', status: 404 }), 0.5],
  [(dice) => status(dice.pick([500, 502, 503, 504, 520]), echo(dice, 'test-key'), {}, either(dice)), 5],
  [(dice) => status(429, echo(dice, 'test-key')), 2],
  [(dice, now) => status(429, echo(dice, 'test-key'), retryAfter(dice, now)), 3],
  [(dice) => status(503, echo(dice, 'test-key'), { 'retry-after': String(dice.spread(1, 600)) }), 3],
]

const said = (message: string) => ({ message, documentation_url: 'https://docs.github.com/rest' })
const SECONDARY = said('You have exceeded a secondary rate limit')

/** What GitHub means to be tried again. */
const FLICKER: Weighted<Make> = [
  ...BREAKS,
  [(dice) => status(dice.pick([500, 502, 503, 504]), said('Server Error'), {}, either(dice)), 5],
  [(dice) => status(dice.pick([403, 429]), SECONDARY, { 'retry-after': String(dice.whole(1, 8)) }), 2],
  // What was done all the same.
  [() => ({ kind: 'truncated' }), 1],
]

/** Longer limits, and answers that are not true. */
const CHAOS: Weighted<Make> = [
  ...FLICKER,
  ...ODD,
  [() => status(401, said('Bad credentials')), 1],
  [() => status(403, said('Resource not accessible by integration')), 2],
  [() => status(404, said('Not Found')), 2],
  [() => status(410, said('This issue was locked')), 1],
  [() => status(422, said('Body is too long (maximum is 65536 characters)')), 1],
  [(dice) => status(dice.pick([400, 418, 500]), echo(dice, 'test-token'), {}, either(dice)), 2],
  [
    (dice, now) =>
      status(dice.pick([403, 429]), said('API rate limit exceeded'), {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.round(now / 1000) + dice.spread(1, 3600)),
      }),
    2,
  ],
  [(dice) => status(dice.pick([403, 429]), SECONDARY, { 'retry-after': String(dice.spread(1, 300)) }), 2],
  [(dice) => status(dice.pick([403, 429]), SECONDARY), 1],
]

/** How GitHub is away. */
const AWAY: Weighted<Make> = [
  [() => ({ kind: 'reset' }), 2],
  [() => ({ kind: 'refuse' }), 1],
  [() => ({ kind: 'stall' }), 1],
  [() => ({ kind: 'html', status: 502 }), 3],
  [() => status(503, said('Unavailable')), 1],
]

/** No request breaks more often than this in a row, where the sky only flickers. */
const MOST_IN_A_ROW = 2

/** Draws for each request whether it meets a fault, and counts the faults. */
export function drawFaults(world: World): void {
  const { emulator, story, clock } = world
  const bursts = new Map<string, { left: number; readonly again: Dice }>()
  const inARow = new Map<string, number>()

  emulator.faults.source = (request) => {
    const id = request.headers[CALL_HEADER] ?? ''
    const life = world.lives.find(({ name }) => name === id.slice(0, id.lastIndexOf('#')))
    if (life === undefined) return undefined
    const dice = new Dice(story.seed, 'fault', id)
    const fault = request.host === 'github' ? gitHubFault(life, request, dice) : serviceFault(life, dice)
    if (fault !== undefined) note(life, request.host, id, fault)
    return fault
  }

  function serviceFault(life: Life, dice: Dice): Fault | undefined {
    return burst(`${life.name} service`, life.weather.service, dice)?.(SERVICE)
  }

  function gitHubFault(life: Life, request: EmulatedRequest, dice: Dice): Fault | undefined {
    const { github } = life.weather
    const now = clock.now()
    if (github.kind === 'away' && begins(world, life, github.at))
      world.outages.push({ from: now, until: now + github.ms, life, fault: dice.weighted(AWAY)(dice, now) })
    const outage = world.outages.find(({ from, until }) => now >= from && now < until)
    if (outage !== undefined) return outage.fault
    if (github.kind === 'chaos') return burst(`${life.name} github`, github.rate, dice)?.(CHAOS)
    if (github.kind !== 'flicker') return undefined
    const what = `${life.name} ${request.method} ${request.path}`
    const before = inARow.get(what) ?? 0
    const strikes = before < MOST_IN_A_ROW && dice.chance(github.rate)
    inARow.set(what, strikes ? before + 1 : 0)
    return strikes ? dice.weighted(FLICKER)(dice.of('kind'), now) : undefined
  }

  /** Troubles last: the next requests are likely to meet the same. */
  function burst(name: string, rate: number, dice: Dice): ((from: Weighted<Make>) => Fault) | undefined {
    const running = bursts.get(name)
    const goesOn = running !== undefined && running.left > 0
    if (rate === 0 || !(goesOn || dice.chance(rate))) return undefined
    if (goesOn) running.left -= 1
    else bursts.set(name, { left: dice.pick([0, 0, 0, 1, 3, 12]), again: dice.of('burst') })
    const again = bursts.get(name)?.again ?? dice
    return (from) => again.weighted(from)(again, clock.now())
  }

  function note(life: Life, host: Host, id: string, fault: Fault): void {
    const shown = `${host}: ${nameOf(fault)}`
    world.faults.set(shown, (world.faults.get(shown) ?? 0) + 1)
    const call = life.calls.find((one) => one.id === id)
    if (call !== undefined) call.fault = nameOf(fault)
  }
}

/** GitHub goes away now: once for each process, with its first request or with the first one after its job's end. */
function begins({ outages, emulator }: World, life: Life, at: 'start' | 'end'): boolean {
  if (outages.some((outage) => outage.life === life)) return false
  if (at === 'start') return true
  const prompts = life.calls.filter(({ method, path }) => method === 'POST' && path.startsWith('/v2/agent/'))
  if (prompts.every(({ status = 0 }) => status < 200 || status > 299)) return false
  return emulator.service.jobs().at(-1)?.status !== 'active'
}

/** For tables: `status 503 after`. */
function nameOf(fault: Fault): string {
  const code = 'status' in fault && fault.status !== undefined ? ` ${fault.status}` : ''
  const wait = fault.kind === 'status' && fault.headers?.['retry-after'] !== undefined ? ' + Retry-After' : ''
  const when = 'when' in fault && fault.when === 'after' ? ' after' : ''
  return `${fault.kind}${code}${wait}${when}`
}
