import { unusableAnswer } from '../base/errors.ts'
import { asArray, asId, asObject, asString, asTime, type JsonObject } from '../base/json.ts'

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

/**
 * What GitHub sends, narrowed from JSON: each table names the fields that go any further, and where they stand. Times
 * are in ms since the epoch. What is missing is '', 0 or undefined; without an id it is another object, and throws a
 * `GitHubError`: an unread list must not look like an empty one.
 */
export const entity =
  <F extends Fields>(fields: F) =>
  (value: unknown): Entity<F> => {
    const raw = asObject(value)
    return Object.fromEntries(Object.entries(fields).map(([name, read]) => [name, read(raw)])) as Entity<F>
  }

type Reader<T> = (raw: JsonObject) => T
type Fields = Readonly<Record<string, Reader<unknown>>>
export type Entity<F extends Fields> = { readonly [K in keyof F]: ReturnType<F[K]> }

/** Of a field: its name, or the names that lead to it, by dots. */
export const field =
  <T>(narrow: (value: unknown) => T) =>
  (path: string): Reader<T> => {
    const names = path.split('.')
    return (raw) => narrow(names.reduce<unknown>((value, name) => asObject(value)[name], raw))
  }

export const textField = field(asString)
export const time = field(asTime)
export const id = field((value) => asId(value) ?? 0)
export const account = field(parseAccount)
export const idOf = (what: string) =>
  field((value) => {
    const number = asId(value)
    if (number === undefined) throw otherThan(what)
    return number
  })

export const otherThan = (what: string) => unusableAnswer(`one that is no ${what}`)

const boolean = field((value) => (typeof value === 'boolean' ? value : undefined))
const repositoryIn = (branch: unknown): string => asString(asObject(asObject(branch).repo).full_name)

/** As events and answers of the API have it. Lists lack the fields that can be undefined. */
export type PullRequest = ReturnType<typeof parsePullRequest>
/** @throws {GitHubError} where it has no number */
export const parsePullRequest = entity({
  number: idOf('pull request')('number'),
  title: textField('title'),
  body: textField('body'),
  /** The body as GitHub renders it. */
  html: field((value) => (typeof value === 'string' ? value : undefined))('body_html'),
  url: textField('html_url'),
  state: ({ merged, merged_at, state }): 'open' | 'merged' | 'closed' => {
    if (merged === true || asString(merged_at) !== '') return 'merged'
    return state === 'closed' ? 'closed' : 'open'
  },
  /** 0 while it is not merged. */
  mergedAt: time('merged_at'),
  /** Also of a merged one; 0 while it is open. */
  closedAt: time('closed_at'),
  /** SHA of the commit that merged it; of an open one on GitHub, of a test merge. */
  mergeCommitSha: textField('merge_commit_sha'),
  createdAt: time('created_at'),
  updatedAt: time('updated_at'),
  author: account('user'),
  base: textField('base.ref'),
  /**
   * Of a layer of a stack: the branch that the whole stack is for; '' for every other, and where GitHub's `stack` cannot be read.
   * `pull-request-stack` of @octokit/openapi-types 29.0.1
   */
  stackBase: textField('stack.base.ref'),
  head: textField('head.ref'),
  headSha: textField('head.sha'),
  /** How many files it changes. */
  changedFiles: field(asId)('changed_files'),
  fromFork: ({ base, head }) => repositoryIn(base) !== repositoryIn(head),
  /**
   * Whether it merges without a conflict; undefined until GitHub has computed that, which a read starts.
   * https://docs.github.com/rest/pulls/pulls#get-a-pull-request
   */
  mergeable: boolean('mergeable'),
  /** The repository that it is in. */
  isPrivate: boolean('base.repo.private'),
  labels: ({ labels }) => asArray(labels).map((label) => asString(asObject(label).name)),
})

type Branches = Pick<PullRequest, 'base' | 'stackBase'>

/**
 * The branch that a pull request is for. A merged layer of a stack can still wait below it: `isOnTarget`.
 * @returns '' where it is not known
 */
export const targetBranch = ({ stackBase, base }: Branches): string => stackBase || base

/** The branch that it is compared with: of a layer of a stack, that of the layer below. @returns '' where it is not known */
export const comparedBranch = ({ base }: Pick<PullRequest, 'base'>): string => base

/** It is for another branch than the one that it is compared with. */
export const isUpperLayer = (pull: Branches): boolean => targetBranch(pull) !== comparedBranch(pull)

type CommentedLines = ReturnType<typeof parseCommentedLines>

/**
 * Lines of a file, counted from 1 as it was then; before the change where that is the side that was commented.
 * @returns undefined for a comment on the whole file
 */
export function parseCommentedLines(raw: JsonObject) {
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
export function describeCommentedLines(lines: CommentedLines): string {
  if (lines === undefined) return ''
  const { first, last, firstIsOld, lastIsOld } = lines
  const [from, to] = [firstIsOld ? OLD : '', lastIsOld ? OLD : '']
  if (from !== to) return `, from line ${first}${from} to line ${last}${to}`
  return first === last ? `, line ${last}${to}` : `, lines ${first} to ${last}${to}`
}
