import { json } from '../http.ts'
import type { Call, RepoHandler, RepoRoute } from './api.ts'
import { annotationJson, checkRunJson, checkSuiteJson, statusJson, workflowRunJson } from './check-shapes.ts'
import { type Check, latestOf, type StartedCheck, stateOf, suitesOf, workflowRunOf } from './checks.ts'
import { shaOf } from './compare.ts'
import { ApiError, notFound } from './errors.ts'
import { replyAll } from './media.ts'
import { pageOf } from './paging.ts'
import { repositoryJson } from './repository-shapes.ts'
import type { Schemas } from './samples.ts'

const checkRuns: RepoHandler = (call) => {
  const at = call.settings.now()
  const shown = latestOf(checksOf(call), 'run', at).reverse()
  const { items, headers } = pageOf(call, shown)
  const runs = items.map((check) => checkRunJson(call, check, at))
  return json(200, { total_count: shown.length, check_runs: runs }, headers)
}

const checkSuites: RepoHandler = (call) => {
  const shown = suitesOf(checksOf(call), call.settings.now())
  const { items, headers } = pageOf(call, shown)
  const suites = items.map((suite) => checkSuiteJson(call, suite))
  return json(200, { total_count: shown.length, check_suites: suites }, headers)
}

/** Of GitHub Actions, for a commit: one for each of its suites. */
const workflowRuns: RepoHandler = (call) => {
  const { request, repo, settings } = call
  const at = settings.now()
  const checks = repo.checks.get(request.query.get('head_sha') ?? '') ?? []
  const begun = suitesOf(checks, at).flatMap((suite) => workflowRunOf(checks, suite, at) ?? [])
  const { items, headers } = pageOf(call, begun)
  const runs = items.map((run) => workflowRunJson(call, run))
  return json(200, { total_count: begun.length, workflow_runs: runs }, headers)
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
  const now = call.settings.now()
  const newest = latestOf(checksOf(call), 'status', now)
  const { items, headers } = pageOf(call, newest)
  const url = `${links.api}/repos/${repo.name}/commits/${param('ref')}`
  const body: Schemas['combined-commit-status'] = {
    state: combined(newest.map((check) => stateOf(check, now))),
    statuses: items.map((check) => statusJson(call, check, now)),
    sha: shaOf(repo, param('ref')) ?? '',
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

const STATES = ['error', 'failure', 'pending', 'success'] as const
const MOST_STATUSES = 1000
/** Longest name and description, in characters: GitHub names them where it refuses more. */
const MAX_CONTEXT = 255
const MAX_DESCRIPTION = 140

const createStatus: RepoHandler = (call) => {
  const { github, settings, param, given, repo, links } = call
  const sha = param('sha')
  if (!repo.commits.has(sha) && !repo.checks.has(sha))
    throw new ApiError(422, `No commit found for SHA: ${sha}`)
  const state = STATES.find((known) => known === given.state)
  const { context, description, target_url: target } = given
  const name = typeof context === 'string' ? context : 'default'
  const refuse = (field: string, message: string): never => {
    const errors = [{ resource: 'Status', code: 'custom', field, message }]
    throw new ApiError(422, 'Validation Failed', { errors })
  }
  if (state === undefined) return refuse('state', 'state is not included in the list')
  if ([...name].length > MAX_CONTEXT)
    return refuse('context', `context is too long (maximum is ${MAX_CONTEXT} characters)`)
  if (typeof description === 'string' && [...description].length > MAX_DESCRIPTION)
    return refuse('description', `description is too long (maximum is ${MAX_DESCRIPTION} characters)`)
  if (typeof target === 'string' && !/^https?:/.test(target))
    return refuse('target_url', 'target_url must use http(s) scheme')
  const isSame = (status: { readonly context: string }) => status.context.toLowerCase() === name.toLowerCase()
  if (github.statuses(sha, repo.name).filter(isSame).length >= MOST_STATUSES)
    return refuse('base', 'This SHA and context has reached the maximum number of statuses.')
  const status: Check = {
    ...{ name, kind: 'status', creator: settings.tokenLogin },
    ...(state === 'pending' ? { takesMs: Number.POSITIVE_INFINITY } : { conclusion: state }),
    ...(typeof description === 'string' && { summary: description }),
    ...(typeof target === 'string' && { detailsUrl: target }),
  }
  github.addChecks(sha, [status], repo.name)
  const added = repo.checks.get(sha)?.at(-1)
  const location = `${links.api}/repos/${repo.name}/statuses/${sha}`
  return json(201, added && statusJson(call, added, settings.now()), { location })
}

function checksOf({ param, repo }: Call): readonly StartedCheck[] {
  const sha = shaOf(repo, param('ref'))
  if (sha === undefined) throw new ApiError(422, `No commit found for SHA: ${param('ref')}`)
  return repo.checks.get(sha) ?? []
}

/** Check runs with their annotations, their suites, and commit statuses. */
export const COMMITS: readonly RepoRoute[] = [
  ['GET', '/commits/:ref/check-runs', ['checks'], checkRuns],
  ['GET', '/commits/:ref/check-suites', ['checks'], checkSuites],
  ['GET', '/actions/runs', ['actions'], workflowRuns],
  ['GET', '/check-runs/:id/annotations', ['checks'], annotations],
  ['GET', '/commits/:ref/status', ['statuses'], combinedStatus],
  ['POST', '/statuses/:sha', ['statuses'], createStatus],
]
