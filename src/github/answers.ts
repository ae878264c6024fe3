import { unusableAnswer } from '../errors.ts'
import { type Account, type CommentedLines, parseAccount, parseCommentedLines } from '../event/objects.ts'
import { asId, asObject, asString, asTime, isObject } from '../json.ts'
import { usableLink } from '../link.ts'

/**
 * What a forge answers, narrowed from JSON: nothing else gets any further. Times are in ms since the epoch. A
 * parser throws a `ForgeError` for anything else: an unread list must not look like an empty one.
 */

export function parseRendering(data: unknown): string {
  if (typeof data === 'string' && !/^\s*<(!doctype|html)\b/i.test(data)) return data
  throw otherThan('rendered text')
}

const otherThan = (what: string) => unusableAnswer(`one that is no ${what}`)

function idOf(value: unknown, what: string): number {
  const id = asId(value)
  if (id === undefined) throw otherThan(what)
  return id
}

/** Markdown with `\n` at the ends of lines; GitHub may give back others than it got. */
const bodyOf = (value: unknown): string => asString(value).replaceAll('\r\n', '\n')

export function parseList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw otherThan('list')
  return value
}

export interface ThreadComment {
  readonly id: number
  readonly body: string
  readonly url: string
  readonly author: Account | undefined
  /** On the forge's clock. */
  readonly createdAt: number
  /** Of a new one: an earlier try, whose answer was lost, may still take effect. */
  readonly mayComeTwice?: boolean
}

export function parseComment(value: unknown): ThreadComment {
  const { id, body, html_url, user, created_at } = asObject(value)
  return {
    id: idOf(id, 'comment'),
    body: bodyOf(body),
    url: asString(html_url),
    author: parseAccount(user),
    createdAt: asTime(created_at),
  }
}

export interface RepositoryComment extends ThreadComment {
  readonly thread: number
  /** On the forge's clock. */
  readonly updatedAt: number
}

/** None for a comment whose thread is not known. */
export function parseRepositoryComment(value: unknown): readonly RepositoryComment[] {
  const { id, issue_url, updated_at } = asObject(value)
  const thread = Number(/\/(\d+)$/.exec(asString(issue_url))?.[1])
  if (!Number.isSafeInteger(thread) || asId(id) === undefined) return []
  return [{ ...parseComment(value), thread, updatedAt: asTime(updated_at) }]
}

export interface Issue {
  readonly number: number
  readonly title: string
  readonly body: string
  readonly author: Account | undefined
  readonly isPullRequest: boolean
}

export function parseIssue(value: unknown): Issue {
  const { number, title, body, user, pull_request } = asObject(value)
  return {
    number: idOf(number, 'issue'),
    title: asString(title),
    body: bodyOf(body),
    author: parseAccount(user),
    isPullRequest: isObject(pull_request),
  }
}

export interface ChangedFile {
  readonly path: string
  /** Of a renamed file; '' for every other. */
  readonly earlierPath: string
  readonly status: string
  readonly additions: number
  readonly deletions: number
  /** '' for binary and very large files. */
  readonly patch: string
  /** SHA of the blob; '' where the forge does not tell. */
  readonly sha: string
}

export function parseFile(value: unknown): ChangedFile {
  const { filename, previous_filename, status, additions, deletions, patch, sha } = asObject(value)
  return {
    path: asString(filename),
    earlierPath: asString(previous_filename),
    status: asString(status),
    additions: Number(additions) || 0,
    deletions: Number(deletions) || 0,
    patch: asString(patch),
    sha: asString(sha),
  }
}

export interface Comparison {
  /** How the later commit stands to the earlier one: `ahead`, `behind`, `identical` or `diverged`; '' where the forge does not tell. */
  readonly status: string
  /** The oldest first. */
  readonly commits: readonly { readonly sha: string; readonly subject: string }[]
  /** How many more commits there are than `commits` holds. */
  readonly missing: number
  /** Undefined where the forge does not list them. */
  readonly files: readonly ChangedFile[] | undefined
}

