import { createHmac, hkdfSync } from 'node:crypto'

/**
 * The simulator's own reader of records (contract 5.1), so that a mistake in the action's code is not believed twice.
 * The format: `<!-- docs-agent:VERSION:PAYLOAD:HMAC -->` at the very end of a comment.
 */

/** What a signature is bound to. */
export interface Scope {
  /** Memory key, or else API key. */
  readonly secret: string
  readonly projectId: string
  readonly repositoryId: number
  readonly thread: number
}

/** What a comment of the action remembers. */
export interface Remembered {
  readonly kind: (typeof KINDS)[number]
  readonly key: string
  /** In ms since the epoch. */
  readonly requestedAt: number
  /** Login, '' for no person. */
  readonly requestedBy: string
  /** '' while there is none. */
  readonly jobId: string
  /** Of the job as last read. */
  readonly jobStatus: string
  readonly prLink: string
  /** All that it says. */
  readonly payload: Readonly<Record<string, unknown>>
}

/** Of a thread, not of one request. */
const OF_THREAD = ['refusal', 'link', 'tracking', 'docs-skipped'] as const
const KINDS = ['sending', 'unknown', 'notSent', 'running', 'reported', 'idle', ...OF_THREAD] as const
const RECORD = /<!-- docs-agent:(\d{1,4}):([\w-]+):([\w-]{43}) -->\s*$/

export const isOfRequest = ({ kind }: Remembered): boolean => !OF_THREAD.some((one) => one === kind)

/** The record at the end of a comment, if it was signed with this key for this thread. */
export function recordIn(body: string, scope: Scope): Remembered | undefined {
  const [, version = '', payload = '', hmac = ''] = RECORD.exec(body.replaceAll('\r\n', '\n')) ?? []
  return payload !== '' && hmac === signature(version, payload, scope) ? parse(payload) : undefined
}

/** What the record at the end of a comment says, whoever signed it. */
export function unsignedRecordIn(body: string): Remembered | undefined {
  const payload = RECORD.exec(body)?.[2]
  return payload === undefined ? undefined : parse(payload)
}

/** The comment with its record changed and signed anew. */
export function resigned(body: string, scope: Scope, change: object = {}): string {
  const [whole = '', version = '', payload = ''] = RECORD.exec(body) ?? []
  if (whole === '') return body
  const text = JSON.stringify({ ...(json(payload) as object), ...change })
  const changed = Buffer.from(text).toString('base64url')
  const record = `<!-- docs-agent:${version}:${changed}:${signature(version, changed, scope)} -->`
  return body.replace(RECORD, () => record)
}

export const withoutRecord = (body: string): string => body.replace(RECORD, '').trimEnd()

/** Without the request that it echoes, too. */
export const wordsOf = (body: string): string =>
  withoutRecord(body).replace(/<details>[\s\S]*<\/details>/, '')

function signature(version: string, payload: string, scope: Scope): string {
  const { secret, repositoryId, thread, projectId } = scope
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'docs-agent record', 32))
  const signed = JSON.stringify([version, payload, repositoryId, thread, projectId])
  return createHmac('sha256', key).update(signed).digest('base64url')
}

const json = (payload: string): unknown => JSON.parse(Buffer.from(payload, 'base64url').toString())

function parse(encoded: string): Remembered | undefined {
  const payload = objectIn(json(encoded))
  const state = textIn(payload.state)
  const kind = KINDS.find((name) => name === state)
  if (kind === undefined) return undefined
  const job = objectIn(payload.job)
  return {
    kind,
    key: textIn(payload.key),
    requestedAt: Number(payload.requestedAt ?? 0),
    requestedBy: textIn(payload.requestedBy),
    jobId: textIn(job.id) || textIn(payload.jobId),
    jobStatus: textIn(job.status),
    prLink: textIn(job.prLink),
    payload,
  }
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
const objectIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
