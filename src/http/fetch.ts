import { Agent, type Dispatcher, EnvHttpProxyAgent, fetch as undiciFetch } from 'undici'
import meta from '../../package.json' with { type: 'json' }
import type { Deps, Fetch } from '../base/deps.ts'
import { isLoopback } from '../base/link.ts'

export const VERSION = meta.version

/** The CDN in front of the service refuses some default user agents. */
export const USER_AGENT = `docs-agent-action/${VERSION}`

/**
 * undici's `fetch` behind the proxies that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name, each for its own protocol, and behind
 * none for this machine itself. Its dispatchers are its own: undici's global one is Node's, which `NODE_USE_ENV_PROXY`
 * replaces by one that takes requests to this machine to the proxy, too.
 * @throws {TransportError} where a variable holds no URL; not shown, as it may hold a password
 */
export function proxyFetch(env: NodeJS.ProcessEnv): Fetch {
  const send = undiciFetch as unknown as (url: string, init: object) => Promise<Response>
  const dispatchers = new Map<string, Dispatcher>()
  return async (url, init) => {
    const name = isLoopback(url) ? '' : url.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY'
    const dispatcher = dispatchers.get(name) ?? dispatcherOf(env, name)
    dispatchers.set(name, dispatcher)
    return await send(url, { ...init, dispatcher })
  }
}

/** @param name of the variable; '' for no proxy */
function dispatcherOf(env: NodeJS.ProcessEnv, name: string): Dispatcher {
  const setting = (variable: string): string => env[variable.toLowerCase()] || env[variable] || ''
  const value = setting(name)
  if (value === '') return new Agent()
  // The runner, curl and git take a host and a port alone for an HTTP proxy.
  const url = value.includes('://') ? value : `http://${value}`
  try {
    return new EnvHttpProxyAgent({
      ...{ httpProxy: url, httpsProxy: url, noProxy: setting('NO_PROXY') },
      // Many proxies open a tunnel to port 443 alone.
      proxyTunnel: false,
    })
  } catch (cause) {
    throw new TransportError('unusable', `${name} holds no URL of a proxy`, { cause })
  }
}

export interface HttpRequest extends Pick<RequestInit, 'redirect'> {
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

export interface HttpAnswer {
  /** Where it came from, after redirects. */
  readonly url: string
  readonly status: number
  readonly headers: Headers
  /** The whole body; '' where it broke. */
  readonly text: string
  /** What broke the body, after status and headers were read. */
  readonly broken?: TransportError | undefined
}

/** Larger bodies of the service are refused. */
export const MAX_BODY_BYTES = 5 * 1024 * 1024

/**
 * Follows no redirect unless it is asked to, so that a secret goes to no other host.
 * @returns the answer as soon as there is a status, whatever becomes of its body
 * @throws {TransportError} when no status came; its kind says if the server may have acted
 */
export async function exchange(
  deps: Pick<Deps, 'fetch' | 'sleep'>,
  request: HttpRequest,
): Promise<HttpAnswer> {
  const { url, timeoutMs, maxBytes = MAX_BODY_BYTES, signal, ...init } = request
  const [expiry, settled] = [new AbortController(), new AbortController()]
  const late = new TransportError('broken', `no answer within ${Math.ceil(timeoutMs / 100) / 10} s`)
  deps.sleep(timeoutMs, settled.signal).then(
    () => expiry.abort(late),
    () => undefined,
  )
  const brokenBy = (error: unknown): TransportError => {
    if (error instanceof TransportError) return error
    return expiry.signal.aborted
      ? late
      : new TransportError(...transportKind(error, signal), { cause: error })
  }
  try {
    const response = await deps.fetch(url, {
      redirect: 'manual',
      ...init,
      signal: AbortSignal.any(signal === undefined ? [expiry.signal] : [expiry.signal, signal]),
    })
    const { status, headers } = response
    const answer = { url: response.url || url, status, headers }
    return await bodyOf(response, maxBytes).then(
      (text) => ({ ...answer, text }),
      (error: unknown) => ({ ...answer, text: '', broken: brokenBy(error) }),
    )
  } catch (error) {
    throw brokenBy(error)
  } finally {
    settled.abort()
  }
}

async function bodyOf(response: Response, maxBytes: number): Promise<string> {
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
  return text + decoder.decode()
}

/**
 * How an exchange broke. After `unsent`, the server surely did not see the request. After `unusable` (a certificate, the
 * proxy variables, another host), another try changes nothing. After the others, the server may have acted.
 */
type TransportKind = 'unsent' | 'unusable' | 'broken' | 'too-large' | 'cancelled'

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

const PROXY_REFUSAL = /^(UND_ERR_ABORTED Proxy response|UND_ERR_INVALID_ARG Proxy Authentication Required)/

/** As zlib names what is wrong with gzip and deflate, Brotli, and Zstandard. */
const DECODING = /^(Z_|ERR__ERROR_FORMAT_|ERR_BROTLI_|ZSTD_)/

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
  const unsent = code === 'ETIMEDOUT' && syscall === 'connect' ? 'connecting timed out' : UNSENT[code]
  if (unsent !== undefined) return ['unsent', unsent]
  // undici reports a proxy that refuses the tunnel as an aborted request, and one that wants a login as a wrong argument.
  if (PROXY_REFUSAL.test(`${code} ${message}`)) return ['unsent', 'the proxy did not let the request through']
  if (CERTIFICATE.test(code)) return ['unusable', `certificate refused (${code})`]
  if (DECODING.test(code)) return ['broken', `a body that could not be decoded (${code})`]
  if (code === 'ECONNRESET') return ['broken', 'connection reset']
  return ['broken', code === '' ? 'connection broken' : `connection broken (${code})`]
}
