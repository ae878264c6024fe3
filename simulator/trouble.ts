import type { Fault, When } from '../emulator/faults.ts'
import type { Host } from '../emulator/http.ts'
import type { Dice, Weighted } from './dice.ts'
import { INTERFERENCES } from './interfere.ts'
import { CALL_HEADER, ELSEWHERE, STRAY_PATH } from './network.ts'
import { type Act, type Ask, type Attempt, type Blow, type Sweep, undisturbed } from './story.ts'
import { HOSTILE } from './texts.ts'
import type { World } from './world.ts'

/** What goes wrong in a story, by how often it does: one of these. */
const TROUBLES = {
  nothing: 50,
  're-run': 8,
  'sweep beside': 8,
  cancel: 8,
  kill: 10,
  break: 10,
  away: 6,
} as const

/** What strikes a process: it ends early, a request breaks, or one of the two hosts is away. */
export type Trouble =
  | { readonly kind: 'kill' | 'cancel' }
  /** The request that the process is about to send meets the fault of its host. */
  | { readonly kind: 'break'; readonly faults: Readonly<Record<Host, Fault>> }
  | { readonly kind: 'away'; readonly host: Host; readonly ms: number; readonly fault: Fault }

const HOUR = 3_600_000
/** No outage is longer. */
const MOST_AWAY_MS = 120_000

/** Draws the one thing that goes wrong, and what it happens to. */
export function troubled(dice: Dice, acts: readonly Act[], sweepOf: (dice: Dice) => Sweep): readonly Act[] {
  const trouble = dice.name(TROUBLES)
  const indices = (kind: Act['kind']) => acts.flatMap((act, at) => (act.kind === kind ? [at] : []))
  const sweeping = indices('sweep')
  const where = sweeping.length > 0 && dice.of('whom').chance(0.15) ? sweeping : indices('ask')
  const at = where[dice.of('which').whole(0, where.length - 1)] ?? 0
  const act = acts[at]
  if (trouble === 're-run')
    return acts.toSpliced(at + 1, 0, { kind: 'again', nth: dice.of('nth').whole(0, 9) })
  if (act?.kind === 'sweep') {
    if (trouble === 'nothing' || trouble === 'sweep beside') return acts
    return acts.with(at, { ...act, sweep: { ...act.sweep, blows: [blow(dice.of('blow'), trouble)] } })
  }
  if (act?.kind !== 'ask') return acts
  if (trouble === 'sweep beside') {
    const beside = { afterMs: dice.of('late').spread(1000, 2 * HOUR), sweep: sweepOf(dice.of('beside')) }
    return acts.with(at, { ...act, beside })
  }
  const struck = (attempts: readonly Attempt[], nth = 0): readonly Act[] =>
    acts.with(at, { ...act, asks: act.asks.map((one, n): Ask => (n === nth ? { ...one, attempts } : one)) })
  if (trouble !== 'nothing')
    return struck(attemptsWith(dice, trouble), dice.of('whose').whole(0, act.asks.length - 1))
  return dice.of('meddle').chance(0.15) ? struck([meddled(dice.of('meddle', 'how'))]) : acts
}

/** People do something while a process is at work. */
const meddled = (dice: Dice): Attempt => ({
  ...undisturbed(0),
  blows: [{ ...place(dice), effect: { kind: 'interfere', interference: dice.pick(INTERFERENCES) } }],
})

type Struck = Exclude<keyof typeof TROUBLES, 'nothing' | 're-run' | 'sweep beside'>

/** A run that meets the trouble, and now and then the re-run that people start then. */
function attemptsWith(dice: Dice, trouble: Struck): readonly Attempt[] {
  const struck = blow(dice.of('blow'), trouble)
  const isPost = trouble !== 'cancel' && dice.of('post').chance(0.1)
  const own: Partial<Attempt> = isPost
    ? { postBlows: [struck] }
    : { blows: [struck], post: dice.of('lost').pick(['lost', 'runs']) }
  const again = Array.from({ length: dice.of('again').count(5, 3, 1) }, (_, n) =>
    undisturbed(dice.of('gap', n).spread(1000, 3 * HOUR)),
  )
  return [{ ...undisturbed(0), ...own }, ...again]
}

/** Some instant of a process. */
const place = (dice: Dice): Pick<Blow, 'place' | 'nth'> => ({
  place: dice.of('place').pick(['any', 'request', 'answer']),
  nth: dice.of('nth').spread(1, 120),
})

