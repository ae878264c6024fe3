import { asId, asObject, asString, isObject, type JsonObject } from '../json.ts'
import { parseAccount } from './account.ts'
import { parsePullRequest } from './pull-request.ts'
import type { RunContext } from './run-context.ts'

/** A text that people wrote, by the resource that holds it. */
export type BodySource =
  | { readonly kind: 'issue' | 'pull'; readonly number: number }
  | { readonly kind: 'issue-comment' | 'review-comment' | 'release'; readonly id: number }
  | { readonly kind: 'review'; readonly number: number; readonly id: number }

/** Where a comment stands: each place has its own endpoints, and reviews have no reactions. */
export type CommentKind = 'issue' | 'review' | 'submitted-review'

export type Comment = NonNullable<ReturnType<typeof comment>>

/** The issue or pull request that the event is about; `base` and `head` are '' where the event does not tell. */
export type Subject = NonNullable<ReturnType<typeof subject>>

export type Push = NonNullable<ReturnType<typeof push>>

/** The event of the run, narrowed (contract 3). Its texts are the ones that count (3.7). */
export type Trigger = ReturnType<typeof readTrigger>

interface CommentEvent {
  /** Undefined for comments that have no thread here: they work with a `prompt` only. */
  readonly kind?: CommentKind
  /** What holds the text of a person: where it is missing, its author counts as an account that cannot be read. */
  readonly part: 'comment' | 'review'
  /** The action that stands for a new comment. */
  readonly newAction: string
}

export const COMMENT_EVENTS: ReadonlyMap<string, CommentEvent> = new Map<string, CommentEvent>([
  ['issue_comment', { kind: 'issue', part: 'comment', newAction: 'created' }],
  ['pull_request_review_comment', { kind: 'review', part: 'comment', newAction: 'created' }],
  ['pull_request_review', { kind: 'submitted-review', part: 'review', newAction: 'submitted' }],
  ['commit_comment', { part: 'comment', newAction: 'created' }],
  ['discussion_comment', { part: 'comment', newAction: 'created' }],
])

export function readTrigger({ eventName, payload }: Pick<RunContext, 'eventName' | 'payload'>) {
  const { kind, part: written } = COMMENT_EVENTS.get(eventName) ?? {}
  return {
    event: eventName,
    action: asString(payload.action),
    sender: parseAccount(payload.sender),
    comment: kind && written && comment(kind, payload[written]),
    /** Authors of every comment or review in the event, whatever its kind; undefined for one that cannot be read. */
    authors: (['comment', 'review'] as const)
      .filter((part) => isObject(payload[part]) || written === part)
      .map((part) => parseAccount(asObject(payload[part]).user)),
    subject: subject(payload),
    push: eventName === 'push' ? push(payload) : undefined,
    release: isObject(payload.release) ? release(payload.release) : undefined,
  } as const
}

function comment(kind: CommentKind, value: unknown) {
  const raw = asObject(value)
  const id = asId(raw.id)
  if (id === undefined) return undefined
  return {
    kind,
    id,
    body: asString(raw.body),
    author: parseAccount(raw.user),
    /** Of a review comment: the place in the changed file; '' elsewhere. */
    path: asString(raw.path),
    line: asId(raw.line) ?? asId(raw.original_line),
    hunk: asString(raw.diff_hunk),
  } as const
}

function subject(payload: JsonObject) {
  const isPullRequest = isObject(payload.pull_request)
  const raw = asObject(isPullRequest ? payload.pull_request : payload.issue)
  if (asId(raw.number) === undefined) return undefined
  const pull = parsePullRequest(raw)
  return {
    ...pull,
    isPullRequest: isPullRequest || isObject(raw.pull_request),
    fromFork: isPullRequest && pull.fromFork,
  } as const
}

function push({ before, after, ref, forced }: JsonObject) {
  if (!isSha(before) || !isSha(after)) return undefined
  // A push that replaced commits did not merge what its commits belong to.
  return { before, after, ref: asString(ref), forced: forced === true } as const
}

const isSha = (value: unknown): value is string =>
  typeof value === 'string' && /^[\da-f]{40}([\da-f]{24})?$/.test(value)

function release(raw: JsonObject) {
  return {
    id: asId(raw.id) ?? 0,
    name: asString(raw.name),
    tag: asString(raw.tag_name),
    body: asString(raw.body),
    url: asString(raw.html_url),
  } as const
}

/** Where the forge renders the comment. */
export function commentSource({ comment, subject }: Trigger): BodySource | undefined {
  if (comment === undefined) return undefined
  const { kind, id } = comment
  if (kind !== 'submitted-review') return { kind: `${kind}-comment` as const, id }
  return subject && { kind: 'review', number: subject.number, id }
}
