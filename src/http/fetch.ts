import { type Dispatcher, EnvHttpProxyAgent, getGlobalDispatcher, fetch as undiciFetch } from 'undici'
import meta from '../../package.json' with { type: 'json' }
import type { Deps, Fetch, FetchInit } from '../deps.ts'

export const VERSION = meta.version

/** The CDN in front of the service refuses some default user agents. */
export const USER_AGENT = `docs-agent-action/${VERSION}`

/**
 * undici's `fetch` behind the proxies that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name. Each carries its own
 * protocol: `EnvHttpProxyAgent` alone would send https: through HTTP_PROXY, too.
 * @throws {TransportError} where a variable holds no URL; not shown, as it may hold a password
 */
export function proxyFetch(env: NodeJS.ProcessEnv): Fetch {
  const send = undiciFetch as unknown as (url: string, init: object) => Promise<Response>
  const hasHttpsProxy = Boolean(env.https_proxy || env.HTTPS_PROXY)
  let proxies: Dispatcher | undefined
  return async (url, { direct = false, ...init }) => {
    const isDirect = direct || (url.startsWith('https:') && !hasHttpsProxy)
    if (!isDirect) proxies ??= environmentProxies(env)
    return await send(url, { ...init, dispatcher: isDirect ? getGlobalDispatcher() : proxies })
  }
}

function environmentProxies(env: NodeJS.ProcessEnv): Dispatcher {
  const httpProxy = proxyUrl(env.http_proxy || env.HTTP_PROXY)
  const httpsProxy = proxyUrl(env.https_proxy || env.HTTPS_PROXY)
  try {
    return new EnvHttpProxyAgent({
      ...(httpProxy && { httpProxy }),
      ...(httpsProxy && { httpsProxy }),
      noProxy: env.no_proxy || env.NO_PROXY || '',
    })
  } catch (cause) {
    const names = [httpsProxy && 'HTTPS_PROXY', httpProxy && 'HTTP_PROXY'].filter(Boolean).join(' or ')
    throw new TransportError('unusable', `${names} holds no URL of a proxy`, { cause })
  }
}

/** The runner, curl and git take a host and a port alone for an HTTP proxy. */
const proxyUrl = (value: string | undefined): string | undefined =>
  value && !value.includes('://') ? `http://${value}` : value

export interface HttpRequest extends Pick<FetchInit, 'direct'> {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** For the whole exchange, the body of the answer included. */
  readonly timeoutMs: number
  /** Of the answer; by default `MAX_BODY_BYTES`. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal | undefined
}

/** Any status, redirects included: no exchange follows one, so a secret goes to no other host. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Larger bodies of the service are refused (contract 4.7). */
export const MAX_BODY_BYTES = 5 * 1024 * 1024

/** @throws {TransportError} when no whole answer came; its kind says if the server may have acted */
export async function exchange(
  deps: Pick<Deps, 'fetch' | 'sleep'>,
  request: HttpRequest,
): Promise<HttpAnswer> {
  const { url, timeoutMs, maxBytes = MAX_BODY_BYTES, signal, ...init } = request
  const expiry = new AbortController()
  const settled = new AbortController()
  deps.sleep(timeoutMs, settled.signal).then(
    () =>
      expiry.abort(new TransportError('timeout', `no answer within ${Math.ceil(timeoutMs / 100) / 10} s`)),
    () => undefined,
  )
  try {
    const response = await deps.fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.any(signal === undefined ? [expiry.signal] : [expiry.signal, signal]),
    })
    const decoder = new TextDecoder()
    let bytes = 0
    let text = ''
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) {
        throw new TransportError('too-large', `an answer of more than ${maxBytes / 2 ** 20} MiB`)
      }
      text += decoder.decode(chunk, { stream: true })
    }
    return { status: response.status, headers: response.headers, text }
  } catch (error) {
    if (error instanceof TransportError) throw error
    if (expiry.signal.aborted) throw expiry.signal.reason
    throw new TransportError(...transportKind(error, signal), { cause: error })
  } finally {
    settled.abort()
  }
}

/**
 * How an exchange broke. After `unsent`, the server surely did not see the request. After `certificate`,
 * `redirect` and `unusable` (the proxy variables, or the port), another try changes nothing. After the
 * others, the server may have acted.
 */
export type TransportKind =
  | 'unsent'
  | 'certificate'
  | 'redirect'
  | 'unusable'
  | 'timeout'
  | 'broken'
  | 'too-large'
  | 'cancelled'

export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly kind: TransportKind

  constructor(kind: TransportKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

const UNSENT: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'name server not reachable',
  EHOSTUNREACH: 'host not reachable',
  ENETUNREACH: 'network not reachable',
  UND_ERR_CONNECT_TIMEOUT: 'connecting timed out',
  UND_ERR_PRX_TLS: 'the proxy could not be reached over TLS',
}

/**
 * OpenSSL's verification results as Node names them, and what only a handshake can fail with. Other alerts of a
 * server can also end a connection on which it has read the request.
 */
const CERTIFICATE =
  /^(ERR_TLS_|ERR_SSL_(WRONG_VERSION|UNSUPPORTED|PACKET_LENGTH|NO_|TLSV1_UNRECOGNIZED_NAME|(TLSV1|TLSV13|SSLV3|SSL\/TLS)_ALERT_(HANDSHAKE|PROTOCOL_VERSION|INSUFFICIENT|UNKNOWN_CA|ACCESS_DENIED|CERTIFICATE_REQUIRED|NO_APPLICATION))|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/

/** Sorts what `fetch` threw, by the first code in its chain of causes. */
export function transportKind(error: unknown, cancel?: AbortSignal): [TransportKind, string] {
  if (cancel?.aborted === true) return ['cancelled', 'the request was cut off']
  let [code, syscall, message] = ['', '', '']
  for (let e = error, depth = 0; e instanceof Error && depth < 5 && code === ''; e = e.cause, depth++) {
    // Of a host with several addresses, each is tried: the errors of all of them come as one, which names no syscall.
    const found = (e instanceof AggregateError ? (e.errors[0] ?? e) : e) as NodeJS.ErrnoException
    if (typeof found.code === 'string')
      [code, syscall, message] = [found.code, found.syscall ?? '', e.message]
  }
  const unsent = UNSENT[code]
  if (unsent !== undefined) return ['unsent', unsent]
  if (code === 'ETIMEDOUT' && syscall === 'connect') return ['unsent', 'connecting timed out']
  // undici reports a proxy that refuses the tunnel as an aborted request.
  if (code === 'UND_ERR_ABORTED' && message.startsWith('Proxy response')) {
    return ['unsent', 'the proxy did not let the request through']
  }
  // Ports of other protocols are refused before anything is sent: https://fetch.spec.whatwg.org/#port-blocking
  if (error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port') {
    return ['unusable', 'no HTTP client connects to that port']
  }
  if (CERTIFICATE.test(code)) return ['certificate', `certificate refused (${code})`]
  if (code === 'ECONNRESET') return ['broken', 'connection reset']
  return ['broken', code === '' ? 'connection broken' : `connection broken (${code})`]
}
