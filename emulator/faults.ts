import type { AnyHost, EmulatedRequest } from './http.ts'
import type { RequestEntry } from './requests.ts'

/**
 * Before the request is processed; after it, so that the state has changed although the answer is spoilt; or late:
 * the answer is spoilt at once, and the request takes effect `lateMs` later (default 5,000).
 */
export type When = 'before' | 'after' | 'late'

/** What goes wrong. `when` defaults to `before`, but to `after` for the kinds that spoil a real answer. */
export type Fault = { readonly when?: When; readonly lateMs?: number } & (
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      /** A string is sent as it is, anything else as JSON. */
      readonly body?: unknown
    }
  | { readonly kind: 'refuse' | 'reset' | 'stall' | 'stallMidBody' | 'truncated' }
  | {
      readonly kind: 'resetMidBody'
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
    }
  /** GitHub ends a request by itself after ten seconds: a longer delay is a 504 that may take effect late. */
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'html'; readonly status?: number }
  | { readonly kind: 'oversize'; readonly bytes: number; readonly status?: number }
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: number }
  | { readonly kind: 'wrongType'; readonly type?: string; readonly body?: string }
  /** Runs something of the test's at an exact moment: kill the child, edit the comment, move the clock. */
  | { readonly kind: 'call'; readonly call: (request: RequestEntry) => void | Promise<void> }
)

export type FaultOf<K extends Fault['kind']> = Extract<Fault, { kind: K }>

export interface FaultMatch {
  readonly host?: AnyHost
  readonly method?: string
  /** Tested against the path without query (GitHub's without the `/github` prefix). */
  readonly path?: RegExp
}

export interface FaultRule {
  readonly match?: FaultMatch
  /** Matching requests that pass first; default 0. */
  readonly skip?: number
  /** Requests that it strikes; default 1, `Infinity` for all. */
  readonly times?: number
  /** Only from the first time until the second, in milliseconds since the epoch: an outage. */
  readonly between?: readonly [number, number]
  readonly fault: Fault
}

const SPOILERS = new Set(['resetMidBody', 'stallMidBody', 'wrongType', 'truncated', 'oversize'])

export function whenOf(fault: Fault): When {
  if (fault.kind === 'refuse') return 'before'
  return fault.when ?? (SPOILERS.has(fault.kind) ? 'after' : 'before')
}

/** Calls and delays pass the request on, so that other faults can follow them. */
type Passing = FaultOf<'call'> | FaultOf<'delay'>
export type Striking = Exclude<Fault, Passing>

export const passesOn = (fault: Fault): fault is Passing => fault.kind === 'call' || fault.kind === 'delay'

interface LiveRule {
  readonly rule: FaultRule
  seen: number
  fired: number
}

/** The scripted faults, in order of adding. */
export class Faults {
  #rules: LiveRule[] = []
  /** Asked at each request, before the rules: for faults that are drawn by chance. */
  source: (request: EmulatedRequest) => Fault | undefined = () => undefined

  add(rule: FaultRule): { remove(): void } {
    const live: LiveRule = { rule, seen: 0, fired: 0 }
    this.#rules.push(live)
    return {
      remove: () => {
        this.#rules = this.#rules.filter((other) => other !== live)
      },
    }
  }

  clear(): void {
    this.#rules = []
  }

  /** Rules that have struck and would never stop. */
  get endless(): readonly FaultRule[] {
    return this.#rules.filter(isEndless).map(({ rule }) => rule)
  }

  /** Rules that have struck nothing: no such request came, or another rule took them all. */
  get idle(): readonly FaultRule[] {
    return this.#rules.filter(({ fired }) => fired === 0).map(({ rule }) => rule)
  }

  /** Faults for this request: all calls and delays that are due, up to and including the first other one. */
  draw(request: EmulatedRequest, now: number): Fault[] {
    const chance = this.source(request)
    const drawn: Fault[] = chance === undefined ? [] : [chance]
    if (chance !== undefined && !passesOn(chance)) return drawn
    for (const live of this.#rules) {
      const [from, until] = live.rule.between ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
      if (now < from || now >= until || !fits(live.rule.match ?? {}, request)) continue
      live.seen += 1
      if (live.seen <= (live.rule.skip ?? 0) || live.fired >= timesOf(live.rule)) continue
      live.fired += 1
      drawn.push(live.rule.fault)
      if (!passesOn(live.rule.fault)) break
    }
    return drawn
  }
}

const isEndless = ({ rule, fired }: LiveRule): boolean =>
  fired > 0 && timesOf(rule) === Number.POSITIVE_INFINITY && rule.between?.[1] === undefined

/** An outage strikes as long as it lasts. */
const timesOf = ({ times, between }: FaultRule): number => times ?? (between ? Number.POSITIVE_INFINITY : 1)

function fits(match: FaultMatch, request: EmulatedRequest): boolean {
  if (match.host && match.host !== request.host) return false
  if (match.method && match.method.toUpperCase() !== request.method) return false
  return !match.path || request.path.search(match.path) >= 0
}