function blow(dice: Dice, trouble: Struck): Blow {
  if (trouble === 'kill' || trouble === 'cancel') return { ...place(dice), effect: { kind: trouble } }
  const drawn = <K extends Host>(of: Readonly<Record<K, Weighted<Make>>>, host: K): Fault =>
    dice.of(host).weighted(of[host])(dice.of(host, 'how'))
  const host = dice.of('host').name({ github: 2, service: 1 })
  const effect: Trouble =
    trouble === 'break'
      ? { kind: 'break', faults: { github: drawn(BREAKS, 'github'), service: drawn(BREAKS, 'service') } }
      : { kind: 'away', host, ms: dice.of('ms').spread(2000, MOST_AWAY_MS), fault: dice.weighted(AWAY)(dice) }
  return { place: 'request', nth: dice.of('nth').spread(1, 40), effect }
}

type Make = (dice: Dice) => Fault

const either = (dice: Dice): When => dice.pick(['before', 'after'])
const status = (code: number, body: unknown, more: object = {}): Fault => ({
  ...{ kind: 'status', status: code, body },
  ...more,
})
const after = (seconds: number) => ({ headers: { 'retry-after': String(seconds) } })
const said = (message: string) => ({ message, documentation_url: 'https://docs.github.com/rest' })

/** The other end repeats what it got, and more. */
const echo = (dice: Dice): unknown =>
  dice.pick<unknown>([
    { error: 'Invalid request' },
    { error: 'Bearer test-key was refused\n::error::forged by the server' },
    { error: dice.pick(HOSTILE), message: dice.pick(HOSTILE) },
    'plain text with test-key\r\n::set-output name=outcome::forged',
    '<html><body>test-key</body></html>',
  ])

/** What breaks a request on its way, to either host. */
const ON_THE_WAY: Weighted<Make> = [
  [() => ({ kind: 'refuse' }), 3],
  [(dice) => ({ kind: 'reset', when: either(dice) }), 6],
  [() => ({ kind: 'resetMidBody' }), 2],
  [(dice) => ({ kind: 'stall', when: either(dice) }), 2],
  [() => ({ kind: 'truncated' }), 1],
  [(dice) => ({ kind: 'delay', ms: dice.spread(100, 60_000), when: either(dice) }), 2],
  [(dice) => ({ kind: 'html', status: dice.pick([502, 503]) }), 2],
]

const BREAKS: Readonly<Record<Host, Weighted<Make>>> = {
  service: [
    ...ON_THE_WAY,
    [(dice) => status(dice.pick([500, 502, 503, 504, 520]), echo(dice), { when: either(dice) }), 6],
    [(dice) => status(dice.pick([400, 401, 402, 403, 409, 422]), echo(dice)), 3],
    [(dice) => status(429, echo(dice), after(dice.spread(1, 120))), 3],
    [() => status(404, { error: 'Job not found' }), 1],
    [(dice) => ({ kind: 'redirect', location: dice.pick([`${ELSEWHERE}/x`, STRAY_PATH]), status: 307 }), 1],
    [() => ({ kind: 'html', status: 200 }), 1],
  ],
  github: [
    ...ON_THE_WAY,
    [(dice) => status(dice.pick([500, 502, 503, 504]), said('Server Error'), { when: either(dice) }), 8],
    [(dice) => status(dice.pick([403, 429]), said('You have exceeded a secondary rate limit'), after(5)), 3],
  ],
}

const AWAY: Weighted<Make> = [
  [() => ({ kind: 'reset' }), 2],
  [() => ({ kind: 'refuse' }), 1],
  [() => ({ kind: 'html', status: 502 }), 3],
  [() => status(503, said('Unavailable')), 1],
]

/** Lets requests meet what happens to them, and counts it. */
export function strikeRequests({ emulator, lives, outages, clock, faults }: World): void {
  emulator.faults.source = ({ host, headers }) => {
    const id = headers[CALL_HEADER] ?? ''
    const life = lives.find(({ name }) => name === id.slice(0, id.lastIndexOf('#')))
    const now = clock.now()
    const away = outages.find((one) => one.host === host && now >= one.from && now < one.until)
    const fault = away?.fault ?? life?.takeFault()?.[host]
    if (life === undefined || fault === undefined) return undefined
    const code = 'status' in fault && fault.status !== undefined ? ` ${fault.status}` : ''
    const shown = `${host}: ${fault.kind}${code}${fault.when === 'after' ? ' after' : ''}`
    faults.set(shown, (faults.get(shown) ?? 0) + 1)
    const call = life.calls.find((one) => one.id === id)
    if (call !== undefined) call.fault = shown
    return fault
  }
}
