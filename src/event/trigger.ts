import { asArray, asId, asObject, asString, isObject, type JsonObject } from '../base/json.ts'
import { fullName, type RepositoryName } from '../base/link.ts'
import {
  account,
  entity,
  id,
  type PullRequest,
  parseAccount,
  parseCommentedLines,
  parsePullRequest,
  textField,
  time,
} from './objects.ts'

export type BodySource =
  | { readonly kind: 'issue' | 'pull'; readonly number: number }
  | { readonly kind: 'release'; readonly id: number }

/** Of a comment, in the pull request `number` where it is a review. */
export interface CommentSource {
  readonly kind: CommentKind
  readonly number: number
  readonly id: number
}

/** Where a comment stands: each place has its own endpoints, and reviews have no reactions. */
type CommentKind = 'issue' | 'review' | 'submitted-review'

export type Comment = ReturnType<typeof parseComment> & { readonly kind: CommentKind }
const parseComment = entity({
  /** 0 where there is none. */
  id: id('id'),
  /** For GraphQL. */
  nodeId: textField('node_id'),
  body: textField('body'),
  author: account('user'),
  /** On GitHub's clock; 0 for a review. */
  createdAt: time('created_at'),
  /** Of a review comment: the place in the changed file; '' elsewhere. */
  path: textField('path'),
  lines: parseCommentedLines,
  hunk: textField('diff_hunk'),
  /** Of a review comment: the review that it belongs to; 0 elsewhere. */
  reviewId: id('pull_request_review_id'),
  /** Of a review; 0 elsewhere. */
  submittedAt: time('submitted_at'),
})

export interface Subject extends PullRequest {
  readonly isPullRequest: boolean
}

