import type { Deps } from '../base/deps.ts'
import { ActionError, type ErrorReason } from '../base/errors.ts'
import { asObject, parseJson } from '../base/json.ts'
import { redact } from '../base/redact.ts'
import { codeSpan, oneLine } from '../base/text.ts'
import { type Failure, type Fate, retryAfterMs } from './failure.ts'
import { exchange, type HttpAnswer, TransportError, USER_AGENT } from './fetch.ts'

export interface ServiceAccess {
  /** Without a slash at its end; may hold a path prefix. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Signs what threads remember, and is never sent; '' where it is not given. */
  readonly memoryKey: string
  readonly projectId: string
  /** The input of this name, where the workflow sets it. */
  readonly jobId?: string | undefined
}

export const DEFAULT_BASE_URL = 'https://api.mintlify.com'

/** `fault`: what is wrong with the answer, for the middle of a sentence. */
export type Parsed<T> = T | { readonly fault: string }

interface ServiceCall<T> {
  /** Percent-encoded, with its leading slash. */
  readonly path: string
  readonly body?: object
  readonly leftMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  parse(text: string): Parsed<T>
  judge(failure: Failure): Judgement
}

/** What a failed request means. */
export interface Judgement {
  readonly reason: ErrorReason
  readonly fate: Fate
  /** One to three sentences, with the next step. */
  readonly sentence: string
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
  const failed = (failure: Failure) => new ServiceError(failure, call.judge(failure))
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
  }).catch((error: unknown) => {
    throw error instanceof TransportError ? failed({ kind: 'transport', error }) : error
  })
  const { status, broken } = answer
  if (status < 200 || status >= 300) throw failed(statusFailure(answer, deps.now(), secrets))
  if (broken !== undefined) throw failed(brokenFailure(answer, broken))
  // What the service echoes ends in comments and outputs, where the runner masks nothing.
  const text = redact(answer.text, secrets)
  const parsed = call.parse(text)
  if ('fault' in parsed) throw failed(unreadable(status, text, parsed.fault))
  return parsed
}

export class ServiceError extends ActionError {
  readonly failure: Failure
  readonly fate: Fate

  constructor(failure: Failure, { reason, fate, sentence }: Judgement) {
    super(reason, sentence, failure.kind === 'transport' ? { cause: failure.error } : undefined)
    this.failure = failure
    this.fate = fate
  }
}

export function statusFailure(
  answer: Omit<HttpAnswer, 'url'> & { readonly url?: string },
  now: number,
  secrets: readonly string[],
): Failure {
  // A spent budget tells how long a 429 waits. A 503 without `Retry-After` still leaves everything open.
  const limited = answer.status === 429 || answer.headers.has('retry-after')
  const text = redact(answer.text, secrets)
  const value = parseJson(text)
  const isCut = answer.broken !== undefined
  const isHtml = isCut ? declaresHtml(answer) : isPage(text)
  const said = isHtml ? pageTitleOf(text) : value === undefined ? text : messages(value).join('; ')
  return {
    kind: 'status',
    status: answer.status,
    // The service may echo the key, so it goes from each part as well.
    detail: oneLine(redact(said, secrets), 200),
    retryAfterMs: limited ? retryAfterMs(answer.headers, now) : undefined,
    isOwn: typeof asObject(value).error === 'string',
    isPage: isHtml,
    isCut,
    location: redact(locationOf(answer), secrets),
  }
}

const declaresHtml = ({ headers }: Pick<HttpAnswer, 'headers'>): boolean =>
  /^text\/html\b/i.test(headers.get('content-type') ?? '')

/** An answer that its status calls a good one, without its body. */
const brokenFailure = (answer: HttpAnswer, error: TransportError): Failure =>
  declaresHtml(answer)
    ? { kind: 'unreadable', detail: `HTTP ${answer.status}` }
    : { kind: 'transport', error, status: answer.status }

/** Where a redirect leads, without what may name a session; '' for no redirect. */
function locationOf({ url, headers }: { readonly url?: string; readonly headers: Headers }): string {
  const to = URL.parse(headers.get('location') ?? '', url)
  return to === null || headers.get('location') === null ? '' : to.origin + to.pathname
}

/** @param fault of an answer that its status calls a good one */
function unreadable(status: number, text: string, fault: string): Failure {
  const detail = isPage(text) ? `HTTP ${status}: ${codeSpan(pageTitleOf(text), 200)}` : fault
  return { kind: 'unreadable', detail, isOwn: !isPage(text) }
}

const isPage = (text: string): boolean => /^\s*</.test(text)

/** What the page of a firewall or a login calls itself, else its first words. */
function pageTitleOf(page: string): string {
  const [, title = ''] = /<title[^<>]*>([^<]*)/i.exec(page.slice(0, MOST_PAGE)) ?? []
  if (title.trim() !== '') return title
  return page
    .slice(0, MOST_PAGE)
    .replace(/<(script|style)\b[\s\S]*?(<\/\1>|$)/gi, ' ')
    .replace(/<[^<>]*>?/g, ' ')
}

/** Characters of a page in which its title is looked for. */
const MOST_PAGE = 10_000

function messages(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value]
  if (depth > 3) return []
  const { error, message, details } = asObject(value)
  const parts: readonly unknown[] = Array.isArray(value) ? value.slice(0, 3) : [error, message, details]
  return parts.flatMap((part) => messages(part, depth + 1))
}
