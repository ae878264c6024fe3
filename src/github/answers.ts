import { unusableAnswer } from '../base/errors.ts'
import { asId, asObject, asString, asTime, isObject, type JsonObject } from '../base/json.ts'
import { usableLink } from '../base/link.ts'
import {
  account,
  type Entity,
  entity,
  field,
  id,
  idOf,
  otherThan,
  parseAccount,
  parseCommentedLines,
  textField,
  time,
} from '../event/objects.ts'
import { PERMISSIONS, type Permission } from '../record/permission.ts'

const count = field((value) => Number(value) || 0)
const link = field((value) => usableLink(asString(value)) ?? '')
/** Markdown with `\n` at the ends of lines; GitHub may give back others than it got. */
const markdown = field((value) => asString(value).replaceAll('\r\n', '\n'))

export function parseList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw otherThan('list')
  return value
}

export function parseRendering(data: unknown): string {
  if (typeof data === 'string' && !/^\s*<(!doctype|html)\b/i.test(data)) return data
  throw otherThan('rendered text')
}

const WRITTEN = {
  id: idOf('comment')('id'),
  /** Names it to GraphQL; '' where there is none, as on Gitea. */
  nodeId: textField('node_id'),
  body: markdown('body'),
  author: account('user'),
  /** On GitHub's clock. */
  createdAt: time('created_at'),
}

const COMMENT = {
  ...WRITTEN,
  url: textField('html_url'),
  /** On GitHub's clock, like `createdAt`. */
  updatedAt: time('updated_at'),
  /** A person hid it. */
  isHidden: ({ minimized }: JsonObject): boolean => isObject(minimized),
}

export type RenderedComment = ReturnType<typeof parseRenderedComment>
export const parseRenderedComment = entity({
  id: idOf('comment')('id'),
  body: markdown('body'),
  html: textField('body_html'),
})

export type ThreadComment = Entity<typeof COMMENT>
export const parseComment: (value: unknown) => ThreadComment = entity(COMMENT)

export type RepositoryComment = ReturnType<typeof parseWithThread>
const parseWithThread = entity({
  ...COMMENT,
  thread: ({ issue_url }) => Number(/\/(\d+)$/.exec(asString(issue_url))?.[1]),
})
/** None for a comment whose thread is not known. */
export function parseRepositoryComment(value: unknown): readonly RepositoryComment[] {
  if (asId(asObject(value).id) === undefined) return []
  const comment = parseWithThread(value)
  return Number.isSafeInteger(comment.thread) ? [comment] : []
}

export type Issue = ReturnType<typeof parseIssue>
export const parseIssue = entity({
  number: idOf('issue')('number'),
  title: textField('title'),
  body: markdown('body'),
  author: account('user'),
  createdAt: time('created_at'),
  isPullRequest: ({ pull_request }) => isObject(pull_request),
  /** Somebody opened it through an App, such as the agent's under a person's name. */
  isThroughApp: ({ performed_via_github_app }) => isObject(performed_via_github_app),
})

/** What happened to an issue or a pull request, as far as labels go. */
export type LabelEvent = ReturnType<typeof parseLabelEvent>
export const parseLabelEvent = entity({
  id: id('id'),
  /** Such as `labeled` and `unlabeled`. */
  event: textField('event'),
  /** Undefined for an account that is gone. */
  actor: account('actor'),
  /** '' for an event that is about none. */
  label: textField('label.name'),
  createdAt: time('created_at'),
})

export type ChangedFile = ReturnType<typeof parseFile>
export const parseFile = entity({
  path: textField('filename'),
  /** Of a renamed file; '' for every other. */
  earlierPath: textField('previous_filename'),
  status: textField('status'),
  additions: count('additions'),
  deletions: count('deletions'),
  /** '' for binary and very large files. */
  patch: textField('patch'),
  /** SHA of the blob; '' where GitHub does not tell. */
  sha: textField('sha'),
})

export type Comparison = ReturnType<typeof parseComparison>
export const parseComparison = entity({
  /** How the later commit stands to the earlier one: `ahead`, `behind`, `identical` or `diverged`; '' where GitHub does not tell. */
  status: textField('status'),
  /** The oldest first. */
  commits: (raw): readonly Commit[] => commitsIn(raw).map(parseCommit),
  /** How many more commits there are than `commits` holds. */
  missing: (raw) => Math.max(0, (asId(raw.total_commits) ?? 0) - commitsIn(raw).length),
  /** Undefined where GitHub does not list them. */
  files: ({ files }): readonly ChangedFile[] | undefined =>
    Array.isArray(files) ? files.map(parseFile) : undefined,
})
type Commit = ReturnType<typeof parseCommit>
const parseCommit = entity({
  sha: textField('sha'),
  subject: field((message) => asString(message).split('\n')[0] ?? '')('commit.message'),
})
function commitsIn({ commits }: JsonObject): readonly unknown[] {
  if (!Array.isArray(commits)) throw otherThan('comparison')
  return commits
}

export type ReviewComment = ReturnType<typeof parseReviewComment>
export const parseReviewComment = entity({
  ...WRITTEN,
  updatedAt: time('updated_at'),
  path: textField('path'),
  lines: parseCommentedLines,
  /** The lines of the diff up to the commented one. */
  hunk: textField('diff_hunk'),
})

export type Review = ReturnType<typeof parseReview>
export const parseReview = entity({
  id: idOf('review')('id'),
  body: markdown('body'),
  author: account('user'),
  /** On GitHub's clock. */
  submittedAt: time('submitted_at'),
})

