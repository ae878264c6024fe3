import type { Fault, When } from '../emulator/faults.ts'
import type { Host } from '../emulator/http.ts'
import type { Dice, Weighted } from './dice.ts'
import { HOSTILE } from './hostile.ts'
import { CALL_HEADER, ELSEWHERE, STRAY_PATH } from './network.ts'
import type { World } from './world.ts'

/** The one thing that goes wrong in a story: a process ends early, a request breaks, or one of the two hosts is away. */
export type Trouble =
  | { readonly kind: 'kill' | 'cancel' }
  /** The request that the process is about to send meets the fault of its host. */
  | { readonly kind: 'break'; readonly faults: Readonly<Record<Host, Fault>> }
  | { readonly kind: 'away'; readonly host: Host; readonly ms: number; readonly fault: Fault }

/** No outage is longer. */
const MOST_AWAY_MS = 120_000

const either = (dice: Dice): When => dice.pick(['before', 'after'])
const status = (code: number, body: unknown, more: object = {}): Fault => ({
  kind: 'status',
  status: code,
  body,
  ...more,
})

type Make = (dice: Dice) => Fault

/** What breaks a request on its way, to either host. */
const BREAKS: Weighted<Make> = [
  [() => ({ kind: 'refuse' }), 3],
  [(dice) => ({ kind: 'reset', when: either(dice) }), 6],
  [() => ({ kind: 'resetMidBody' }), 2],
  [(dice) => ({ kind: 'stall', when: either(dice) }), 2],
  [() => ({ kind: 'truncated' }), 1],
  [(dice) => ({ kind: 'delay', ms: dice.spread(100, 60_000), when: either(dice) }), 2],
  [(dice) => ({ kind: 'html', status: dice.pick([502, 503]) }), 2],
]

/** The other end repeats what it got, and more. */
const echo = (dice: Dice): unknown =>
  dice.pick<unknown>([
    { error: 'Invalid request' },
    { error: 'Bearer test-key was refused\n::error::forged by the server' },
    { error: dice.pick(HOSTILE), message: dice.pick(HOSTILE) },
    'plain text with test-key\r\n::set-output name=outcome::forged',
    '<html><body>test-key</body></html>',
  ])

const SERVICE: Weighted<Make> = [
  ...BREAKS,
  [(dice) => status(dice.pick([500, 502, 503, 504, 520]), echo(dice), { when: either(dice) }), 6],
  [(dice) => status(dice.pick([400, 401, 402, 403, 409, 422]), echo(dice)), 3],
  [(dice) => status(429, echo(dice), { headers: { 'retry-after': String(dice.spread(1, 120)) } }), 3],
  [() => status(404, { error: 'Job not found' }), 1],
  [(dice) => ({ kind: 'redirect', location: dice.pick([`${ELSEWHERE}/steal`, STRAY_PATH]), status: 307 }), 1],
  [() => ({ kind: 'html', status: 200 }), 1],
]

const said = (message: string) => ({ message, documentation_url: 'https://docs.github.com/rest' })
const SECONDARY = said('You have exceeded a secondary rate limit')

const GITHUB: Weighted<Make> = [
  ...BREAKS,
  [(dice) => status(dice.pick([500, 502, 503, 504]), said('Server Error'), { when: either(dice) }), 8],
  [(dice) => status(dice.pick([403, 429]), SECONDARY, { headers: { 'retry-after': '5' } }), 3],
]

const AWAY: Weighted<Make> = [
  [() => ({ kind: 'reset' }), 2],
  [() => ({ kind: 'refuse' }), 1],
  [() => ({ kind: 'html', status: 502 }), 3],
  [() => status(503, said('Unavailable')), 1],
]

export const brokenRequest = (dice: Dice): Trouble => ({
  kind: 'break',
  faults: { github: dice.weighted(GITHUB)(dice), service: dice.weighted(SERVICE)(dice) },
})

export const outage = (dice: Dice): Trouble => ({
  kind: 'away',
  host: dice.pick(['github', 'github', 'service']),
  ms: dice.spread(2000, MOST_AWAY_MS),
  fault: dice.weighted(AWAY)(dice),
})

/** Lets requests meet what happens to them, and counts it. */
export function strikeRequests(world: World): void {
  world.emulator.faults.source = ({ host, headers }) => {
    const id = headers[CALL_HEADER] ?? ''
    const life = world.lives.find(({ name }) => name === id.slice(0, id.lastIndexOf('#')))
    const now = world.clock.now()
    const away = world.outages.find((one) => one.host === host && now >= one.from && now < one.until)
    const fault = away?.fault ?? life?.takeFault()?.[host]
    if (life === undefined || fault === undefined) return undefined
    const shown = nameOf(fault)
    world.faults.set(`${host}: ${shown}`, (world.faults.get(`${host}: ${shown}`) ?? 0) + 1)
    const call = life.calls.find((one) => one.id === id)
    if (call !== undefined) call.fault = shown
    return fault
  }
}

/** For tables: `status 503 after`. */
function nameOf(fault: Fault): string {
  const code = 'status' in fault && fault.status !== undefined ? ` ${fault.status}` : ''
  return `${fault.kind}${code}${fault.when === 'after' ? ' after' : ''}`
}
