import { type EmulatedRequest, json } from '../http.ts'
import { type Route, route } from '../router.ts'
import { type Api, type RepoHandler, within } from './api.ts'
import {
  annotationJson,
  checkRunJson,
  combinedStatusJson,
  statusesOf,
  statusJson,
  suiteOf,
} from './check-shapes.ts'
import type { StartedCheck } from './checks.ts'
import { ApiError, notFound } from './errors.ts'
import type { Repository } from './model.ts'
import { paged, pageOf } from './paging.ts'

/** Check runs with their annotations, and commit statuses. */
export function checkRoutes(api: Api): Route[] {
  const { settings, links } = api

  const visible = (repo: Repository, ref: string, kind: 'run' | 'status') => {
    const sha = shaOf(repo, ref)
    const all = repo.checks.get(sha) ?? []
    const now = settings.now()
    const checks = all.filter((check) => (check.kind ?? 'run') === kind && check.appearsAt <= now)
    return { sha, now, checks }
  }

  const runs: RepoHandler = ({ request, params, repo }) => {
    const { now, checks } = visible(repo, params('ref'), 'run')
    const { query } = request
    const shown = (query.get('filter') === 'all' ? checks : latest(checks))
      .map((check) => checkRunJson(repo, check, now, links()))
      .filter((run) => fits(query, { check_name: run.name, status: run.status, app_id: String(run.app?.id) }))
      .reverse()
    const { items, headers } = pageOf(request, shown, links().api)
    return json(200, { total_count: shown.length, check_runs: items }, headers)
  }

  const find = (repo: Repository, id: string): StartedCheck => {
    const found = [...repo.checks.values()].flat().find((check) => check.id === Number(id))
    if (!found || (found.kind ?? 'run') !== 'run' || found.appearsAt > settings.now()) throw notFound()
    return found
  }

  const run: RepoHandler = ({ params, repo }) =>
    json(200, checkRunJson(repo, find(repo, params('id')), settings.now(), links()))

  const annotations: RepoHandler = ({ request, params, repo }) => {
    const check = find(repo, params('id'))
    const made = settings.now() < check.endsAt ? [] : (check.annotations ?? [])
    return paged(request, made, links().api, (annotation) => annotationJson(repo, check, annotation, links()))
  }

  const statuses: RepoHandler = ({ request, params, repo }) => {
    const { now, checks } = visible(repo, params('ref'), 'status')
    const set = checks.toReversed().flatMap((check) => statusesOf(check, now))
    return paged(request, set, links().api, (status) => statusJson(repo, status, links()))
  }

  const combined: RepoHandler = ({ request, params, repo }) => {
    const { sha, now, checks } = visible(repo, params('ref'), 'status')
    const newest = latest(checks).flatMap((check) => statusesOf(check, now).slice(0, 1))
    const { items, headers } = pageOf(request, newest, links().api)
    return json(200, combinedStatusJson(repo, sha, newest, items, links()), headers)
  }

  const at = '/repos/:owner/:repo'
  return [
    route('GET', `${at}/commits/:ref/check-runs`, within(api, 'read', ['checks'], runs)),
    route('GET', `${at}/check-runs/:id`, within(api, 'read', ['checks'], run)),
    route('GET', `${at}/check-runs/:id/annotations`, within(api, 'read', ['checks'], annotations)),
    route('GET', `${at}/commits/:ref/status`, within(api, 'read', ['statuses'], combined)),
    route('GET', `${at}/commits/:ref/statuses`, within(api, 'read', ['statuses'], statuses)),
  ]
}

/** Of the checks of one name in one suite, or of one context, the last. */
function latest(checks: readonly StartedCheck[]): StartedCheck[] {
  const byName = new Map(checks.map((check) => [`${suiteOf(check)} ${check.name}`, check]))
  return [...byName.values()]
}

function fits(query: EmulatedRequest['query'], values: Readonly<Record<string, string>>): boolean {
  return Object.entries(values).every(([name, value]) => !query.has(name) || query.get(name) === value)
}

/** A commit by its SHA, or by the branch whose head it is. */
function shaOf(repo: Repository, ref: string): string {
  if (/^[0-9a-f]{40}$/.test(ref)) return ref
  const name = ref.replace(/^heads\//, '')
  const pull = [...repo.pulls.values()].findLast(({ head }) => head.ref === name)
  if (!pull) throw new ApiError(422, `No commit found for SHA: ${ref}`)
  return pull.head.sha
}
