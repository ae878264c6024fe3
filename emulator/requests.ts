import type { EmulatedRequest, Host } from './http.ts'

/** One request as it was received, and what became of it. */
export interface RequestEntry {
  readonly host: Host
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** `null` while no answer was given, or for good where the connection failed instead. */
  readonly status: number | null
  /** Kinds of the faults that this request met. */
  readonly faults: readonly string[]
  /** Milliseconds since the epoch, on the emulator's clock. */
  readonly at: number
}

/** The log of all requests in order of arrival. Entries are frozen; an answer replaces the entry. */
export class RequestLog {
  readonly #entries: RequestEntry[] = []
  #from = 0

  add(request: EmulatedRequest, at: number): number {
    const { host, method, path, headers, body } = request
    const query = Object.fromEntries(request.query)
    const entry = { host, method, path, query, headers, body, status: null, faults: [], at }
    return this.#entries.push(Object.freeze(entry)) - 1
  }

  answered(index: number, status: number | null, faults: readonly string[]): RequestEntry | undefined {
    const entry = this.#entries[index]
    if (!entry) return undefined
    const done = Object.freeze({ ...entry, status, faults: [...faults] })
    this.#entries[index] = done
    return done
  }

  at(index: number): RequestEntry | undefined {
    return this.#entries[index]
  }

  all(): readonly RequestEntry[] {
    return this.#entries.slice(this.#from)
  }

  /** Shows from now on only what comes later. */
  clear(): void {
    this.#from = this.#entries.length
  }
}
