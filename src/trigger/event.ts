import type { Account, BodySource } from '../github/answers.ts'
import { parseAccount } from '../github/answers.ts'
import { asId, asObject, asString, isObject, type JsonObject } from '../json.ts'
import type { RunContext } from '../run-context.ts'

/** Where a comment stands: each place has its own endpoints, and reviews have no reactions. */
export type CommentKind = 'issue' | 'review' | 'submitted-review'

export interface Comment {
  readonly kind: CommentKind
  readonly id: number
  readonly body: string
  readonly author: Account | undefined
  /** Of a review comment: the place in the changed file; '' elsewhere. */
  readonly path: string
  readonly line: number | undefined
  readonly hunk: string
}

/** The issue or pull request that the event is about. */
export interface Subject {
  readonly number: number
  readonly isPullRequest: boolean
  readonly title: string
  readonly body: string
  readonly url: string
  readonly author: Account | undefined
  /** Of a pull request; '' where the event does not tell. */
  readonly base: string
  readonly head: string
  /** The pull request comes from a fork, so GitHub withholds the secrets of some events. */
  readonly fromFork: boolean
}

export interface Push {
  readonly before: string
  readonly after: string
  readonly ref: string
  /** It replaced commits, so what its commits belong to was not merged by it. */
  readonly forced: boolean
}

export interface Release {
  readonly id: number
  readonly name: string
  readonly tag: string
  readonly body: string
  readonly url: string
}

/** The event of the run, narrowed (contract 3). Its texts are the ones that count (3.7). */
export interface Trigger {
  readonly event: string
  readonly action: string
  readonly sender: Account | undefined
  readonly comment: Comment | undefined
  /** Authors of every comment or review in the event, whatever its kind; undefined for one that cannot be read. */
  readonly authors: readonly (Account | undefined)[]
  readonly subject: Subject | undefined
  readonly push: Push | undefined
  readonly release: Release | undefined
}

export const readTrigger = ({ eventName, payload }: RunContext): Trigger => narrowEvent(eventName, payload)

const COMMENT_KINDS: Readonly<Record<string, CommentKind>> = {
  issue_comment: 'issue',
  pull_request_review_comment: 'review',
  pull_request_review: 'submitted-review',
}

/** Where these events hold a person's text: where it is missing, its author counts as an account that cannot be read. */
const WRITTEN: Readonly<Record<string, 'comment' | 'review'>> = {
  issue_comment: 'comment',
  pull_request_review_comment: 'comment',
  pull_request_review: 'review',
  commit_comment: 'comment',
  discussion_comment: 'comment',
}

export function narrowEvent(event: string, payload: JsonObject): Trigger {
  const kind = COMMENT_KINDS[event]
  return {
    event,
    action: asString(payload.action),
    sender: parseAccount(payload.sender),
    comment:
      kind === undefined
        ? undefined
        : comment(kind, kind === 'submitted-review' ? payload.review : payload.comment),
    authors: (['comment', 'review'] as const)
      .filter((part) => isObject(payload[part]) || WRITTEN[event] === part)
      .map((part) => parseAccount(asObject(payload[part]).user)),
    subject: subject(payload),
    push: event === 'push' ? push(payload) : undefined,
    release: isObject(payload.release) ? release(payload.release) : undefined,
  }
}

function comment(kind: CommentKind, value: unknown): Comment | undefined {
  const raw = asObject(value)
  const commentId = asId(raw.id)
  if (commentId === undefined) return undefined
  return {
    kind,
    id: commentId,
    body: asString(raw.body),
    author: parseAccount(raw.user),
    path: asString(raw.path),
    line: asId(raw.line) ?? asId(raw.original_line),
    hunk: asString(raw.diff_hunk),
  }
}

function subject(payload: JsonObject): Subject | undefined {
  const isPullRequest = isObject(payload.pull_request)
  const raw = asObject(isPullRequest ? payload.pull_request : payload.issue)
  const number = asId(raw.number)
  if (number === undefined) return undefined
  const [base, head] = [asObject(raw.base), asObject(raw.head)]
  return {
    number,
    isPullRequest: isPullRequest || isObject(raw.pull_request),
    title: asString(raw.title),
    body: asString(raw.body),
    url: asString(raw.html_url),
    author: parseAccount(raw.user),
    base: asString(base.ref),
    head: asString(head.ref),
    fromFork:
      isPullRequest && asString(asObject(head.repo).full_name) !== asString(asObject(base.repo).full_name),
  }
}

function push(payload: JsonObject): Trigger['push'] {
  const [before, after] = [asString(payload.before), asString(payload.after)]
  return isSha(before) && isSha(after)
    ? { before, after, ref: asString(payload.ref), forced: payload.forced === true }
    : undefined
}

const isSha = (value: string): boolean => /^[\da-f]{40}([\da-f]{24})?$/.test(value)

function release(raw: JsonObject): Trigger['release'] {
  return {
    id: asId(raw.id) ?? 0,
    name: asString(raw.name),
    tag: asString(raw.tag_name),
    body: asString(raw.body),
    url: asString(raw.html_url),
  }
}

/** Where the forge renders the comment. */
export function commentSource({ comment, subject }: Trigger): BodySource | undefined {
  if (comment === undefined) return undefined
  return SOURCES[comment.kind](comment.id, subject?.number)
}

const SOURCES: Readonly<
  Record<CommentKind, (id: number, thread: number | undefined) => BodySource | undefined>
> = {
  issue: (id) => ({ kind: 'issue-comment', id }),
  review: (id) => ({ kind: 'review-comment', id }),
  'submitted-review': (id, thread) =>
    thread === undefined ? undefined : { kind: 'review', number: thread, id },
}
