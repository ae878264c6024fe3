import type { EmulatedRequest, Host } from './http.ts'

/** One request as it was received, and what became of it. */
export interface RequestEntry {
  readonly host: Host
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** `null` until the answer; stays `null` if the connection fails. */
  readonly status: number | null
  /** The status of the processing, even if the answer was lost; `null` if a fault prevented it. */
  readonly processed: number | null
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
    const entry = { host, method, path, query, headers, body, status: null, processed: null, faults: [], at }
    return this.#entries.push(Object.freeze(entry)) - 1
  }

  processed(index: number, processed: number): void {
    this.#change(index, { processed })
  }

  answered(index: number, status: number | null, faults: readonly string[]): RequestEntry | undefined {
    return this.#change(index, { status, faults: [...faults] })
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

  #change(index: number, news: Partial<RequestEntry>): RequestEntry | undefined {
    const entry = this.#entries[index]
    if (!entry) return undefined
    const changed = Object.freeze({ ...entry, ...news })
    this.#entries[index] = changed
    return changed
  }
}
