import { readFileSync } from 'node:fs'
import { ActionError } from '../core/errors.ts'
import { id, isObject, type JsonObject, object, parse, text } from '../core/json.ts'
import type { Environment } from '../runner/environment.ts'

/** Someone who acts on GitHub. */
export interface Account {
  readonly login: string
  /** GitHub says so, or the login has an app's suffix. */
  readonly bot: boolean
}

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

/** What set the run off: the event file, narrowed (contract 3). Its texts are never fetched again (3.7). */
export interface Trigger {
  readonly event: string
  readonly action: string
  readonly sender: Account | undefined
  readonly comment: Comment | undefined
  /** Authors of every comment or review in the event, whatever its kind; undefined for one that cannot be read. */
  readonly authors: readonly (Account | undefined)[]
  readonly subject: Subject | undefined
  readonly push: { readonly before: string; readonly after: string; readonly ref: string } | undefined
  readonly release:
    | { readonly name: string; readonly tag: string; readonly body: string; readonly url: string }
    | undefined
}

/** The payload is at most a few hundred kilobytes; GitHub caps webhooks at 25 MB. */
export function readTrigger(environment: Environment): Trigger {
  const { eventName, eventPath } = environment
  const json = eventPath === '' ? '{}' : readEventFile(eventPath)
  const payload = parse(json)
  if (isObject(payload)) return narrowEvent(eventName, payload)
  throw new ActionError('internal', `The event file of \`${eventName}\` holds no JSON object. Run again.`)
}

function readEventFile(path: string): string {
  try {
    // At once: there is nothing else to do meanwhile, and the module with promises would be 2 ms more of every start.
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new ActionError('internal', 'The event file that GITHUB_EVENT_PATH names cannot be read.', {
      cause,
    })
  }
}

const COMMENT_KINDS: Readonly<Record<string, CommentKind>> = {
  issue_comment: 'issue',
  pull_request_review_comment: 'review',
  pull_request_review: 'submitted-review',
}

/** Where these events hold what somebody wrote: should it be missing, its author is someone who cannot be read. */
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
    action: text(payload.action),
    sender: account(payload.sender),
    comment:
      kind === undefined
        ? undefined
        : comment(kind, kind === 'submitted-review' ? payload.review : payload.comment),
    authors: (['comment', 'review'] as const)
      .filter((part) => isObject(payload[part]) || WRITTEN[event] === part)
      .map((part) => account(object(payload[part]).user)),
    subject: subject(payload),
    push: event === 'push' ? push(payload) : undefined,
    release: isObject(payload.release) ? release(payload.release) : undefined,
  }
}

function account(value: unknown): Account | undefined {
  const { login, type } = object(value)
  if (typeof login !== 'string' || !/^[\w-]{1,100}(\[bot\])?$/.test(login)) return undefined
  return { login, bot: type === 'Bot' || login.endsWith('[bot]') }
}

function comment(kind: CommentKind, value: unknown): Comment | undefined {
  const raw = object(value)
  const commentId = id(raw.id)
  if (commentId === undefined) return undefined
  return {
    kind,
    id: commentId,
    body: text(raw.body),
    author: account(raw.user),
    path: text(raw.path),
    line: id(raw.line) ?? id(raw.original_line),
    hunk: text(raw.diff_hunk),
  }
}

function subject(payload: JsonObject): Subject | undefined {
  const isPullRequest = isObject(payload.pull_request)
  const raw = object(isPullRequest ? payload.pull_request : payload.issue)
  const number = id(raw.number)
  if (number === undefined) return undefined
  const [base, head] = [object(raw.base), object(raw.head)]
  return {
    number,
    isPullRequest: isPullRequest || isObject(raw.pull_request),
    title: text(raw.title),
    body: text(raw.body),
    url: text(raw.html_url),
    author: account(raw.user),
    base: text(base.ref),
    head: text(head.ref),
    fromFork: isPullRequest && text(object(head.repo).full_name) !== text(object(base.repo).full_name),
  }
}

function push(payload: JsonObject): Trigger['push'] {
  const [before, after] = [text(payload.before), text(payload.after)]
  return isSha(before) && isSha(after) ? { before, after, ref: text(payload.ref) } : undefined
}

const isSha = (value: string): boolean => /^[\da-f]{40}([\da-f]{24})?$/.test(value)

function release(raw: JsonObject): Trigger['release'] {
  return { name: text(raw.name), tag: text(raw.tag_name), body: text(raw.body), url: text(raw.html_url) }
}
