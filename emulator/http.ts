/** What the emulator speaks inside: plain requests and responses, so that sockets and in-process callers share one core. */

export type Host = 'service' | 'github'
/** The third one keeps files of GitHub, and takes no token. */
export type AnyHost = Host | 'storage'

export interface EmulatedRequest {
  readonly host: AnyHost
  readonly method: string
  /** Not URL-decoded, without query; for GitHub without the `/github` prefix. */
  readonly path: string
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Parsed JSON, or the text where it is none; `undefined` without a body. */
  readonly body: unknown
}

export interface EmulatedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How the bytes of an answer reach the client. */
export type Delivery =
  | { readonly kind: 'whole' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'stall' }
  | { readonly kind: 'flood'; readonly bytes: number }

/** What becomes of a request: an answer, or one of the ends that HTTP has no words for. */
export type Outcome =
  | { readonly kind: 'answer'; readonly response: EmulatedResponse; readonly delivery: Delivery }
  | { readonly kind: 'refused' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'stalled' }

export const answer = (response: EmulatedResponse, delivery: Delivery = { kind: 'whole' }): Outcome => ({
  kind: 'answer',
  response,
  delivery,
})

export function json(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): EmulatedResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  }
}

export function text(status: number, body: string, type = 'text/plain; charset=utf-8'): EmulatedResponse {
  return { status, headers: { 'content-type': type }, body }
}

export const empty = (status: number): EmulatedResponse => ({ status, headers: {}, body: '' })

export function parseBody(raw: string): unknown {
  if (raw === '') return undefined
  try {
    return JSON.parse(raw) as unknown
  } catch {
    return raw
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
