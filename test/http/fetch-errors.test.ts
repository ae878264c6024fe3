import { expect, test } from 'vitest'
import { transportKind } from '../../src/http/fetch.ts'

/** As undici wraps what Node's sockets and resolver throw. */
const failed = (cause: object) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('x'), cause) })

test.each([
  ['unsent', { code: 'ECONNREFUSED' }],
  ['unsent', { code: 'ENOTFOUND' }],
  ['unsent', { code: 'EAI_AGAIN' }],
  ['unsent', { code: 'EHOSTUNREACH' }],
  ['unsent', { code: 'ENETUNREACH' }],
  ['unsent', { code: 'UND_ERR_CONNECT_TIMEOUT' }],
  ['unsent', { code: 'ETIMEDOUT', syscall: 'connect' }],
  ['unsent', { code: 'UND_ERR_PRX_TLS' }],
  ['broken', { code: 'ETIMEDOUT', syscall: 'read' }],
  ['broken', { code: 'ECONNRESET' }],
  ['broken', { code: 'EPIPE' }],
  ['broken', { code: 'UND_ERR_SOCKET' }],
  ['broken', { code: 'UND_ERR_HEADERS_TIMEOUT' }],
  ['broken', {}],
  ['unsent', { code: 'UND_ERR_ABORTED', message: 'Proxy response (403) !== 200 when HTTP Tunneling' }],
  ['broken', { code: 'UND_ERR_ABORTED', message: 'Request aborted' }],
  ['unsent', { code: 'ECONNREFUSED', cause: Object.assign(new Error('y'), { code: 'ECONNRESET' }) }],
  ['unusable', { code: 'SELF_SIGNED_CERT_IN_CHAIN' }],
  ['unusable', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
  ['unusable', { code: 'CERT_HAS_EXPIRED' }],
  ['unusable', { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }],
  ['unusable', { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }],
  ['unusable', { code: 'ERR_SSL_WRONG_VERSION_NUMBER' }],
  ['unusable', { code: 'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE' }],
  ['unusable', { code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' }],
  ['unusable', { code: 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME' }],
  ['unusable', { code: 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA' }],
  ['unusable', { code: 'ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY' }],
  ['unusable', { code: 'ERR_SSL_TLSV1_ALERT_ACCESS_DENIED' }],
  ['unusable', { code: 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL' }],
  ['unusable', { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }],
  ['unusable', { code: 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE' }],
  ['unusable', { code: 'ERR_SSL_UNSUPPORTED_PROTOCOL' }],
  ['unusable', { code: 'ERR_SSL_PACKET_LENGTH_TOO_LONG' }],
  ['unusable', { code: 'ERR_SSL_NO_PROTOCOLS_AVAILABLE' }],
  ['unusable', { code: 'HOSTNAME_MISMATCH' }],
  ['broken', { code: 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR' }],
] as const)('4.3 %s: %j', (kind, cause) => {
  expect(transportKind(failed(cause))[0]).toBe(kind)
})

test.each(['ECONNREFUSED', 'ETIMEDOUT', 'ENETUNREACH'])(
  '4.3 unsent: no address of the host could be connected to (%s)',
  (code) => {
    const attempt = () => Object.assign(new Error('x'), { code, syscall: 'connect' })
    const all = Object.assign(new AggregateError([attempt(), attempt()]), { code })
    expect(transportKind(new TypeError('fetch failed', { cause: all }))[0]).toBe('unsent')
  },
)

test('4.3 a request that the action ends is cancelled, whatever the socket says', () => {
  expect(transportKind(failed({ code: 'ECONNREFUSED' }), AbortSignal.abort())[0]).toBe('cancelled')
})

test('4.3 what is thrown without being an error may have been sent', () => {
  expect(transportKind('x')).toEqual(['broken', 'connection broken'])
})
