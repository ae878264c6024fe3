import { asId, asObject, asString, asTime } from '../json.ts'
import { usableLink } from '../link.ts'

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
    title: asString(output.title),
    summary: asString(output.summary),
    annotations: Number(output.annotations_count) || 0,
  }
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

/** Gitea's addresses can be paths. */
const runIdIn = (address: string): string => /\/runs\/(\d+)(?![^/?# ])/.exec(address)?.[1] ?? ''

/** What another service says of a commit: https://docs.github.com/rest/commits/statuses */
export interface CommitStatus {
  /** Its name; a newer status with the same one replaces it. */
  readonly context: string
  /** `pending`, `success`, `failure` or `error`; `warning` on Gitea. */
  readonly state: string
  readonly description: string
  readonly url: string
  readonly runId: string
  /** In ms since the epoch. */
  readonly createdAt: number
}

/** Gitea calls the state `status`. */
export function parseStatus(value: unknown): CommitStatus {
  const { context, state, status, description, target_url, created_at } = asObject(value)
  return {
    context: asString(context),
    state: asString(state) || asString(status),
    description: asString(description),
    url: usableLink(asString(target_url)) ?? '',
    runId: runIdIn(asString(target_url)),
    createdAt: asTime(created_at),
  }
}

/** What the action says of a commit: https://docs.github.com/rest/commits/statuses#create-a-commit-status */
export interface NewStatus {
  readonly state: 'error' | 'failure' | 'pending' | 'success'
  readonly context: string
  /** One line of at most 140 characters. */
  readonly description: string
  /** '' for none. */
  readonly targetUrl: string
}

/** @param statuses of one second in the order of their list, the newest first */
export function newestOfEach(statuses: readonly CommitStatus[]): readonly CommitStatus[] {
  const newestFirst = statuses.toSorted((a, b) => b.createdAt - a.createdAt)
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
