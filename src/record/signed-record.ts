import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { asObject, parseJson } from '../base/json.ts'
import { type ActionRecord, parseRecord, recordJson } from './record.ts'
import { digestOfProject } from './request-digest.ts'

export interface SigningScope {
  /** The first one signs, and each of them verifies: `memory-key`, where there is one, and `api-key`. */
  readonly keys: readonly string[]
  readonly projectId: string
  /** Stays the same when the repository is renamed. */
  readonly repositoryId: number
  readonly thread: number
}

export type RepositoryScope = Omit<SigningScope, 'thread'>

export const RECORD_VERSION = '2'
/** Every field of a record is bounded. */
const RECORD = String.raw`<!-- docs-agent:${RECORD_VERSION}:([\w-]{1,30000}):([\w-]{43}) -->`
const LAST_LINE = new RegExp(String.raw`${RECORD}\s*$`)
const ANYWHERE = new RegExp(RECORD, 'g')
const ANY_RECORD = /<!-- docs-agent:\d{1,4}:/

/**
 * The record as the last line of a comment's body, in a hidden HTML comment:
 *
 *   <!-- docs-agent:VERSION:PAYLOAD:HMAC -->
 *
 * PAYLOAD is base64url of a JSON object; HMAC is base64url of HMAC-SHA256 over version, payload, repository id, thread
 * and project, under a key derived from `memory-key`, else from `api-key`. What holds and what does not:
 *
 * - Without one of the keys, a record can neither be made nor changed: the HMAC is compared as text, so that not even the
 *   unused bits of base64's last character can vary.
 * - A record that is copied to another thread, repository or project does not verify there.
 * - A copy in the same thread counts only in a comment of a bot or of the token's own account. `writtenAt`, which is
 *   signed, decides which record is the newest, and of equals the older comment counts.
 * - A person who may delete comments can make the thread forget; that person may also push to the repository.
 * - The payload is readable, not secret. It holds ids, links and logins that the thread shows anyway, and a digest of the
 *   project, so that a record which no key at hand signed tells whether it is one of this project.
 */
export function signRecord(record: ActionRecord, scope: SigningScope): string {
  return sign(recordJson(record, digestOfProject(scope.projectId)), scope)
}

/** Any JSON as a record. */
export function sign(json: string, scope: SigningScope): string {
  const payload = Buffer.from(json).toString('base64url')
  return `<!-- docs-agent:${RECORD_VERSION}:${payload}:${signature(payload, scope.keys[0] ?? '', scope)} -->`
}

/**
 * Whether the text ends in a record of this project. Where it does not verify, anyone can have written it, so nothing else in
 * it is read.
 */
export const isForeignRecord = (body: string, scope: Pick<SigningScope, 'projectId'>): boolean =>
  isOfProject(LAST_LINE.exec(body)?.[1] ?? '', scope)

/** The same for a text in which people write below the record. */
export const holdsForeignRecord = (text: string, scope: Pick<SigningScope, 'projectId'>): boolean =>
  [...text.matchAll(ANYWHERE)].some(([, payload = '']) => isOfProject(payload, scope))

function isOfProject(payload: string, { projectId }: Pick<SigningScope, 'projectId'>): boolean {
  const json = Buffer.from(payload, 'base64url').toString()
  return parseRecord(json) !== undefined && asObject(parseJson(json)).project === digestOfProject(projectId)
}

/** Undefined unless the action signed it, for this very thread. */
export const verifyRecord = (body: string, scope: SigningScope): ActionRecord | undefined =>
  verified(LAST_LINE.exec(body), scope)

/** The same for a text in which people write below the record, such as the body of an issue: the last one counts. */
export const recordInText = (text: string, scope: SigningScope): ActionRecord | undefined =>
  [...text.matchAll(ANYWHERE)].flatMap((found) => verified(found, scope) ?? []).at(-1)

function verified(found: RegExpExecArray | null, scope: SigningScope): ActionRecord | undefined {
  const [, payload, hmac] = found ?? []
  if (payload === undefined || hmac === undefined) return undefined
  const isSignedWith = (key: string) =>
    timingSafeEqual(Buffer.from(hmac), Buffer.from(signature(payload, key, scope)))
  if (!scope.keys.some(isSignedWith)) return undefined
  return parseRecord(Buffer.from(payload, 'base64url').toString())
}

/** The text with its record signed by the first key, where only another one verifies it; else as it is. */
export function signedAnew(text: string, scope: SigningScope): string {
  const found = [...text.matchAll(ANYWHERE)].findLast((one) => verified(one, scope) !== undefined)
  const record = found && verified(found, scope)
  const isNew = found && verified(found, { ...scope, keys: scope.keys.slice(0, 1) }) !== undefined
  if (found === undefined || record === undefined || isNew) return text
  const [before, after] = [text.slice(0, found.index), text.slice(found.index + found[0].length)]
  return `${before}${signRecord(record, scope)}${after}`
}

/** The text without its records, wherever they stand. */
export const withoutRecord = (text: string): string => text.replace(ANYWHERE, '').trimEnd()

/** Whether the text holds anything that looks like a record, signed or not. */
export const carriesRecord = (body: string): boolean => ANY_RECORD.test(body)

function signature(payload: string, secret: string, scope: SigningScope): string {
  const { repositoryId, thread, projectId } = scope
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'docs-agent record', 32))
  const parts = [RECORD_VERSION, payload, repositoryId, thread, projectId]
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url')
}
