import { Cancelled } from './errors.ts'

/** Everything a step takes from outside; tests hand in their own. */
export interface Deps {
  readonly core: Core
  readonly fetch: Fetch
  readonly cancellation: Readonly<Cancellation>
  /** Wall clock in ms since the epoch: for records and for dates that servers send. */
  now(): number
  /** Clock in ms that is never set: for every wait and deadline. */
  monotonic(): number
  /** Rejects as soon as `signal` is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** At least 0, less than 1; unpredictable, because fences are made of it. */
  random(): number
}

/** Those of a step whose secrets are masked. */
export interface MaskedDeps extends Deps {
  /** Texts that show as `***` in all that the step writes. */
  readonly secrets: readonly string[]
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/**
 * What the action uses of `@actions/core`. Lines of the log cannot become workflow commands, and a command
 * file that cannot be written does not end the step.
 */
export interface Core {
  /** The input without white space around it, '' where it is not given. */
  getInput(name: string): string
  getState(name: string): string
  setSecret(secret: string): void
  info(line: string): void
  debug(message: string): void
  warning(message: string): void
  error(message: string): void
  setFailed(message: string): void
  isDebug(): boolean
  setOutput(name: string, value: string): void
  saveState(name: string, value: string): void
  /** Replaces what the step wrote before. */
  setSummary(markdown: string): Promise<void>
}

export type Canceller = ReturnType<typeof cancellation>
type Cancellation = Omit<Canceller, 'cancel'>

/**
 * The runner sends SIGINT, SIGTERM 7.5 s later and SIGKILL after another 2.5 s; the action reports within 5 s
 * of the first one.
 * @param sleep must not keep the process alive
 */
export function cancellation(sleep: (ms: number) => Promise<void>) {
  const requested = new AbortController()
  const sending = new AbortController()
  const everything = new AbortController()
  return {
    /** Aborted at once: stop waiting. */
    requested: requested.signal,
    /** Aborted 3 s later: a request that creates a job had time to answer. */
    sendingEnds: sending.signal,
    /** Aborted 4.5 s later: end every request that is still open. */
    everythingEnds: everything.signal,
    cancel(): void {
      if (requested.signal.aborted) return
      requested.abort()
      void sleep(3000).then(() => sending.abort())
      void sleep(4500).then(() => everything.abort())
    },
  }
}

/** A moment that another runner may have dated, on the monotonic clock, as far as the clocks agree. @param at in ms since the epoch */
export const asMonotonic = ({ now, monotonic }: Pick<Deps, 'now' | 'monotonic'>, at: number): number =>
  monotonic() - Math.max(0, now() - at)

export function throwIfCancelled({ requested }: Cancellation): void {
  if (requested.aborted) throw new Cancelled()
}

export async function sleepUnlessCancelled(
  deps: Pick<Deps, 'cancellation' | 'sleep'>,
  ms: number,
): Promise<void> {
  const { requested } = deps.cancellation
  await deps.sleep(ms, requested).catch((error: unknown) => {
    throw requested.aborted ? new Cancelled({ cause: error }) : error
  })
}

/** The work goes on, and its result is dropped. */
export async function orCancelled<T>({ requested }: Cancellation, work: Promise<T>): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const stop = () => reject(new Cancelled())
    if (requested.aborted) stop()
    requested.addEventListener('abort', stop)
    work.then(resolve, reject).finally(() => requested.removeEventListener('abort', stop))
  })
}
