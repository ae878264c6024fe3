import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { asObject, parseJson } from '../base/json.ts'
import { type ActionRecord, parseRecord, recordJson } from './record.ts'
import { digestOfProject } from './request-identity.ts'

export interface SigningScope {
  /** Of `signingKey`; undefined without a usable `memory-key`: then nothing is signed, and nothing verifies. */
  readonly key: Buffer | undefined
  readonly projectId: string
  /** Stays the same when the repository is renamed. */
  readonly repositoryId: number
  readonly thread: number
}

export type RepositoryScope = Omit<SigningScope, 'thread'>

export const signingKey = (memoryKey: string): Buffer =>
  Buffer.from(hkdfSync('sha256', memoryKey, '', 'docs-agent record', 32))

export const RECORD_VERSION = '2'
/** Every field of a record is bounded. */
const RECORD = String.raw`<!-- docs-agent:${RECORD_VERSION}:([\w-]{1,30000}):([\w-]{43}) -->`
const RECORDS = new RegExp(RECORD, 'g')
const ANY_RECORD = /<!-- docs-agent:\d{1,4}:/

/**
 * The record as the last line of a comment's body, in a hidden HTML comment:
 *
 *   <!-- docs-agent:VERSION:PAYLOAD:HMAC -->
 *
 * PAYLOAD is base64url of a JSON object; HMAC is base64url of HMAC-SHA256 over version, payload, repository id, thread
 * and project, under a key derived from `memory-key`. What holds and what does not:
 *
 * - Without the key, a record can neither be made nor changed: the HMAC is compared as text, so that not even the unused
 *   bits of base64's last character can vary.
 * - A record that is copied to another thread, repository or project does not verify there.
 * - A copy in the same thread counts only in a comment of a bot or of the account that writes here. `writtenAt`, which is
 *   signed, decides which record is the newest, and of equals the older comment counts.
 * - A person who may delete comments can make the thread forget; that person may also push to the repository.
 * - The payload is readable, not secret. It holds ids, links and logins that the thread shows anyway, and a digest of the
 *   project, so that a record which does not verify tells whether it is one of this project.
 */
export function signRecord(record: ActionRecord, scope: SigningScope): string {
  return sign(recordJson(record, digestOfProject(scope.projectId)), scope)
}

/** Any JSON as a record. */
export function sign(json: string, scope: SigningScope): string {
  const payload = Buffer.from(json).toString('base64url')
  const hmac = signature(payload, scope)
  if (hmac === undefined) throw new Error('a record is to be written without a memory-key')
  return `<!-- docs-agent:${RECORD_VERSION}:${payload}:${hmac} -->`
}

interface FoundRecord {
  /** Undefined where it does not verify: anyone can have written it, so nothing in it is read. */
  readonly record: ActionRecord | undefined
  /** Nothing stands below it. */
  readonly isAtEnd: boolean
}

/** The last record of this project in a text, whether or not it verifies for this very thread; undefined for none. */
export function lastRecord(text: string, scope: SigningScope): FoundRecord | undefined {
  for (const { index, 0: whole, 1: payload = '', 2: hmac = '' } of [...text.matchAll(RECORDS)].reverse()) {
    const json = Buffer.from(payload, 'base64url').toString()
    const record = isSigned(payload, hmac, scope) ? recordIn(payload, json) : undefined
    if (record !== undefined || isOfProject(json, scope))
      return { record, isAtEnd: text.slice(index + whole.length).trim() === '' }
  }
  return undefined
}

/** By their payloads: a run reads the same thread again and again. Records are never changed. */
const records = new Map<string, ActionRecord | undefined>()
const MOST_REMEMBERED = 1000

function recordIn(payload: string, json: string): ActionRecord | undefined {
  if (records.has(payload)) return records.get(payload)
  if (records.size === MOST_REMEMBERED) records.clear()
  const record = parseRecord(json)
  records.set(payload, record)
  return record
}

const isOfProject = (json: string, { projectId }: SigningScope): boolean =>
  parseRecord(json) !== undefined && asObject(parseJson(json)).project === digestOfProject(projectId)

function isSigned(payload: string, hmac: string, scope: SigningScope): boolean {
  const expected = signature(payload, scope)
  return expected !== undefined && timingSafeEqual(Buffer.from(hmac), Buffer.from(expected))
}

/** The text without its records, wherever they stand. */
export const withoutRecord = (text: string): string => text.replace(RECORDS, '').trimEnd()

/** Whether the text holds anything that looks like a record, signed or not. */
export const carriesRecord = (body: string): boolean => ANY_RECORD.test(body)

function signature(
  payload: string,
  { key, repositoryId, thread, projectId }: SigningScope,
): string | undefined {
  if (key === undefined) return undefined
  const parts = [RECORD_VERSION, payload, repositoryId, thread, projectId]
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')
}