export function parseComparison(value: unknown): Comparison {
  const { status, files, commits, total_commits } = asObject(value)
  if (!Array.isArray(commits)) throw otherThan('comparison')
  return {
    status: asString(status),
    commits: commits.map(asObject).map(({ sha, commit }) => {
      const [subject = ''] = asString(asObject(commit).message).split('\n')
      return { sha: asString(sha), subject }
    }),
    missing: Math.max(0, (asId(total_commits) ?? 0) - commits.length),
    files: Array.isArray(files) ? files.map(parseFile) : undefined,
  }
}

export interface ReviewComment {
  readonly id: number
  readonly author: Account | undefined
  readonly body: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly path: string
  readonly lines: CommentedLines | undefined
  /** The lines of the diff up to the commented one. */
  readonly hunk: string
}

export function parseReviewComment(value: unknown): ReviewComment {
  const raw = asObject(value)
  return {
    id: idOf(raw.id, 'comment'),
    author: parseAccount(raw.user),
    body: bodyOf(raw.body),
    createdAt: asTime(raw.created_at),
    updatedAt: asTime(raw.updated_at),
    path: asString(raw.path),
    lines: parseCommentedLines(raw),
    hunk: asString(raw.diff_hunk),
  }
}

export interface CommentReaction {
  readonly id: number
  readonly content: string
  readonly account: Account | undefined
}

export function parseReaction(value: unknown): CommentReaction {
  const { id, content, user } = asObject(value)
  return { id: asId(id) ?? 0, content: asString(content), account: parseAccount(user) }
}

/** One check of a commit, such as a job of a workflow: https://docs.github.com/rest/checks/runs */
export interface CheckRun {
  /** 0 where there is none: only its annotations need one. */
  readonly id: number
  readonly name: string
  /** Whose check it is. */
  readonly app: string
  /** `queued`, `in_progress`, `completed`, `waiting`, `requested` or `pending`. */
  readonly status: string
  /** `success`, `failure`, `neutral`, `action_required`, … once it is completed; '' before. */
  readonly conclusion: string
  /** In ms since the epoch; 0 for none, like `completedAt`. */
  readonly startedAt: number
  readonly completedAt: number
  /** 0 where the forge does not tell. */
  readonly suiteId: number
  /** The page of its result. A URL that is safe to show (contract 2.2), or ''. */
  readonly url: string
  /** Id of the workflow run that its address names, '' for none. */
  readonly runId: string
  /** The same, only where GitHub Actions gave the address; other apps have runs of their own. */
  readonly workflowRunId: string
  readonly title: string
  readonly summary: string
  readonly annotations: number
}

