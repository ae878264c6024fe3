import type { Delivery, EmulatedRequest, EmulatedResponse, Outcome } from './http.ts'

/** What stands behind a socket, or behind a `fetch` without one. */
export interface Wire {
  readonly parse: (
    method: string,
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
  ) => EmulatedRequest
  readonly handle: (request: EmulatedRequest, signal?: AbortSignal) => Promise<Outcome>
}

/** The connection ended before the body did. */
export class CutShort extends Error {}

const FLOOD_CHUNK = 64 * 1024

/** The body's bytes as `delivery` says. Throws `CutShort` where the connection breaks. */
export async function* chunks(
  response: EmulatedResponse,
  delivery: Delivery,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(response.body)
  const half = bytes.subarray(0, Math.ceil(bytes.length / 2))
  switch (delivery.kind) {
    case 'whole':
      yield bytes
      return
    case 'cut':
      yield half
      throw new CutShort('connection reset in the middle of a body')
    case 'stall':
      yield half
      await forever(signal)
      return
    case 'flood':
      yield* flood(delivery.bytes)
  }
}

/** A valid JSON string of so many bytes, made as it is read. */
function* flood(total: number): Generator<Uint8Array<ArrayBuffer>> {
  const quote = new TextEncoder().encode('"')
  const filler = new Uint8Array(FLOOD_CHUNK).fill(120)
  yield quote
  for (let left = total - 2; left > 0; left -= FLOOD_CHUNK)
    yield filler.subarray(0, Math.min(left, FLOOD_CHUNK))
  yield quote
}

/** Never resolves; rejects when the signal aborts. */
export function forever(signal?: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
