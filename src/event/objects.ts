import { unusableAnswer } from '../errors.ts'
import { asArray, asId, asObject, asString, asTime, type JsonObject } from '../json.ts'

export interface Account {
  /** Bots end in `[bot]`. */
  readonly login: string
  readonly bot: boolean
}

const LOGIN = /^[\w.-]{1,100}(\[bot\])?$/

/** Undefined for an account that cannot be read. */
export function parseAccount(value: unknown): Account | undefined {
  const { login, type } = asObject(value)
  if (typeof login !== 'string' || !LOGIN.test(login)) return undefined
  return { login, bot: type === 'Bot' || login.endsWith('[bot]') }
}

/** From least to most. */
export const PERMISSIONS = ['none', 'read', 'triage', 'write', 'maintain', 'admin'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** As events and answers of the API have it: '' or 0 for what is left out, times in ms since the epoch. */
export interface PullRequest {
  readonly number: number
  readonly title: string
  readonly body: string
  /** The body as GitHub renders it; undefined where GitHub does not send it along. */
  readonly html: string | undefined
  readonly url: string
  readonly state: 'open' | 'merged' | 'closed'
  /** 0 while it is not merged. */
  readonly mergedAt: number
  /** Also of a merged one; 0 while it is open. */
  readonly closedAt: number
  /** SHA of the commit that merged it; of an open one on GitHub, of a test merge. */
  readonly mergeCommitSha: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly author: Account | undefined
  readonly base: string
  readonly head: string
  readonly headSha: string
  /** How many files it changes; undefined in lists. */
  readonly changedFiles?: number | undefined
  readonly fromFork: boolean
  /**
   * Whether it merges without a conflict; undefined until GitHub has computed that, which a read starts, and in lists.
   * https://docs.github.com/rest/pulls/pulls#get-a-pull-request
   */
  readonly mergeable?: boolean | undefined
  /** Of the repository that it is in; undefined where GitHub does not tell, like `isPrivate`. */
  readonly repositoryId?: number | undefined
  readonly isPrivate?: boolean | undefined
  readonly labels: readonly string[]
}

/** @throws {GitHubError} where it has no number */
export function parsePullRequest(value: unknown): PullRequest {
  const raw = asObject(value)
  const [base, head] = [asObject(raw.base), asObject(raw.head)]
  const repository = asObject(base.repo)
  const number = asId(raw.number)
  if (number === undefined) throw unusableAnswer('one that is no pull request')
  const isMerged = raw.merged === true || asString(raw.merged_at) !== ''
  return {
    number,
    title: asString(raw.title),
    body: asString(raw.body),
    html: typeof raw.body_html === 'string' ? raw.body_html : undefined,
    url: asString(raw.html_url),
    state: isMerged ? 'merged' : raw.state === 'closed' ? 'closed' : 'open',
    mergedAt: asTime(raw.merged_at),
    closedAt: asTime(raw.closed_at),
    mergeCommitSha: asString(raw.merge_commit_sha),
    createdAt: asTime(raw.created_at),
    updatedAt: asTime(raw.updated_at),
    author: parseAccount(raw.user),
    base: asString(base.ref),
    head: asString(head.ref),
    headSha: asString(head.sha),
    changedFiles: asId(raw.changed_files),
    fromFork: asString(asObject(head.repo).full_name) !== asString(repository.full_name),
    mergeable: booleanOf(raw.mergeable),
    repositoryId: asId(repository.id),
    isPrivate: booleanOf(repository.private),
    labels: asArray(raw.labels).map((label) => asString(asObject(label).name)),
  }
}

const booleanOf = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

/** Lines of a file, counted from 1 as it was then; before the change where that is the side that was commented. */
export interface CommentedLines {
  readonly first: number
  readonly last: number
  readonly firstIsOld: boolean
  readonly lastIsOld: boolean
}

/** @returns undefined for a comment on the whole file */
export function parseCommentedLines(raw: JsonObject): CommentedLines | undefined {
  const now = asId(raw.line)
  const last = now ?? asId(raw.original_line)
  if (last === undefined) return undefined
  const lastIsOld = raw.side === 'LEFT'
  // Where the lines are gone since, only the original ones are there.
  const first = asId(now === undefined ? raw.original_start_line : raw.start_line)
  if (first === undefined) return { first: last, last, firstIsOld: lastIsOld, lastIsOld }
  return { first, last, firstIsOld: raw.start_side === 'LEFT', lastIsOld }
}

const OLD = ' before the change'

/** With a comma before, to follow the path. */
export function describeCommentedLines(lines: CommentedLines | undefined): string {
  if (lines === undefined) return ''
  const { first, last, firstIsOld, lastIsOld } = lines
  const [from, to] = [firstIsOld ? OLD : '', lastIsOld ? OLD : '']
  if (from !== to) return `, from line ${first}${from} to line ${last}${to}`
  return first === last ? `, line ${last}${to}` : `, lines ${first} to ${last}${to}`
}
