import { isLoopback } from '../link.ts'
import { redactJson } from '../text.ts'
import { VERSION } from '../version.ts'
import { type Failure, statusFailure } from './errors.ts'
import { exchange, type HttpAnswer, type HttpDeps, TransportError } from './fetch.ts'

/** Where the service is, with the key and the project. */
export interface ServiceAccess {
  /** Without a slash at its end; may hold a path prefix. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly projectId: string
}

export interface ServiceDeps extends HttpDeps {
  /** Milliseconds since the epoch. */
  now(): number
}

export interface ServiceCall {
  readonly method: 'GET' | 'POST'
  /** Percent-encoded, with its leading slash. */
  readonly path: string
  readonly body?: unknown
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

export type ServiceResult = { readonly answer: HttpAnswer } | { readonly failure: Failure }

/** One authorised request to the service. Any 2xx is an answer, everything else a failure; nothing is thrown. */
export async function callService(
  deps: ServiceDeps,
  access: ServiceAccess,
  call: ServiceCall,
): Promise<ServiceResult> {
  try {
    const answer = await exchange(deps, {
      method: call.method,
      url: access.baseUrl + call.path,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${access.apiKey}`,
        // The CDN in front of the service refuses some default user agents.
        'user-agent': `docs-agent-action/${VERSION}`,
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      timeoutMs: call.timeoutMs,
      signal: call.signal,
      // On this machine the key may travel over http:, and never through a proxy (contract 1.2).
      direct: isLoopback(access.baseUrl),
    })
    if (answer.status >= 200 && answer.status < 300) {
      // What the service echoes ends in comments and outputs, where the runner masks nothing.
      return { answer: { ...answer, text: redactJson(answer.text, access.apiKey) } }
    }
    return { failure: statusFailure(answer, deps.now(), [access.apiKey]) }
  } catch (error) {
    if (error instanceof TransportError) return { failure: { kind: 'transport', error } }
    throw error
  }
}
