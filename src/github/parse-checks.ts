import { asId, asObject, asString, asTime } from '../json.ts'
import { usableLink } from '../link.ts'

/** One check of a commit, such as a job of a workflow: https://docs.github.com/rest/checks/runs */
export interface CheckRun {
  /** 0 where there is none: only its annotations need one. */
  readonly id: number
  readonly name: string
  /** Whose check it is. */
  readonly app: string
  readonly status: string
  /** `success`, `failure`, `neutral`, `action_required`, … once it is completed; '' before. */
  readonly conclusion: string
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
    url: usableLink(asString(raw.html_url) || asString(raw.details_url)) ?? '',
    runId: runIdIn(`${asString(raw.details_url)} ${asString(raw.html_url)}`),
    title: asString(output.title),
    summary: asString(output.summary),
    annotations: Number(output.annotations_count) || 0,
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

/**
 * A workflow that cancels its earlier run, such as when a label is added, leaves the checks of both on the commit. The
 * later one of the same name counts.
 */
export const withoutReplaced = (runs: readonly CheckRun[]): readonly CheckRun[] =>
  runs.filter(
    ({ conclusion, id, name, app }) =>
      conclusion !== 'cancelled' ||
      !runs.some((later) => later.name === name && later.app === app && later.id > id),
  )

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
