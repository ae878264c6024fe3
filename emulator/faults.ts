import type { EmulatedRequest, Host } from './http.ts'
import type { RequestEntry } from './requests.ts'

/** Before the request is processed, or after: then the state has changed although the answer is spoilt. */
export type When = 'before' | 'after'

/** What goes wrong. `when` defaults to `before`, but to `after` for the kinds that spoil a real answer. */
export type Fault =
  | StatusFault
  | { readonly kind: 'refuse' }
  | { readonly kind: 'reset'; readonly when?: When }
  | { readonly kind: 'resetMidBody'; readonly when?: 'after' }
  | { readonly kind: 'stall'; readonly when?: When }
  | { readonly kind: 'stallMidBody'; readonly when?: 'after' }
  | { readonly kind: 'delay'; readonly ms: number; readonly when?: When }
  | {
      readonly kind: 'slowBody'
      readonly chunkBytes?: number
      readonly pauseMs: number
      readonly when?: 'after'
    }
  | { readonly kind: 'html'; readonly status?: number; readonly when?: When }
  | { readonly kind: 'oversize'; readonly bytes: number; readonly status?: number; readonly when?: When }
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: number; readonly when?: When }
  | { readonly kind: 'wrongType'; readonly type?: string; readonly body?: string; readonly when?: When }
  | { readonly kind: 'truncated'; readonly when?: 'after' }
  | CallFault

export interface StatusFault {
  readonly kind: 'status'
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown
  /** Content type; by default that of the body. */
  readonly type?: string
  readonly when?: When
}

/** Runs something of the test's at an exact moment: kill the child, edit the comment, move the clock. */
export interface CallFault {
  readonly kind: 'call'
  readonly when?: When
  readonly call: (request: RequestEntry) => void | Promise<void>
}

export interface FaultMatch {
  readonly host?: Host
  readonly method?: string
  /** Tested against the path without query (GitHub's without the `/github` prefix). */
  readonly path?: RegExp
  /** Tested against the body as sent. */
  readonly body?: RegExp
}

export interface FaultRule {
  readonly match?: FaultMatch
  /** Matching requests that pass first; default 0. */
  readonly skip?: number
  /** Requests that it strikes; default 1, `Infinity` for all. */
  readonly times?: number
  readonly fault: Fault
}

const SPOILERS = new Set(['resetMidBody', 'stallMidBody', 'slowBody', 'wrongType', 'truncated', 'oversize'])

export function whenOf(fault: Fault): When {
  if (fault.kind === 'refuse') return 'before'
  return fault.when ?? (SPOILERS.has(fault.kind) ? 'after' : 'before')
}

/** Calls and delays pass the request on, so that other faults can follow them. */
export const passesOn = (fault: Fault): fault is Extract<Fault, { kind: 'call' | 'delay' }> =>
  fault.kind === 'call' || fault.kind === 'delay'

interface LiveRule {
  readonly rule: FaultRule
  seen: number
  fired: number
}

export interface FaultHandle {
  /** How often it struck. */
  fired(): number
  remove(): void
}

/** The scripted faults, in order of adding. */
export class Faults {
  #rules: LiveRule[] = []
  /** Asked at each request, before the rules: for faults that are drawn by chance. */
  source: (request: EmulatedRequest) => Fault | undefined = () => undefined

  add(rule: FaultRule): FaultHandle {
    const live: LiveRule = { rule, seen: 0, fired: 0 }
    this.#rules.push(live)
    return {
      fired: () => live.fired,
      remove: () => {
        this.#rules = this.#rules.filter((other) => other !== live)
      },
    }
  }

  clear(): void {
    this.#rules = []
  }

  /** Faults for this request: all calls and delays that are due, up to and including the first other one. */
  draw(request: EmulatedRequest): Fault[] {
    const chance = this.source(request)
    const drawn: Fault[] = chance === undefined ? [] : [chance]
    if (chance !== undefined && !passesOn(chance)) return drawn
    for (const live of this.#rules) {
      if (!fits(live.rule.match ?? {}, request)) continue
      live.seen += 1
      if (live.seen <= (live.rule.skip ?? 0) || live.fired >= (live.rule.times ?? 1)) continue
      live.fired += 1
      drawn.push(live.rule.fault)
      if (!passesOn(live.rule.fault)) break
    }
    return drawn
  }
}

function fits(match: FaultMatch, request: EmulatedRequest): boolean {
  if (match.host && match.host !== request.host) return false
  if (match.method && match.method.toUpperCase() !== request.method) return false
  if (match.path && request.path.search(match.path) < 0) return false
  return !match.body || request.rawBody.search(match.body) >= 0
}
