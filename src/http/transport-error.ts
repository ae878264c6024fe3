/**
 * How an exchange broke:
 * - `unsent`: no connection, so the server surely did not see the request;
 * - `certificate`: the server cannot prove who it is; another try changes nothing;
 * - `unusable`: the proxy variables of the environment, or the port, can never work; another try changes nothing;
 * - `timeout`, `broken`, `too-large`, `cancelled`: the server may have acted on the request.
 */
export type TransportKind =
  | 'unsent'
  | 'certificate'
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

/** Codes of Node's resolver and sockets and of undici, with the words for people. */
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
 * OpenSSL's verification results as Node names them, and the faults that only a handshake has. Other `ERR_SSL_*` can
 * come in the middle of a request.
 */
const CERTIFICATE =
  /^(ERR_TLS_|ERR_SSL_(WRONG_VERSION|UNSUPPORTED|PACKET_LENGTH|TLSV1_ALERT|SSLV3_ALERT_HANDSHAKE|NO_)|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/

/** undici reports a proxy that refuses the tunnel as an aborted request. */
const isRefusedByProxy = (code: string, message: string): boolean =>
  code === 'UND_ERR_ABORTED' && message.startsWith('Proxy response')

/** Sorts what `fetch` threw, by the first code in its chain of causes. */
export function transportKind(error: unknown, cancel?: AbortSignal): [TransportKind, string] {
  if (cancel?.aborted === true) return ['cancelled', 'the request was cut off']
  const { code, syscall, message } = codeOf(error)
  const unsent = UNSENT[code]
  if (unsent !== undefined) return ['unsent', unsent]
  if (code === 'ETIMEDOUT' && syscall === 'connect') return ['unsent', 'connecting timed out']
  if (isRefusedByProxy(code, message)) return ['unsent', 'the proxy did not let the request through']
  if (isBadPort(error)) return ['unusable', 'no HTTP client connects to that port']
  if (CERTIFICATE.test(code)) return ['certificate', `certificate refused (${code})`]
  if (code === 'ECONNRESET') return ['broken', 'connection reset']
  return ['broken', code === '' ? 'connection broken' : `connection broken (${code})`]
}

/** Ports of other protocols are refused before anything is sent: https://fetch.spec.whatwg.org/#port-blocking */
const isBadPort = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port'

function codeOf(error: unknown): { code: string; syscall: string; message: string } {
  for (let e = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++) {
    // Of a host with several addresses, each is tried: the errors of all of them come as one, which names no syscall.
    const { code, syscall } = (e instanceof AggregateError ? (e.errors[0] ?? e) : e) as NodeJS.ErrnoException
    if (typeof code === 'string') return { code, syscall: syscall ?? '', message: e.message }
  }
  return { code: '', syscall: '', message: '' }
}
