import type { Deps } from '../deps.ts'
import { ActionError, type ErrorReason } from '../errors.ts'
import { asObject, parseJson } from '../json.ts'
import { redact } from '../redact.ts'
import { oneLine } from '../text.ts'
import { type Failure, isForeign, isTooLarge, retryAfterMs } from './failure.ts'
import { exchange, type HttpAnswer, TransportError, USER_AGENT } from './fetch.ts'

export interface ServiceAccess {
  /** Without a slash at its end; may hold a path prefix. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Signs what threads remember, and is never sent; '' for none. */
  readonly memoryKey: string
  readonly projectId: string
}

/** `fault`: what is wrong with the answer, for the middle of a sentence. */
export type Parsed<T> = T | { readonly fault: string }

export interface ServiceCall<T> {
  /** Percent-encoded, with its leading slash. */
  readonly path: string
  readonly body?: object
  readonly leftMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  parse(text: string): Parsed<T>
  explain(failure: Failure): string
}

/** A read times out after 30 s, what creates or sends after 90 s, or at a deadline. */
const TIMEOUT_MS = { GET: 30_000, POST: 90_000 }

/**
 * One authorised request, without a second try. Any 2xx is an answer.
 * @throws {ServiceError} where there is none that can be used
 */
export async function callService<T extends object>(
  deps: Pick<Deps, 'fetch' | 'sleep' | 'now'>,
  access: ServiceAccess,
  call: ServiceCall<T>,
): Promise<T> {
  const { path, body, leftMs = Number.POSITIVE_INFINITY, signal } = call
  const { baseUrl, apiKey, memoryKey } = access
  const method = body === undefined ? 'GET' : 'POST'
  const secrets = [apiKey, memoryKey]
  const failed = (failure: Failure) => new ServiceError(failure, call.explain(failure))
  const answer = await exchange(deps, {
    method,
    url: baseUrl + path,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${apiKey}`,
      'user-agent': USER_AGENT,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    timeoutMs: Math.min(TIMEOUT_MS[method], Math.max(1, leftMs)),
    signal,
    // The key may travel over http: on this machine alone, so never through a proxy.
    direct: baseUrl.startsWith('http:'),
  }).catch((error: unknown) => {
    throw error instanceof TransportError ? failed({ kind: 'transport', error }) : error
  })
  if (answer.status < 200 || answer.status >= 300) throw failed(statusFailure(answer, deps.now(), secrets))
  // What the service echoes ends in comments and outputs, where the runner masks nothing.
  const parsed = call.parse(redact(answer.text, secrets))
  if ('fault' in parsed) throw failed({ kind: 'unreadable', detail: parsed.fault })
  return parsed
}

export class ServiceError extends ActionError {
  readonly failure: Failure

  constructor(failure: Failure, sentence: string, reason = reasonOf(failure)) {
    super(reason, sentence, failure.kind === 'transport' ? { cause: failure.error } : undefined)
    this.failure = failure
  }
}

/** Every status that is not listed goes by its hundred. */
const STATUS_REASONS: Readonly<Record<number, ErrorReason>> = {
  401: 'unauthorized',
  402: 'payment-required',
  403: 'forbidden',
  404: 'job-not-found',
  429: 'rate-limited',
}

export function reasonOf(failure: Failure): ErrorReason {
  if (failure.kind === 'unreadable' || isTooLarge(failure)) return 'bad-response'
  if (failure.kind === 'transport') return 'network'
  if (isForeign(failure)) return 'bad-response'
  const { status } = failure
  if (status >= 500) return 'service-unavailable'
  return STATUS_REASONS[status] ?? (status >= 400 ? 'rejected' : 'bad-response')
}

export function statusFailure(
  answer: Omit<HttpAnswer, 'url'>,
  now: number,
  secrets: readonly string[],
): Failure {
  // A spent budget tells how long a 429 waits. A 503 without `Retry-After` still leaves everything open.
  const limited = answer.status === 429 || answer.headers.has('retry-after')
  const text = redact(answer.text, secrets)
  const value = parseJson(text)
  // A page of HTML says nothing that helps. The service may echo the key, so it goes from each part as well.
  const said = /^\s*</.test(text) ? '' : value === undefined ? text : messages(value).join('; ')
  return {
    kind: 'status',
    status: answer.status,
    detail: oneLine(redact(said, secrets), 200),
    retryAfterMs: limited ? retryAfterMs(answer.headers, now) : undefined,
    isForeign: answer.status === 404 && !('error' in asObject(parseJson(answer.text))),
  }
}

function messages(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value]
  if (depth > 3) return []
  const { error, message, details } = asObject(value)
  const parts: readonly unknown[] = Array.isArray(value) ? value.slice(0, 3) : [error, message, details]
  return parts.flatMap((part) => messages(part, depth + 1))
}