const SHA = /^(?:[\da-f]{40}|[\da-f]{64})$/
/** What Git takes as the name of one, as far as its characters tell. */
const BRANCH = /^(?:refs\/heads\/)?([^\p{C}\s~^:?*[\\]{1,255})$/u

const parseRelease = entity({
  id: id('id'),
  name: textField('name'),
  tag: textField('tag_name'),
  body: textField('body'),
  author: account('author'),
  url: textField('html_url'),
  /** From which its tag is made; '' for a commit. https://docs.github.com/rest/releases/releases#create-a-release */
  branch: ({ target_commitish: target }) =>
    SHA.test(asString(target)) ? '' : (BRANCH.exec(asString(target))?.[1] ?? ''),
  isPrerelease: ({ prerelease }) => prerelease === true,
})

interface CommentEvent {
  /** Undefined for comments that have no thread here: they work with a `prompt` only. */
  readonly kind?: CommentKind
  /** What holds the text of a person: where it is missing, its author counts as an account that cannot be read. */
  readonly part: 'comment' | 'review'
  readonly newAction: string
}

export const COMMENT_EVENTS: ReadonlyMap<string, CommentEvent> = new Map<string, CommentEvent>([
  ['issue_comment', { kind: 'issue', part: 'comment', newAction: 'created' }],
  ['pull_request_review_comment', { kind: 'review', part: 'comment', newAction: 'created' }],
  ['pull_request_review', { kind: 'submitted-review', part: 'review', newAction: 'submitted' }],
  ['commit_comment', { part: 'comment', newAction: 'created' }],
  ['discussion_comment', { part: 'comment', newAction: 'created' }],
])

/** The event of the run, narrowed. Its texts are the ones that count. */
export type Trigger = Readonly<ReturnType<typeof readTrigger>>

export function readTrigger({ eventName, payload }: Pick<Runner, 'eventName' | 'payload'>) {
  const { kind, part: written } = COMMENT_EVENTS.get(eventName) ?? {}
  const { actor } = asObject(payload.workflow_run)
  const comment = parseComment(written && payload[written])
  const subject = parseSubject(payload)
  const action = asString(payload.action)
  const sender = parseAccount(payload.sender)
  // A merge queue or an auto-merge does what the author asked for.
  const isMergedByBot = action === 'closed' && subject?.state === 'merged' && sender?.bot === true
  return {
    event: eventName,
    action,
    sender: isMergedByBot ? subject.author : sender,
    comment: kind && comment.id > 0 ? { kind, ...comment } : undefined,
    /** Of a comment of any kind: as its author wrote it; '' for none. */
    body: kind !== undefined && comment.id === 0 ? '' : comment.body,
    /**
     * Authors of every comment or review in the event, whatever its kind, and who caused the run that it names; undefined
     * for one that cannot be read.
     */
    authors: [
      ...(['comment', 'review'] as const)
        .filter((part) => isObject(payload[part]) || written === part)
        .map((part) => parseAccount(asObject(payload[part]).user)),
      ...(isObject(actor) ? [parseAccount(actor)] : []),
    ],
    subject,
    push: eventName === 'push' ? parsePush(payload) : undefined,
    mergeGroup: eventName === 'merge_group' ? parseMergeGroup(payload) : undefined,
    release: isObject(payload.release) ? parseRelease(payload.release) : undefined,
    /** An event need not tell: then it counts as private. */
    isPublic: asObject(payload.repository).private === false,
    /** The repository of the workflow is a fork of another one. */
    inFork: asObject(payload.repository).fork === true,
  }
}

function parseSubject(payload: JsonObject): Subject | undefined {
  const ofPullRequest = isObject(payload.pull_request)
  const raw = asObject(ofPullRequest ? payload.pull_request : payload.issue)
  if (asId(raw.number) === undefined) return undefined
  return { ...parsePullRequest(raw), isPullRequest: ofPullRequest || isObject(raw.pull_request) }
}

export type Push = Readonly<NonNullable<ReturnType<typeof parsePush>>>

/** Commits are SHAs, `ref` is one such as `refs/heads/main`. */
function parsePush({ before, after, ref, forced, commits, head_commit }: JsonObject) {
  if (!isSha(before) || !isSha(after)) return undefined
  const { username } = asObject(asObject(head_commit).author)
  return {
    before,
    after,
    /** What became of the branch or the tag. */
    change: changeOf(before, after),
    ref: asString(ref),
    /** '' for a tag. */
    branch: branchOf(asString(ref)),
    /** A push that replaced commits did not merge what its commits belong to. */
    forced: forced === true,
    /** The oldest first. */
    commits: asArray(commits)
      .map((commit) => asObject(commit).id)
      .filter(isSha),
    /** A commit that no earlier push had; GitHub tells so of each. */
    hasNewCommit: asArray(commits).some((commit) => asObject(commit).distinct !== false),
    /** Of the last commit; undefined where GitHub knows no account of theirs. */
    author: parseAccount({ login: username }),
  }
}

/** GitHub writes zeros for the side on which the branch or the tag is not there. */
function changeOf(before: string, after: string): 'created' | 'updated' | 'deleted' {
  if (/^0+$/.test(after)) return 'deleted'
  return /^0+$/.test(before) ? 'created' : 'updated'
}

export type MergeGroup = ReturnType<typeof parseMergeGroup>
/** What a merge queue checks before it merges. */
const parseMergeGroup = entity({
  action: textField('action'),
  /** Of the commit that the queue made for it. */
  headSha: textField('merge_group.head_sha'),
  /** Such as `refs/heads/gh-readonly-queue/main/pr-12-…`. */
  headRef: textField('merge_group.head_ref'),
})

const isSha = (value: unknown): value is string => typeof value === 'string' && SHA.test(value)

export interface Runner {
  readonly eventName: string
  readonly payload: JsonObject
  readonly repository: RepositoryName
  /** 0 where neither the runner nor the event tells it. */
  readonly repositoryId: number
  readonly runId: number
  /** Counts from 1; a re-run of the same run adds one. */
  readonly runAttempt: number
  readonly workflow: string
  readonly workflowJob: string
  /** The step's id, or the name that the runner makes up for it. */
  readonly stepId: string
  /** Of the workflow file: the default branch on a schedule; '' where neither the runner nor the event tells it. */
  readonly branch: string
  readonly actor: string
  /** Who asked for this attempt: of a re-run, another one than `actor` where another person re-ran it; '' where it is not known. */
  readonly triggeringActor: string
  readonly workspace: string
  /** Without a slash at its end, like `apiUrl`. */
  readonly serverUrl: string
  readonly apiUrl: string
}

/** '' for a ref that is no branch. */
export const branchOf = (ref: string): string => /^refs\/heads\/(.+)$/.exec(ref)?.[1] ?? ''

export const runName = ({ runId, runAttempt }: Runner): string => `${runId}.${runAttempt}`

export function runUrlOf({ serverUrl, repository }: Runner, name: string): string {
  const [id = '', attempt = '1'] = name.split('.')
  const attemptPath = attempt === '1' ? '' : `/attempts/${attempt}`
  return `${serverUrl}/${fullName(repository)}/actions/runs/${id}${attemptPath}`
}

/** '' where the event does not tell it. */
export const defaultBranchOf = ({ payload }: Pick<Runner, 'payload'>): string =>
  asString(asObject(payload.repository).default_branch)
