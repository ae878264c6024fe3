import { createHmac, hkdfSync } from 'node:crypto'

/**
 * The hidden record at the end of a comment: `<!-- docs-agent:VERSION:PAYLOAD:HMAC -->`. What the payload says is the
 * action's own business; here it counts who signed it, and whether the name of a job stands in it.
 */

/** What a signature is bound to. */
export interface Scope {
  /** Memory key. */
  readonly secret: string
  readonly projectId: string
  readonly repositoryId: number
  readonly thread: number
}

const RECORD = /<!-- docs-agent:(\d{1,4}):([\w-]+):([\w-]{43}) -->\s*$/

export const recordOf = (body: string): string => RECORD.exec(body)?.[0] ?? ''

export const withoutRecord = (body: string): string => body.replace(RECORD, '').trimEnd()

/** What a comment says, with what its record says. */
export function toldBy(body: string): string {
  const payload = RECORD.exec(body)?.[2] ?? ''
  return `${withoutRecord(body)}\n${Buffer.from(payload, 'base64url').toString()}`
}

/** What a record says of a round of fixes; '' for what it does not say. */
export interface Claimed {
  readonly jobId: string
  /** That asked, such as `issue:12`. */
  readonly comment: string
  readonly requestedBy: string
}

/** Undefined for a text without a record. */
export function recordedIn(body: string): Claimed | undefined {
  const payload = RECORD.exec(body)?.[2]
  if (payload === undefined) return undefined
  const record = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return {
    jobId: String(record.job?.id ?? ''),
    comment: String(record.comment ?? ''),
    requestedBy: String(record.requestedBy ?? ''),
  }
}

/** Whether the record is signed with the key of this scope. */
export function isSigned(body: string, scope: Scope): boolean {
  const [, version = '', payload = '', hmac] = RECORD.exec(body) ?? []
  return hmac !== undefined && hmac === signature(version, payload, scope)
}

/** Its record with changes, signed with the key of this scope. */
export function forged(body: string, scope: Scope, change: (json: string) => string): string {
  const [whole, version = '', payload = ''] = RECORD.exec(body) ?? []
  if (whole === undefined) return ''
  const changed = Buffer.from(change(Buffer.from(payload, 'base64url').toString())).toString('base64url')
  return `<!-- docs-agent:${version}:${changed}:${signature(version, changed, scope)} -->`
}

function signature(version: string, payload: string, scope: Scope): string {
  const { secret, repositoryId, thread, projectId } = scope
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'docs-agent record', 32))
  const signed = JSON.stringify([version, payload, repositoryId, thread, projectId])
  return createHmac('sha256', key).update(signed).digest('base64url')
}
