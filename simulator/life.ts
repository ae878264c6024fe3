import type { SimulatedClock } from '../emulator/clock.ts'
import type { Emulator } from '../emulator/emulator.ts'
import { RunnerLog } from '../emulator/runner/log.ts'
import { type Canceller, cancellation, type Deps } from './action.ts'
import type { Footprint } from './core.ts'
import { depsOf, forever } from './deps.ts'
import { type Call, ELSEWHERE } from './network.ts'
import type { Blow, Place } from './story.ts'
import type { Weather } from './weather.ts'

/** What a process comes to: `threw` where something got out of the step, `hung` where it never came back. */
export type Fate = 'ended' | 'killed' | 'threw' | 'hung'

export interface LifeOptions {
  readonly name: string
  readonly role: 'main' | 'post' | 'sweep'
  readonly seed: number
  readonly clock: SimulatedClock
  readonly emulator: Emulator
  readonly skewMs: number
  readonly weather: Weather
  readonly blows: readonly Blow[]
  readonly inputs: Readonly<Record<string, string>>
  /** What an earlier step saved. */
  readonly savedState?: ReadonlyMap<string, string>
  /** The sweep was woken by a pull request, so it waits for a job. */
  readonly isWoken?: boolean
  /** Breaks something between the action and the world, to show that a rule notices. */
  readonly sabotage?: ((deps: Deps, life: Life) => Deps) | undefined
  /** Adds a line to the timeline. */
  readonly note: (line: string) => void
  readonly interfere: (blow: Extract<Blow['effect'], { kind: 'interfere' }>) => void
}

/** From SIGINT to SIGKILL: 7.5 s, and 2.5 s after SIGTERM, which the action takes for the same. */
const RUNNER_PATIENCE_MS = 10_000

/** More than any run has a reason for; such a run never ends. */
const MOST_CALLS = 10_000

/**
 * One process of the action. From the moment it is killed nothing that it does reaches anyone, and nothing that it
 * waits for comes.
 */
export class Life {
  readonly name: string
  readonly role: LifeOptions['role']
  readonly inputs: LifeOptions['inputs']
  readonly savedState: ReadonlyMap<string, string>
  readonly isWoken: boolean
  readonly weather: Weather
  /** On the true clock, like all times here. */
  readonly bornAt: number
  readonly calls: Call[] = []
  /** Annotations, masks and debug messages that the action meant, in order. */
  readonly meant: { readonly name: string; readonly data: string }[] = []
  readonly log: RunnerLog
  readonly canceller: Canceller
  readonly deps: Deps
  fate: Fate | undefined
  red = false
  endedAt = 0
  cancelledAt: number | undefined
  killedAt: string | undefined
  jumpedMs = 0
  footprint: Footprint = { outputs: new Map(), outcomes: [], state: new Map(), summary: '' }
  readonly #options: LifeOptions
  readonly #grave = new AbortController()
  readonly #forgotten = Promise.withResolvers<void>()
  /** Resolves when the process is killed. */
  readonly gone = new Promise<void>((resolve) => {
    this.#grave.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  readonly #visits = new Map<Place | 'any', number>()
  #pending: Blow[]

  constructor(options: LifeOptions) {
    const { name, role, clock, inputs, savedState = new Map(), isWoken = false, sabotage } = options
    this.#options = options
    this.#pending = [...options.blows]
    this.name = name
    this.role = role
    this.inputs = inputs
    this.weather = options.weather
    this.savedState = savedState
    this.isWoken = isWoken
    this.bornAt = clock.now()
    this.canceller = cancellation((ms) => Promise.race([this.sleep(ms), this.#forgotten.promise]))
    this.log = new RunnerLog({ masks: [], debug: false, show: () => {} })
    const deps = depsOf(this, options)
    this.deps = sabotage === undefined ? deps : sabotage(deps, this)
  }

  get dead(): boolean {
    return this.#grave.signal.aborted
  }

  /** A clock that is never set. */
  monotonic(): number {
    return this.#options.clock.now()
  }

  /** Whole milliseconds since the epoch, as its runner's clock has them. */
  now(): number {
    return Math.floor(this.#options.clock.now()) + this.#options.skewMs + this.jumpedMs
  }

  kill(where: string): void {
    if (this.dead || this.fate !== undefined) return
    this.killedAt = where
    this.#options.note(`${this.name}: killed (${where})`)
    this.#grave.abort()
  }

  cancel(): void {
    if (this.cancelledAt !== undefined || this.dead) return
    this.cancelledAt = this.#options.clock.now()
    this.#options.note(`${this.name}: SIGINT`)
    this.canceller.cancel()
    void this.sleep(RUNNER_PATIENCE_MS).then(() => this.kill('SIGKILL'))
  }

  end(fate: Fate): void {
    this.fate = fate
    this.endedAt = this.#options.clock.now()
    this.#grave.abort()
  }

  /** Lets go of all signals: Node keeps those that somebody listens to for as long as they may be aborted. */
  forget(): void {
    this.canceller.cancel()
    this.#forgotten.resolve()
  }

  say(line: string): void {
    this.#options.note(`${this.name} ${line}`)
  }

  /** Puts a request that it is about to send on record. */
  call(emulator: Emulator, input: string, init: RequestInit, from?: Call['host']): Call {
    const url = new URL(input)
    const github = emulator.githubUrl
    const host = url.origin === ELSEWHERE ? 'elsewhere' : input.startsWith(github) ? 'github' : 'service'
    const prefix = host === 'github' ? new URL(github).pathname.length : 0
    const call: Call = {
      id: `${this.name}#${this.calls.length + 1}`,
      host,
      method: init.method ?? 'GET',
      path: url.pathname.slice(prefix) + url.search,
      body: typeof init.body === 'string' ? init.body : '',
      headers: Object.fromEntries(new Headers(init.headers)),
      at: this.#options.clock.now(),
      operation: init.headers,
      ...(from === undefined ? {} : { from }),
    }
    this.calls.push(call)
    if (this.calls.length > MOST_CALLS) this.kill('it asked without end')
    return call
  }

  /** The process gets to a place where it can be struck. @returns whether it is still there */
  step(place: Place): boolean {
    if (this.dead) return false
    const visits = ([place, 'any'] as const).map((key) => {
      const count = (this.#visits.get(key) ?? 0) + 1
      this.#visits.set(key, count)
      return [key, count] as const
    })
    const due = this.#pending.filter((blow) =>
      visits.some(([key, count]) => blow.place === key && blow.nth <= count),
    )
    this.#pending = this.#pending.filter((blow) => !due.includes(blow))
    for (const { effect } of due) this.#strike(effect, place)
    return !this.dead
  }

  #strike(effect: Blow['effect'], place: Place): void {
    if (effect.kind === 'kill') this.kill(place)
    else if (effect.kind === 'cancel') this.cancel()
    else if (effect.kind === 'interfere') this.#options.interfere(effect)
    else {
      this.jumpedMs += effect.ms
      this.say(`| its clock jumps by ${effect.ms / 1000} s`)
    }
  }

  /** Sleeps on the true clock; for the dead, it never ends. */
  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const { clock } = this.#options
    const signals = signal === undefined ? [this.#grave.signal] : [this.#grave.signal, signal]
    try {
      await clock.sleep(ms, AbortSignal.any(signals))
    } catch (error) {
      if (!this.dead) throw error
    }
    if (this.dead) await forever()
  }
}
