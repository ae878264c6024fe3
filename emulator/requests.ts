import type { AnyHost, EmulatedRequest } from './http.ts'

/** One request as it was received, and what became of it. */
export interface RequestEntry {
  readonly host: AnyHost
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
  /** When its answer began, or the connection failed; `Infinity` until then. */
  readonly answeredAt: number
}

type Growing<T> = { -readonly [K in keyof T]: T[K] }

/** An entry of the log, to be filled in as the request goes on. */
export function entryOf(request: EmulatedRequest, at: number): Growing<RequestEntry> {
  const { host, method, path, headers, body } = request
  const query = Object.fromEntries(request.query)
  const pending = { status: null, processed: null, faults: [], answeredAt: Number.POSITIVE_INFINITY }
  return { host, method, path, query, headers, body, at, ...pending }
}