export function parseCheckRun(value: unknown): CheckRun {
  const raw = asObject(value)
  const output = asObject(raw.output)
  return {
    id: asId(raw.id) ?? 0,
    name: asString(raw.name),
    app: asString(asObject(raw.app).slug),
    status: asString(raw.status),
    conclusion: asString(raw.conclusion),
    startedAt: asTime(raw.started_at),
    completedAt: asTime(raw.completed_at),
    suiteId: asId(asObject(raw.check_suite).id) ?? 0,
    url: usableLink(asString(raw.html_url) || asString(raw.details_url)) ?? '',
    runId: runIdIn(`${asString(raw.details_url)} ${asString(raw.html_url)}`),
    workflowRunId: /\/actions\/runs\/(\d+)(?![^/?#])/.exec(asString(raw.details_url))?.[1] ?? '',
    title: asString(output.title),
    summary: asString(output.summary),
    annotations: Number(output.annotations_count) || 0,
  }
}

/** Whose review of a pull request is asked for, or given. */
export interface Reviewing {
  /** Logins. */
  readonly people: readonly string[]
  /** Slugs; of a team that was asked, GitHub does not say who gave the review for it. */
  readonly teams: readonly string[]
}

/** https://docs.github.com/rest/pulls/review-requests#get-all-requested-reviewers-for-a-pull-request */
export function parseRequested(value: unknown): Reviewing {
  const { users, teams } = asObject(value)
  return {
    people: parseList(users).flatMap((user) => parseAccount(user)?.login ?? []),
    teams: parseList(teams).map((team) => asString(asObject(team).slug)),
  }
}

/** @returns whose review it is */
export const parseReviewer = (value: unknown): readonly string[] => {
  const login = parseAccount(asObject(value).user)?.login
  return login === undefined ? [] : [login]
}

/** One run of a workflow: https://docs.github.com/rest/actions/workflow-runs#get-a-workflow-run */
export interface WorkflowRun {
  readonly workflowId: number
  readonly event: string
  /** Of its latest attempt, in ms since the epoch. */
  readonly startedAt: number
  readonly suiteId: number
}

/** Undefined for one that does not say all that tells it from others. */
export function parseWorkflowRun(value: unknown): WorkflowRun | undefined {
  const { workflow_id, event, run_started_at, check_suite_id } = asObject(value)
  const [workflowId, suiteId, startedAt] = [asId(workflow_id), asId(check_suite_id), asTime(run_started_at)]
  if (workflowId === undefined || suiteId === undefined || startedAt === 0 || asString(event) === '')
    return undefined
  return { workflowId, suiteId, startedAt, event: asString(event) }
}

/** All checks of one app for one push or event: https://docs.github.com/rest/checks/suites */
export interface CheckSuite {
  readonly id: number
  /** Whose checks they are, such as `github-actions`. */
  readonly app: string
  readonly status: string
  /** As that of a check run. */
  readonly conclusion: string
  /** How many check runs it has, each as it ran last. */
  readonly runs: number
  /** In ms since the epoch. */
  readonly createdAt: number
}

export function parseCheckSuite(value: unknown): CheckSuite {
  const { id, app, status, conclusion, latest_check_runs_count, created_at } = asObject(value)
  return {
    id: asId(id) ?? 0,
    app: asString(asObject(app).slug),
    status: asString(status),
    conclusion: asString(conclusion),
    runs: Number(latest_check_runs_count) || 0,
    createdAt: asTime(created_at),
  }
}

const runIdIn = (address: string): string => /\/runs\/(\d+)(?![^/?# ])/.exec(address)?.[1] ?? ''

/** What another service says of a commit: https://docs.github.com/rest/commits/statuses */
export interface CommitStatus {
  /** Grows with time. 0 where it is missing. */
  readonly id: number
  /** Its name; a newer status with the same one replaces it. */
  readonly context: string
  /** `pending`, `success`, `failure` or `error`. */
  readonly state: string
  readonly description: string
  readonly url: string
  readonly runId: string
  /** In ms since the epoch, whole seconds. */
  readonly createdAt: number
}

export function parseStatus(value: unknown): CommitStatus {
  const { id, context, state, description, target_url, created_at } = asObject(value)
  return {
    id: asId(id) ?? 0,
    context: asString(context),
    state: asString(state),
    description: asString(description),
    url: usableLink(asString(target_url)) ?? '',
    runId: runIdIn(asString(target_url)),
    createdAt: asTime(created_at),
  }
}

/** Within a second, the id tells which one replaced the other. */
export function newestOfEach(statuses: readonly CommitStatus[]): readonly CommitStatus[] {
  const newestFirst = statuses.toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id)
  const isNewest = ({ context }: CommitStatus, at: number) =>
    newestFirst.findIndex((newer) => newer.context === context) === at
  return newestFirst.filter(isNewest)
}

export interface Annotation {
  readonly path: string
  /** Counted from 1. */
  readonly startLine: number
  readonly level: string
  readonly title: string
  readonly message: string
}

export function parseAnnotation(value: unknown): Annotation {
  const { path, start_line, annotation_level, title, message } = asObject(value)
  return {
    path: asString(path),
    startLine: Number(start_line) || 0,
    level: asString(annotation_level),
    title: asString(title),
    message: asString(message),
  }
}
