import { hash } from '../random.ts'
import type { CheckAnnotation, StartedCheck } from './checks.ts'
import { userOf } from './model.ts'
import type { Schemas } from './samples.ts'
import { appJson, type Place, userJson } from './shapes.ts'

const ACTIONS = 'github-actions[bot]'
const time = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

export const suiteOf = ({ sha, by = ACTIONS }: StartedCheck): number => hash('suite', sha, by) % 1_000_000_000

/** A run waits in the queue for a quarter of its time. */
function runStatus({ appearsAt, endsAt }: StartedCheck, now: number): 'queued' | 'in_progress' | 'completed' {
  if (now >= endsAt) return 'completed'
  return now < appearsAt + Math.min(10_000, (endsAt - appearsAt) / 4) ? 'queued' : 'in_progress'
}

export function checkRunJson({ links, repo }: Place, check: StartedCheck, now: number): Schemas['check-run'] {
  const { id, sha, name, by = ACTIONS, conclusion = 'success', title, summary, text } = check
  const url = `${links.api}/repos/${repo.name}/check-runs/${id}`
  const html = `${links.web}/${repo.name}/actions/runs/${suiteOf(check)}/job/${id}`
  const status = runStatus(check, now)
  const isOver = status === 'completed'
  return {
    id,
    node_id: `CR_${id}`,
    head_sha: sha,
    external_id: '',
    url,
    html_url: html,
    details_url: check.detailsUrl ?? html,
    status,
    // `stale` is in GitHub's documentation and not in its description.
    conclusion: isOver ? (conclusion as Schemas['check-run']['conclusion']) : null,
    started_at: time(check.appearsAt),
    completed_at: isOver ? time(check.endsAt) : null,
    output: {
      title: (isOver && title) || null,
      summary: (isOver && summary) || null,
      text: (isOver && text) || null,
      annotations_count: isOver ? (check.annotations ?? []).length : 0,
      annotations_url: `${url}/annotations`,
    },
    name,
    check_suite: { id: suiteOf(check) },
    app: appJson(userOf(by), links),
    pull_requests: [],
  }
}

export function annotationJson(
  { links, repo }: Place,
  { sha }: StartedCheck,
  { path, line = 1, level = 'failure', title, message, details }: CheckAnnotation,
): Schemas['check-annotation'] {
  return {
    path,
    blob_href: `${links.web}/${repo.name}/blob/${sha}/${path}`,
    start_line: line,
    end_line: line,
    start_column: null,
    end_column: null,
    annotation_level: level,
    title: title ?? null,
    message,
    raw_details: details ?? null,
  }
}

/** What was set so far, the newest first: `pending`, and then how it ended. */
export function statusesOf(check: StartedCheck, now: number): SetStatus[] {
  const { conclusion = 'success', appearsAt, endsAt } = check
  const ended = [{ state: conclusion, at: endsAt, id: check.id * 2 + 1, check }]
  const begun = endsAt > appearsAt ? [{ state: 'pending', at: appearsAt, id: check.id * 2, check }] : []
  return [...(now >= endsAt ? ended : []), ...begun]
}

export interface SetStatus {
  readonly id: number
  readonly state: string
  readonly at: number
  readonly check: StartedCheck
}

export function statusJson({ links, repo }: Place, { id, state, at, check }: SetStatus): Schemas['status'] {
  const creator = userJson(userOf(check.by ?? ACTIONS), links)
  return {
    id,
    node_id: `SC_${id}`,
    url: `${links.api}/repos/${repo.name}/statuses/${check.sha}`,
    avatar_url: creator.avatar_url,
    state,
    description: check.summary ?? null,
    target_url: check.detailsUrl ?? null,
    context: check.name,
    created_at: time(at),
    updated_at: time(at),
    creator,
  }
}
