import type { Fetch } from './fetch.ts'
import { TransportError, transportKind } from './transport-error.ts'

/** What one request needs from outside. */
export interface HttpDeps {
  readonly fetch: Fetch
  /** Resolves after `ms`; rejects as soon as `signal` is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** For the whole exchange, the body of the answer included. */
  readonly timeoutMs: number
  /** Ends the exchange from outside. */
  readonly signal?: AbortSignal | undefined
  /** Never through a proxy. */
  readonly direct?: boolean
}

/** Any status, redirects included: no exchange follows one, so a secret goes to no other host. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Larger bodies are refused (contract 4.7). */
export const MAX_BODY_BYTES = 5 * 1024 * 1024

/**
 * One request, one answer, no second try.
 * @throws {TransportError} when no whole answer came: its kind says whether the server can have seen the request
 */
export async function exchange(deps: HttpDeps, request: HttpRequest): Promise<HttpAnswer> {
  const { method, url, headers, body, timeoutMs, signal, direct = false } = request
  const expiry = new AbortController()
  const settled = new AbortController()
  deps.sleep(timeoutMs, settled.signal).then(
    () => expiry.abort(new TransportError('timeout', `no answer within ${timeoutMs / 1000} s`)),
    () => undefined,
  )
  try {
    const response = await deps.fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any(signal === undefined ? [expiry.signal] : [expiry.signal, signal]),
      direct,
      ...(body === undefined ? {} : { body }),
    })
    return { status: response.status, headers: response.headers, text: await readBody(response) }
  } catch (error) {
    if (error instanceof TransportError) throw error
    if (expiry.signal.aborted) throw expiry.signal.reason
    throw new TransportError(...transportKind(error, signal), { cause: error })
  } finally {
    settled.abort()
  }
}

/** The body as text; stops reading, and closes the connection, at the limit. */
async function readBody(response: Response): Promise<string> {
  if (response.body === null) return ''
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  for await (const chunk of response.body as ReadableStream<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > MAX_BODY_BYTES) throw new TransportError('too-large', 'an answer of more than 5 MiB')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
