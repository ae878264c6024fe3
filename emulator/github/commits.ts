import { json } from '../http.ts'
import type { Call, RepoHandler, RepoRoute } from './api.ts'
import { annotationJson, checkRunJson, stateOf, statusJson } from './check-shapes.ts'
import type { StartedCheck } from './checks.ts'
import { ApiError, notFound } from './errors.ts'
import { replyAll } from './media.ts'
import { pageOf } from './paging.ts'
import { commitJson, fileJson, repositoryJson } from './repository-shapes.ts'
import type { Schemas } from './samples.ts'

/** GitHub lists at most so many files of a comparison, all on its first page. */
const MAX_COMPARED_FILES = 300
const COMPARED_COMMITS = 250

const compare: RepoHandler = (call) => {
  const { links, param, repo } = call
  const range = param('range')
  const found = repo.comparisons.get(range)
  if (!found) throw notFound()
  const [base = '', head = ''] = range.split('...')
  const { commits } = found
  const all = commits.map((commit, at) => commitJson(call, commit, [commits[at - 1]?.sha ?? base]))
  const { items, page, headers } = pageOf(call, all, COMPARED_COMMITS, COMPARED_COMMITS)
  const web = `${links.web}/${repo.name}/compare/${range}`
  const from = commitJson(call, { sha: base, message: 'Before' }, [])
  const files = page === 1 ? found.files.slice(0, MAX_COMPARED_FILES) : []
  const body: Schemas['commit-comparison'] = {
    url: `${links.api}/repos/${repo.name}/compare/${range}`,
    html_url: web,
    permalink_url: web,
    diff_url: `${web}.diff`,
    patch_url: `${web}.patch`,
    base_commit: from,
    merge_base_commit: from,
    status: commits.length > 0 ? 'ahead' : 'identical',
    ahead_by: commits.length,
    behind_by: 0,
    total_commits: commits.length,
    commits: [...items],
    files: files.map((file) => fileJson(call, head, file)),
  }
  return json(200, body, headers)
}

const checkRuns: RepoHandler = (call) => {
  const shown = latest(visible(call, 'run'))
    .map((check) => checkRunJson(call, check, call.listed.at))
    .reverse()
  const { items, headers } = pageOf(call, shown)
  return json(200, { total_count: shown.length, check_runs: items }, headers)
}

const annotations: RepoHandler = (call) => {
  const { settings, param, repo } = call
  const now = settings.now()
  const check = [...repo.checks.values()].flat().find(({ id }) => id === Number(param('id')))
  if (!check) throw notFound()
  const made = now < check.endsAt ? [] : (check.annotations ?? [])
  return replyAll(call, made, (annotation) => annotationJson(call, check, annotation))
}

const combinedStatus: RepoHandler = (call) => {
  const { links, param, repo } = call
  const now = call.listed.at
  const newest = latest(visible(call, 'status'))
  const { items, headers } = pageOf(call, newest)
  const url = `${links.api}/repos/${repo.name}/commits/${param('ref')}`
  const body: Schemas['combined-commit-status'] = {
    state: combined(newest.map((check) => stateOf(check, now))),
    statuses: items.map((check) => statusJson(call, check, now)),
    sha: newest[0]?.sha ?? param('ref'),
    total_count: newest.length,
    repository: repositoryJson(repo, links),
    commit_url: url,
    url: `${url}/status`,
  }
  return json(200, body, headers)
}

function combined(states: readonly string[]): string {
  if (states.includes('error') || states.includes('failure')) return 'failure'
  return states.length > 0 && states.every((state) => state === 'success') ? 'success' : 'pending'
}

function visible({ param, repo, listed }: Call, kind: 'run' | 'status'): StartedCheck[] {
  const ref = param('ref')
  // A commit by its SHA, or by the branch whose head it is.
  const pull = [...repo.pulls.values()].findLast(({ head }) => head.ref === ref)
  const sha = /^[0-9a-f]{40}$/.test(ref) ? ref : pull?.head.sha
  if (sha === undefined) throw new ApiError(422, `No commit found for SHA: ${ref}`)
  const all = listed.repo.checks.get(sha) ?? []
  return all.filter((check) => (check.kind ?? 'run') === kind && check.appearsAt <= listed.at)
}

/** Of the checks of one name, the last. */
const latest = (checks: readonly StartedCheck[]): StartedCheck[] => [
  ...new Map(checks.map((check) => [check.name, check])).values(),
]

/** Comparisons, check runs with their annotations, and commit statuses. */
export const COMMITS: readonly RepoRoute[] = [
  ['GET', '/compare/:range', ['contents'], compare],
  ['GET', '/commits/:ref/check-runs', ['checks'], checkRuns, 'check-runs'],
  ['GET', '/check-runs/:id/annotations', ['checks'], annotations],
  ['GET', '/commits/:ref/status', ['statuses'], combinedStatus, 'statuses'],
]
