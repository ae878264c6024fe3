import { Cancelled } from './errors.ts'

/**
 * The runner sends SIGINT, SIGTERM 7.5 s later and SIGKILL after another 2.5 s; the action reports within 5 s
 * of the first one (contract 6.1).
 */
export interface Cancellation {
  /** Aborted at once: stop waiting. */
  readonly requested: AbortSignal
  /** Aborted 3 s later: a request that creates a job had time to answer. */
  readonly sendingEnds: AbortSignal
  /** Aborted 4.5 s later: end every request that is still open. */
  readonly everythingEnds: AbortSignal
}

export interface Canceller extends Cancellation {
  cancel(): void
}

/** @param sleep must not keep the process alive */
export function cancellation(sleep: (ms: number) => Promise<void>): Canceller {
  const requested = new AbortController()
  const sending = new AbortController()
  const everything = new AbortController()
  return {
    requested: requested.signal,
    sendingEnds: sending.signal,
    everythingEnds: everything.signal,
    cancel() {
      if (requested.signal.aborted) return
      requested.abort()
      void sleep(3000).then(() => sending.abort())
      void sleep(4500).then(() => everything.abort())
    },
  }
}

export function throwIfCancelled({ requested }: Cancellation): void {
  if (requested.aborted) throw new Cancelled()
}

export async function sleepUnlessCancelled(
  deps: {
    readonly cancellation: Cancellation
    sleep(ms: number, signal?: AbortSignal): Promise<void>
  },
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
