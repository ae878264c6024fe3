import type { SimulatedClock } from '../emulator/clock.ts'
import type { Fault } from '../emulator/faults.ts'
import type { Host } from '../emulator/http.ts'
import { RunnerLog } from '../emulator/runner/log.ts'
import { type Canceller, cancellation } from './action.ts'
import type { Blow, Place } from './story.ts'

/** What a process leaves behind for the runner. */
interface Footprint {
  readonly outputs: Map<string, string>
  /** All that the run has said of how it ended, in order. */
  readonly outcomes: string[]
  readonly state: Map<string, string>
  summary: string
}

/** One request as a process has sent it, and what it has got back. */
export interface Call {
  readonly id: string
  readonly host: 'service' | 'github' | 'storage' | 'elsewhere'
  readonly method: string
  /** Without origin and prefix. */
  readonly path: string
  readonly body: string
  /** As they left, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** On the true clock. */
  /** What it meets by its place among the requests; undefined for nothing. */
  readonly meets: Readonly<Record<Host, Fault>> | undefined
  readonly at: number
  fault?: string
  /** The answer's status, once its head has come. */
  status?: number
  retryAfter?: string | undefined
  /** The whole body, once the living process has it. */
  text?: string
}

/** What a process comes to: `threw` where something got out of the step, `hung` where it never came back. */
export type Fate = 'ended' | 'killed' | 'threw' | 'hung'

export interface LifeOptions {
  readonly blows: readonly Blow[]
  readonly name: string
  readonly role: 'main' | 'post' | 'sweep'
  readonly clock: SimulatedClock
  readonly inputs: Readonly<Record<string, string>>
  /** What an earlier step saved. */
  readonly savedState?: ReadonlyMap<string, string>
  /** Adds a line to the timeline. */
  readonly note: (line: string) => void
  /** What happens beyond the process itself. */
  readonly onBlow: (effect: Blow['effect']) => void
}

/** What a killed process waits for. */
export const forever = <T>(): Promise<T> => new Promise(() => {})

/** From SIGINT to SIGKILL: 7.5 s, and 2.5 s after SIGTERM, which the action takes for the same. */
const RUNNER_PATIENCE_MS = 10_000

/**
 * One process of the action. From the moment it is killed nothing that it does reaches anyone, and nothing that it
 * waits for comes.
 */
export class Life {
  readonly name: string
  readonly role: LifeOptions['role']
  readonly inputs: LifeOptions['inputs']
  readonly savedState: ReadonlyMap<string, string>
  readonly clock: SimulatedClock
  /** On the true clock, like all times here. */
  readonly bornAt: number
  readonly calls: Call[] = []
  /** Annotations, masks and debug messages that the action meant, in order. */
  readonly meant: { readonly name: string; readonly data: string }[] = []
  readonly log: RunnerLog
  readonly canceller: Canceller
  fate: Fate | undefined
  red = false
  endedAt = 0
  cancelledAt: number | undefined
  killedAt: string | undefined
  #faults: Readonly<Record<Host, Fault>> | undefined
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
    const { name, role, clock, inputs, savedState = new Map() } = options
    this.#options = options
    this.#pending = [...options.blows]
    this.name = name
    this.role = role
    this.inputs = inputs
    this.savedState = savedState
    this.clock = clock
    this.bornAt = clock.now()
    this.canceller = cancellation((ms) => Promise.race([this.sleep(ms), this.#forgotten.promise]))
    this.log = new RunnerLog({ masks: [], debug: false, show: () => {} })
  }

  get dead(): boolean {
    return this.#grave.signal.aborted
  }

  /** What the request that the process sends now meets. */
  takeFault(): Readonly<Record<Host, Fault>> | undefined {
    const faults = this.#faults
    this.#faults = undefined
    return faults
  }

  kill(where: string): void {
    if (this.dead || this.fate !== undefined) return
    this.killedAt = where
    this.#options.note(`${this.name}: killed (${where})`)
    this.#grave.abort()
  }

  cancel(): void {
    if (this.cancelledAt !== undefined || this.dead) return
    this.cancelledAt = this.clock.now()
    this.#options.note(`${this.name}: SIGINT`)
    this.canceller.cancel()
    void this.sleep(RUNNER_PATIENCE_MS).then(() => this.kill('SIGKILL'))
  }

  end(fate: Fate): void {
    this.fate = fate
    this.endedAt = this.clock.now()
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
    else if (effect.kind === 'break') this.#faults = effect.faults
    else this.#options.onBlow(effect)
  }

  /** Sleeps on the true clock; for the dead, it never ends. */
  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const signals = signal === undefined ? [this.#grave.signal] : [this.#grave.signal, signal]
    try {
      await this.clock.sleep(ms, AbortSignal.any(signals))
    } catch (error) {
      if (!this.dead) throw error
    }
    if (this.dead) await forever()
  }
}