export type CommentReaction = ReturnType<typeof parseReaction>
export const parseReaction = entity({ id: id('id'), content: textField('content'), account: account('user') })

/** One check of a commit, such as a job of a workflow: https://docs.github.com/rest/checks/runs */
export type CheckRun = ReturnType<typeof parseCheckRun>
export const parseCheckRun = entity({
  /** 0 where there is none: only its annotations need one. */
  id: id('id'),
  name: textField('name'),
  /** Whose check it is. */
  app: textField('app.slug'),
  /** `queued`, `in_progress`, `completed`, `waiting`, `requested` or `pending`. */
  status: textField('status'),
  /** `success`, `failure`, `neutral`, `action_required`, … once it is completed; '' before. */
  conclusion: textField('conclusion'),
  /** 0 where GitHub does not tell. */
  suiteId: id('check_suite.id'),
  /** The page of its result. A URL that is safe to show, or ''. */
  url: ({ html_url, details_url }) => usableLink(asString(html_url) || asString(details_url)) ?? '',
  /** When it started or ended, on GitHub's clock; 0 where GitHub does not tell. */
  changedAt: ({ started_at, completed_at }) => Math.max(asTime(started_at), asTime(completed_at)),
  /** Id of the workflow run that its address names, '' for none. */
  runId: ({ html_url, details_url }) => runIdIn(`${asString(details_url)} ${asString(html_url)}`),
  title: textField('output.title'),
  summary: textField('output.summary'),
  /** Details, in Markdown. */
  text: textField('output.text'),
  annotations: count('output.annotations_count'),
})

const runIdIn = (address: string): string => /\/runs\/(\d+)(?![^/?# ])/.exec(address)?.[1] ?? ''

/** All checks of one app for one push or event: https://docs.github.com/rest/checks/suites */
export type CheckSuite = ReturnType<typeof parseCheckSuite>
export const parseCheckSuite = entity({
  id: id('id'),
  /** Whose checks they are, such as `github-actions`. */
  app: textField('app.slug'),
  status: textField('status'),
  /** As that of a check run. */
  conclusion: textField('conclusion'),
  /** How many check runs it has, each as it ran last. */
  runs: count('latest_check_runs_count'),
  /** On GitHub's clock. */
  changedAt: time('updated_at'),
})

/** A run of a workflow, which is a suite of GitHub Actions: https://docs.github.com/rest/actions/workflow-runs */
export const parseWorkflowRun = entity({
  /** 0 where GitHub does not tell, here and below. */
  suiteId: id('check_suite_id'),
  workflowId: id('workflow_id'),
})

/** What another service says of a commit: https://docs.github.com/rest/commits/statuses */
export type CommitStatus = ReturnType<typeof parseStatus>
export const parseStatus = entity({
  /** Grows with time. 0 where it is missing. */
  id: id('id'),
  /** Its name; a newer status with the same one replaces it. */
  context: textField('context'),
  /** `pending`, `success`, `failure` or `error`. */
  state: textField('state'),
  description: textField('description'),
  url: link('target_url'),
  runId: ({ target_url }) => runIdIn(asString(target_url)),
  /** Whole seconds. */
  createdAt: time('created_at'),
})

/** Within a second, the id tells which one replaced the other. */
export function newestOfEach(statuses: readonly CommitStatus[]): readonly CommitStatus[] {
  const newestFirst = statuses.toSorted((a, b) => b.createdAt - a.createdAt || b.id - a.id)
  return [...Map.groupBy(newestFirst, ({ context }) => context).values()].flatMap(([newest]) => newest ?? [])
}

/** Whose review of a pull request is asked for: https://docs.github.com/rest/pulls/review-requests */
export const parseRequested = entity({
  /** Logins. */
  people: ({ users }): readonly string[] =>
    parseList(users).flatMap((user) => parseAccount(user)?.login ?? []),
  /** Slugs; of a team that was asked, GitHub does not say who gave the review for it. */
  teams: ({ teams }): readonly string[] => parseList(teams).map((team) => asString(asObject(team).slug)),
})

/** @returns whose review it is, '' for an account that is gone */
export const parseReviewer = (review: unknown): string => parseAccount(asObject(review).user)?.login ?? ''

export const parseAnnotation = entity({
  path: textField('path'),
  /** Counted from 1. */
  startLine: count('start_line'),
  level: textField('annotation_level'),
  title: textField('title'),
  message: textField('message'),
})

export function parsePermission(value: unknown, username: string): Permission {
  const { role_name, permission, user } = asObject(value)
  const { login } = asObject(user)
  if (typeof login === 'string' && login.toLowerCase() !== username.toLowerCase())
    throw unusableAnswer('one about another person')
  const role = PERMISSIONS.find((one) => one === role_name)
  const level = PERMISSIONS.find((one) => one === permission)
  // `role_name` tells triage and maintain apart; a custom role is not in the list, and counts as its `permission`.
  if (role !== undefined && (COARSE[role] ?? role) === level) return role
  const lowest = PERMISSIONS.find((one) => one === role || one === level)
  if (lowest === undefined) throw unusableAnswer('one that names no permission')
  return lowest
}

/** What `permission` calls the roles that only `role_name` knows. */
const COARSE: Readonly<Partial<Record<Permission, Permission>>> = { triage: 'read', maintain: 'write' }
