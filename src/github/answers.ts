/** What a forge tells, each narrowed from JSON: nothing else of an answer gets any further, and the type says what does. */

import { asArray, asId, asObject, asString, isObject, type JsonObject } from '../json.ts'

export interface RepositoryName {
  readonly owner: string
  readonly repo: string
}

/** Someone who acts on the forge. */
export type Account = NonNullable<ReturnType<typeof parseAccount>>

/** As which a job's token acts on Gitea and Forgejo, which say of no account what type it has. */
const ACTIONS_USER_ID = -2

/** @returns undefined for an account that cannot be read. Gitea's logins may hold dots. */
export function parseAccount(value: unknown) {
  const { id, login, type } = asObject(value)
  if (typeof login !== 'string' || !/^[\w.-]{1,100}(\[bot\])?$/.test(login)) return undefined
  const bot = type === 'Bot' || login.endsWith('[bot]') || id === ACTIONS_USER_ID
  return { login, bot } as const
}

/** From least to most. */
export const PERMISSIONS = ['none', 'read', 'triage', 'write', 'maintain', 'admin'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** @throws {TypeError} */
export function parseRendering(data: unknown): string {
  if (typeof data === 'string' && !/^\s*<(!doctype|html)\b/i.test(data)) return data
  throw otherThan('rendered text')
}

const otherThan = (what: string) => new TypeError(`GitHub answered with something that is no ${what}`)

/** @throws {TypeError} */
function idOf(value: unknown, what: string): number {
  const id = asId(value)
  if (id === undefined) throw otherThan(what)
  return id
}

/** GitHub may give a body back with other line ends than it got. */
const bodyOf = (value: unknown): string => asString(value).replaceAll('\r\n', '\n')

/** In ms since the epoch; 0 where the forge does not say. */
const timeOf = (value: unknown): number => Date.parse(asString(value)) || 0

/** @throws {TypeError} since a list that cannot be read must not look like an empty one */
export function parseList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw otherThan('list')
  return value
}

export type ThreadComment = ReturnType<typeof parseComment>

/** @throws {TypeError} */
export function parseComment(value: unknown) {
  const { id, body, html_url, user } = asObject(value)
  return {
    id: idOf(id, 'comment'),
    body: bodyOf(body),
    url: asString(html_url),
    author: parseAccount(user),
  } as const
}

export type RepositoryComment = ReturnType<typeof parseRepositoryComment>[number]

/** A comment as the list of a whole repository has it. Gitea names the issue or the pull request. */
export function parseRepositoryComment(value: unknown) {
  const { id, issue_url, pull_request_url, updated_at } = asObject(value)
  /** The number of the issue or pull request that it stands in. */
  const thread = Number(/\/(\d+)$/.exec(asString(issue_url) || asString(pull_request_url))?.[1])
  if (!Number.isSafeInteger(thread) || asId(id) === undefined) return []
  /** On the forge's clock. */
  const updatedAt = timeOf(updated_at)
  return [{ ...parseComment(value), thread, updatedAt } as const]
}

export type PullRequest = ReturnType<typeof parsePullRequest>

/** @throws {TypeError} */
export function parsePullRequest(value: unknown) {
  const raw = asObject(value)
  const [base, head] = [asObject(raw.base), asObject(raw.head)]
  return {
    number: idOf(raw.number, 'pull request'),
    title: asString(raw.title),
    body: asString(raw.body),
    /** The body as the forge renders it; undefined where the forge does not send it along. */
    html: typeof raw.body_html === 'string' ? raw.body_html : undefined,
    url: asString(raw.html_url),
    state: stateOf(raw),
    /** In ms since the epoch; 0 while it is not merged. */
    mergedAt: timeOf(raw.merged_at),
    /** In ms since the epoch. */
    updatedAt: timeOf(raw.updated_at),
    author: parseAccount(raw.user),
    base: asString(base.ref),
    head: asString(head.ref),
    fromFork: asString(asObject(head.repo).full_name) !== asString(asObject(base.repo).full_name),
  } as const
}

function stateOf({ merged, merged_at, state }: JsonObject): 'open' | 'merged' | 'closed' {
  if (merged === true || asString(merged_at) !== '') return 'merged'
  return state === 'closed' ? 'closed' : 'open'
}

export type Issue = ReturnType<typeof parseIssue>

/** @throws {TypeError} */
export function parseIssue(value: unknown) {
  const { number, title, body, user, pull_request } = asObject(value)
  return {
    number: idOf(number, 'issue'),
    title: asString(title),
    body: bodyOf(body),
    author: parseAccount(user),
    isPullRequest: isObject(pull_request),
  } as const
}

export type ChangedFile = ReturnType<typeof parseFile>

export function parseFile(value: unknown) {
  const { filename, status, additions, deletions, patch } = asObject(value)
  return {
    path: asString(filename),
    /** `added`, `modified`, `removed`, `renamed`, … */
    status: asString(status),
    additions: Number(additions) || 0,
    deletions: Number(deletions) || 0,
    /** '' for binary and very large files. */
    patch: asString(patch),
  } as const
}

export type ComparedCommit = ReturnType<typeof parseComparedCommit>

function parseComparedCommit(value: unknown) {
  const { sha, parents, commit } = asObject(value)
  const [subject = ''] = asString(asObject(commit).message).split('\n')
  return {
    sha: asString(sha),
    /** SHA of its first parent; '' where the forge does not tell. */
    parent: asString(asObject(asArray(parents)[0]).sha),
    /** The first line of its message. */
    subject,
  } as const
}

export type Comparison = ReturnType<typeof parseComparison>

/** @throws {TypeError} */
export function parseComparison(value: unknown) {
  const { files, commits } = asObject(value)
  if (!Array.isArray(commits)) throw otherThan('comparison')
  return {
    /** The oldest first, at most as many as one page holds. */
    commits: commits.map(parseComparedCommit),
    /** Undefined where the forge does not list them. */
    files: Array.isArray(files) ? files.map(parseFile) : undefined,
  } as const
}
