import { asArray, asId, asObject, asString, isObject, type JsonObject } from '../json.ts'
import type {
  Account,
  ChangedFile,
  ComparedCommit,
  Issue,
  PullRequest,
  RenderedPullRequest,
  RepositoryComment,
  ThreadComment,
} from './forge.ts'

/** @throws {TypeError} when what GitHub sent is no rendered text */
export function parseRendering(data: unknown): string {
  if (typeof data === 'string' && !/^\s*<(!doctype|html)\b/i.test(data)) return data
  throw new TypeError('GitHub answered with something that is no rendered text')
}

/** As which a job's token acts on Gitea and Forgejo, which say of no account what type it has. */
const ACTIONS_USER_ID = -2

/** @returns undefined for an account that cannot be read. Gitea's logins may hold dots. */
export function parseAccount(value: unknown): Account | undefined {
  const { id, login, type } = asObject(value)
  if (typeof login !== 'string' || !/^[\w.-]{1,100}(\[bot\])?$/.test(login)) return undefined
  return { login, bot: type === 'Bot' || login.endsWith('[bot]') || id === ACTIONS_USER_ID }
}

/** @throws {TypeError} when what GitHub sent is no comment */
export function parseComment(value: unknown): ThreadComment {
  const comment = asObject(value)
  const id = asId(comment.id)
  if (id === undefined) throw new TypeError('GitHub answered with something that is no comment')
  return {
    id,
    // GitHub may give a body back with other line ends than it got.
    body: asString(comment.body).replaceAll('\r\n', '\n'),
    url: asString(comment.html_url),
    author: parseAccount(comment.user),
  }
}

/** A comment as the list of a whole repository has it. Gitea names the issue or the pull request. */
export function parseRepositoryComment(value: unknown): RepositoryComment[] {
  const { issue_url, pull_request_url, updated_at } = asObject(value)
  const thread = Number(/\/(\d+)$/.exec(asString(issue_url) || asString(pull_request_url))?.[1])
  if (!Number.isSafeInteger(thread) || asId(asObject(value).id) === undefined) return []
  return [{ ...parseComment(value), thread, updatedAt: Date.parse(asString(updated_at)) || 0 }]
}

/** @throws {TypeError} when what GitHub sent is no pull request */
export function parsePullRequest(value: unknown): PullRequest {
  const raw = asObject(value)
  const number = asId(raw.number)
  if (number === undefined) throw new TypeError('GitHub answered with something that is no pull request')
  const [base, head] = [asObject(raw.base), asObject(raw.head)]
  return {
    number,
    title: asString(raw.title),
    body: asString(raw.body),
    url: asString(raw.html_url),
    state: stateOf(raw),
    mergedAt: Date.parse(asString(raw.merged_at)) || 0,
    updatedAt: Date.parse(asString(raw.updated_at)) || 0,
    author: parseAccount(raw.user),
    base: asString(base.ref),
    head: asString(head.ref),
    fromFork: asString(asObject(head.repo).full_name) !== asString(asObject(base.repo).full_name),
  }
}

/** @throws {TypeError} when what GitHub sent is no pull request */
export function parseRenderedPullRequest(value: unknown): RenderedPullRequest {
  const { body_html } = asObject(value)
  return { ...parsePullRequest(value), html: typeof body_html === 'string' ? body_html : undefined }
}

/** @throws {TypeError} when what GitHub sent is no issue */
export function parseIssue(value: unknown): Issue {
  const raw = asObject(value)
  const number = asId(raw.number)
  if (number === undefined) throw new TypeError('GitHub answered with something that is no issue')
  return {
    number,
    title: asString(raw.title),
    body: asString(raw.body).replaceAll('\r\n', '\n'),
    author: parseAccount(raw.user),
    isPullRequest: isObject(raw.pull_request),
  }
}

export function parseComparedCommit(value: unknown): ComparedCommit {
  const { sha, parents } = asObject(value)
  return { sha: asString(sha), parent: asString(asObject(asArray(parents)[0]).sha) }
}

function stateOf({ merged, merged_at, state }: JsonObject): PullRequest['state'] {
  if (merged === true || asString(merged_at) !== '') return 'merged'
  return state === 'closed' ? 'closed' : 'open'
}

export function parseFile(value: unknown): ChangedFile {
  const { filename, status, additions, deletions, patch } = asObject(value)
  return {
    path: asString(filename),
    status: asString(status),
    additions: Number(additions) || 0,
    deletions: Number(deletions) || 0,
    patch: asString(patch),
  }
}
