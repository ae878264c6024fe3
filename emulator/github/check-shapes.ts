import { hash, hex } from '../random.ts'
import {
  ACTIONS,
  type CheckAnnotation,
  type StartedCheck,
  type Suite,
  stateOf,
  statusOf,
  type WorkflowRun,
} from './checks.ts'
import { LONG_AGO, userOf } from './model.ts'
import { repositoryJson } from './repository-shapes.ts'
import type { Schemas } from './samples.ts'
import { appJson, type Place, userJson } from './shapes.ts'

const time = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')

export function checkRunJson({ links, repo }: Place, check: StartedCheck, now: number): Schemas['check-run'] {
  const { id, sha, name, conclusion = 'success', title, summary, text, app, suiteId } = check
  const url = `${links.api}/repos/${repo.name}/check-runs/${id}`
  const page = app === ACTIONS ? `actions/runs/${suiteId}/job/${id}` : `runs/${id}`
  const html = `${links.web}/${repo.name}/${page}`
  const status = statusOf(check, now)
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
    started_at: startOf(check, status),
    completed_at: isOver ? time(check.endsAt) : null,
    output: {
      title: (isOver && title) || null,
      summary: (isOver && summary) || null,
      text: (isOver && text) || null,
      annotations_count: isOver ? (check.annotations ?? []).length : 0,
      annotations_url: `${url}/annotations`,
    },
    name,
    check_suite: { id: suiteId },
    app: appJson(app, links),
    pull_requests: [],
  }
}

/** Of a run in the queue that is the time at which it came there; what waits for more than a runner has none. */
function startOf({ appearsAt, startsAt }: StartedCheck, status: string): string | null {
  if (status === 'queued') return time(appearsAt)
  return status === 'in_progress' || status === 'completed' ? time(startsAt) : null
}

export function checkSuiteJson({ links, repo }: Place, suite: Suite): Schemas['check-suite'] {
  const { id, app, sha, status, conclusion, runs, createdAt, updatedAt } = suite
  const url = `${links.api}/repos/${repo.name}/check-suites/${id}`
  const pulls = [...repo.pulls.values()].filter(({ commits }) => commits.some((commit) => commit.sha === sha))
  const [branch] = [...repo.branches].find(([, head]) => head === sha) ?? [pulls[0]?.head.ref]
  const { message, parent, at, author } = repo.commits.get(sha) ?? UNKNOWN
  const person = { name: author?.login ?? 'someone', email: 'someone@example.com' }
  return {
    id,
    node_id: `CS_${id}`,
    head_branch: branch ?? null,
    head_sha: sha,
    status,
    conclusion: conclusion as Schemas['check-suite']['conclusion'],
    url,
    before: parent,
    after: sha,
    pull_requests: [],
    app: appJson(app, links),
    repository: repositoryJson(repo, links),
    created_at: time(createdAt),
    updated_at: time(updatedAt),
    head_commit: {
      ...{ id: sha, tree_id: hex(40, 'tree', sha), message, timestamp: at },
      ...{ author: person, committer: person },
    },
    latest_check_runs_count: runs.length,
    check_runs_url: `${url}/check-runs`,
  }
}

/** What GitHub Actions checks in one suite. */
export function workflowRunJson(place: Place, run: WorkflowRun): Schemas['workflow-run'] {
  const { links, repo } = place
  const { suite, workflow, event, attempt, startedAt } = run
  const { id, status, conclusion, createdAt, updatedAt } = suite
  const { node_id, head_branch, head_sha, head_commit, repository } = checkSuiteJson(place, suite)
  const workflowId = hash('workflow', workflow) % 1_000_000_000
  const url = `${links.api}/repos/${repo.name}/actions/runs/${id}`
  return {
    ...{ id, node_id, head_branch, head_sha, head_commit, repository, event, status },
    ...{ conclusion, run_number: 1, run_attempt: attempt, run_started_at: time(startedAt) },
    ...{ created_at: time(createdAt), updated_at: time(updatedAt) },
    ...{ name: workflow, display_title: workflow, path: `.github/workflows/${workflow}.yml` },
    ...{ workflow_id: workflowId, check_suite_id: id, pull_requests: [], head_repository: repository },
    url,
    html_url: `${links.web}/${repo.name}/actions/runs/${id}`,
    ...{ jobs_url: `${url}/jobs`, logs_url: `${url}/logs`, artifacts_url: `${url}/artifacts` },
    ...{ cancel_url: `${url}/cancel`, rerun_url: `${url}/rerun` },
    check_suite_url: `${links.api}/repos/${repo.name}/check-suites/${id}`,
    workflow_url: `${links.api}/repos/${repo.name}/actions/workflows/${workflowId}`,
  }
}

/** A commit that a test made up. */
const UNKNOWN = { message: 'Change', parent: null, at: LONG_AGO, author: null }

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

export function statusJson({ links, repo }: Place, check: StartedCheck, now: number): Schemas['status'] {
  const { id, sha, name, summary, detailsUrl, appearsAt, endsAt } = check
  const creator = userJson(userOf(check.creator ?? 'github-actions[bot]'), links)
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
