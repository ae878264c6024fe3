import fc from 'fast-check'
import type { Fault, When } from '../emulator/faults.ts'
import type { Host } from '../emulator/http.ts'
import { either, often, sometimes, spread } from './draw.ts'
import { INTERFERENCES } from './interfere.ts'
import { CALL_HEADER, ELSEWHERE, STRAY_PATH } from './network.ts'
import { type Attempt, type Blow, type Sweep, type Trouble, undisturbed } from './story.ts'
import { hostile } from './texts.ts'
import type { World } from './world.ts'

/** What strikes a process: it ends early, a request breaks, or one of the two hosts is away. */
export type Strike =
  | { readonly kind: 'kill' | 'cancel' }
  /** The request that the process is about to send meets the fault of its host. */
  | { readonly kind: 'break'; readonly faults: Readonly<Record<Host, Fault>> }
  | { readonly kind: 'away'; readonly host: Host; readonly ms: number; readonly fault: Fault }

const HOUR = 3_600_000
/** No outage is longer. */
const MOST_AWAY_MS = 120_000

type Make = fc.Arbitrary<Fault>

const whenever = fc.constantFrom<When>('before', 'after')

const status = (
  codes: readonly number[],
  body: fc.Arbitrary<unknown>,
  { when, seconds }: { when?: fc.Arbitrary<When>; seconds?: fc.Arbitrary<number> } = {},
): Make =>
  fc
    .record({
      status: fc.constantFrom(...codes),
      body,
      when: when ?? fc.constant('before'),
      seconds: seconds ?? fc.constant(0),
    })
    .map(
      ({ seconds, ...fault }): Fault => ({
        ...{ kind: 'status', ...fault },
        ...(seconds > 0 && { headers: { 'retry-after': String(seconds) } }),
      }),
    )
const said = (message: string) => fc.constant({ message, documentation_url: 'https://docs.github.com/rest' })

/** The other end repeats what it got, and more. */
const echo: fc.Arbitrary<unknown> = fc.oneof(
  fc.constant({ error: 'Invalid request' }),
  fc.constant({ error: 'Bearer test-key was refused\n::error::forged by the server' }),
  fc.record({ error: hostile, message: hostile }),
  fc.constant('plain text with test-key\r\n::set-output name=outcome::forged'),
  fc.constant('<html><body>test-key</body></html>'),
)

/** What breaks a request on its way, to either host. */
const ON_THE_WAY: readonly (readonly [weight: number, fault: Make])[] = [
  [3, fc.constant({ kind: 'refuse' })],
  [6, whenever.map((when) => ({ kind: 'reset', when }))],
  [2, fc.constant({ kind: 'resetMidBody' })],
  [2, whenever.map((when) => ({ kind: 'stall', when }))],
  [1, fc.constant({ kind: 'truncated' })],
  [2, fc.record({ ms: spread(100, 60_000), when: whenever }).map((how) => ({ kind: 'delay', ...how }))],
  [2, fc.constantFrom(502, 503).map((code) => ({ kind: 'html', status: code }))],
]

const BREAKS: Readonly<Record<Host, Make>> = {
  service: either<Fault>(
    ...ON_THE_WAY,
    [6, status([500, 502, 503, 504, 520], echo, { when: whenever })],
    [3, status([400, 401, 402, 403, 409, 422], echo)],
    [3, status([429], echo, { seconds: spread(1, 120) })],
    [1, status([404], fc.constant({ error: 'Job not found' }))],
    [
      1,
      fc
        .constantFrom(`${ELSEWHERE}/x`, STRAY_PATH)
        .map((location) => ({ kind: 'redirect', location, status: 307 })),
    ],
    [1, fc.constant({ kind: 'html', status: 200 })],
  ),
  github: either<Fault>(
    ...ON_THE_WAY,
    [8, status([500, 502, 503, 504], said('Server Error'), { when: whenever })],
    [3, status([403, 429], said('You have exceeded a secondary rate limit'), { seconds: fc.constant(5) })],
  ),
}

const AWAY: Make = either<Fault>(
  [3, fc.constant({ kind: 'html', status: 502 })],
  [2, fc.constant({ kind: 'reset' })],
  [1, fc.constant({ kind: 'refuse' })],
  [1, status([503], said('Unavailable'))],
)

const request = { place: fc.constant('request' as const), nth: spread(1, 40) }
/** Some instant of a process. */
const instant = { place: fc.constantFrom('any', 'request', 'answer'), nth: spread(1, 120) }

const kill = fc.record<Blow>({ ...instant, effect: fc.constant({ kind: 'kill' }) })
const cancel = fc.record<Blow>({ ...instant, effect: fc.constant({ kind: 'cancel' }) })
const broken = fc.record<Blow>({
  ...request,
  effect: fc.record({ kind: fc.constant('break'), faults: fc.record(BREAKS) }),
})
const away = fc.record<Blow>({
  ...request,
  effect: fc.record({
    kind: fc.constant('away'),
    host: often({ github: 2, service: 1 }),
    ms: spread(2000, MOST_AWAY_MS),
    fault: AWAY,
  }),
})
/** People do something while a process is at work. */
const meddling = fc.record<Blow>({
  ...instant,
  effect: fc.record({ kind: fc.constant('interfere'), interference: fc.constantFrom(...INTERFERENCES) }),
})

/** A run that is struck, and now and then the re-run that people start then. */
const struck: fc.Arbitrary<Trouble> = fc
  .record({
    blow: either([10, kill], [10, broken], [8, cancel], [6, away], [6, meddling]),
    isPost: sometimes(10, fc.constant(true)),
    post: fc.constantFrom<Attempt['post']>('runs', 'lost'),
    again: either<readonly number[]>(
      [5, fc.constant([])],
      [3, fc.tuple(spread(1000, 3 * HOUR))],
      [1, fc.tuple(spread(1000, 3 * HOUR), spread(1000, 3 * HOUR))],
    ),
    whose: fc.nat(1),
  })
  .map(({ blow, isPost, post, again, whose }) => {
    const ofPost = isPost && blow.effect.kind !== 'cancel' && blow.effect.kind !== 'interfere'
    const own = ofPost ? { postBlows: [blow] } : { blows: [blow], post }
    return { kind: 'struck', whose, attempts: [{ ...undisturbed(0), ...own }, ...again.map(undisturbed)] }
  })

/** The one thing that goes wrong in a story. */
export const trouble = (sweep: fc.Arbitrary<Sweep>): fc.Arbitrary<Trouble> =>
  either<Trouble>(
    [40, struck],
    [8, fc.record({ kind: fc.constant('beside' as const), afterMs: spread(1000, 2 * HOUR), sweep })],
  )

/** Lets requests meet what happens to them, and counts it. */
export function strikeRequests({ emulator, lives, outages, clock, faults }: World): void {
  emulator.faults.source = ({ host, headers }) => {
    const id = headers[CALL_HEADER] ?? ''
    const life = lives.find(({ name }) => name === id.slice(0, id.lastIndexOf('#')))
    const now = clock.now()
    const away = outages.find((one) => one.host === host && now >= one.from && now < one.until)
    const call = life?.calls.find((one) => one.id === id)
    const fault = away?.fault ?? call?.meets?.[host === 'storage' ? 'github' : host]
    if (life === undefined || fault === undefined) return undefined
    const code = 'status' in fault && fault.status !== undefined ? ` ${fault.status}` : ''
    const shown = `${host}: ${fault.kind}${code}${fault.when === 'after' ? ' after' : ''}`
    faults.set(shown, (faults.get(shown) ?? 0) + 1)
    if (call !== undefined) call.fault = shown
    return fault
  }
}
