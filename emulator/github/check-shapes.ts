import { hash } from '../random.ts'
import type { CheckAnnotation, StartedCheck } from './checks.ts'
import { userOf } from './model.ts'
import type { Schemas } from './samples.ts'
import { type Place, userJson } from './shapes.ts'

const time = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

/** A run waits in the queue for a quarter of its time. */
function runStatus({ appearsAt, endsAt }: StartedCheck, now: number): 'queued' | 'in_progress' | 'completed' {
  if (now >= endsAt) return 'completed'
  return now < appearsAt + Math.min(10_000, (endsAt - appearsAt) / 4) ? 'queued' : 'in_progress'
}

export function checkRunJson({ links, repo }: Place, check: StartedCheck, now: number): Schemas['check-run'] {
  const { id, sha, name, conclusion = 'success', title, summary, text } = check
  const suite = hash('suite', sha) % 1_000_000_000
  const url = `${links.api}/repos/${repo.name}/check-runs/${id}`
  const html = `${links.web}/${repo.name}/actions/runs/${suite}/job/${id}`
  const status = check.waits === true ? 'waiting' : runStatus(check, now)
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
    check_suite: { id: suite },
    app: null,
    pull_requests: [],
  }
}

export const annotationJson = (
  { links, repo }: Place,
  { sha }: StartedCheck,
  { path, line, message }: CheckAnnotation,
): Schemas['check-annotation'] => ({
  path,
  blob_href: `${links.web}/${repo.name}/blob/${sha}/${path}`,
  start_line: line,
  end_line: line,
  start_column: null,
  end_column: null,
  annotation_level: 'failure',
  title: null,
  message,
  raw_details: null,
})

/** `pending`, and then how it ended. */
export const stateOf = ({ conclusion = 'success', endsAt }: StartedCheck, now: number): string =>
  now < endsAt ? 'pending' : conclusion

export function statusJson({ links, repo }: Place, check: StartedCheck, now: number): Schemas['status'] {
  const { id, sha, name, summary, detailsUrl, appearsAt, endsAt } = check
  const creator = userJson(userOf('github-actions[bot]'), links)
  const at = time(now < endsAt ? appearsAt : endsAt)
  return {
    id,
    node_id: `SC_${id}`,
    url: `${links.api}/repos/${repo.name}/statuses/${sha}`,
    avatar_url: creator.avatar_url,
    state: stateOf(check, now),
    description: summary ?? null,
    target_url: detailsUrl ?? null,
    context: name,
    created_at: at,
    updated_at: at,
    creator,
  }
}
