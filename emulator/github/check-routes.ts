import { json } from '../http.ts'
import { type Route, route } from '../router.ts'
import { type Api, type RepoHandler, within } from './api.ts'
import { annotationJson, checkRunJson, statusesOf, statusJson, suiteOf } from './check-shapes.ts'
import type { StartedCheck } from './checks.ts'
import { ApiError, notFound } from './errors.ts'
import type { Repository } from './model.ts'
import { paged, pageOf } from './paging.ts'

/** Check runs with their annotations, and commit statuses. */
export function checkRoutes(api: Api): Route[] {
  const { settings, links } = api

  const visible = (repo: Repository, ref: string, kind: 'run' | 'status') => {
    const all = repo.checks.get(shaOf(repo, ref)) ?? []
    return all.filter((check) => (check.kind ?? 'run') === kind && check.appearsAt <= settings.now())
  }

  const runs: RepoHandler = ({ request, params, repo }) => {
    const shown = latest(visible(repo, params('ref'), 'run'))
      .map((check) => checkRunJson(repo, check, settings.now(), links()))
      .reverse()
    const { items, headers } = pageOf(request, shown, links().api)
    return json(200, { total_count: shown.length, check_runs: items }, headers)
  }

  const annotations: RepoHandler = ({ request, params, repo }) => {
    const now = settings.now()
    const check = [...repo.checks.values()].flat().find(({ id }) => id === Number(params('id')))
    if (!check || check.kind === 'status' || check.appearsAt > now) throw notFound()
    const made = now < check.endsAt ? [] : (check.annotations ?? [])
    return paged(request, made, links().api, (annotation) => annotationJson(repo, check, annotation, links()))
  }

  const statuses: RepoHandler = ({ request, params, repo }) => {
    const set = visible(repo, params('ref'), 'status')
      .toReversed()
      .flatMap((check) => statusesOf(check, settings.now()))
    return paged(request, set, links().api, (status) => statusJson(repo, status, links()))
  }

  const at = '/repos/:owner/:repo'
  return [
    route('GET', `${at}/commits/:ref/check-runs`, within(api, 'read', ['checks'], runs)),
    route('GET', `${at}/check-runs/:id/annotations`, within(api, 'read', ['checks'], annotations)),
    route('GET', `${at}/commits/:ref/statuses`, within(api, 'read', ['statuses'], statuses)),
  ]
}

/** Of the checks of one name in one suite, the last. */
function latest(checks: readonly StartedCheck[]): StartedCheck[] {
  const byName = new Map(checks.map((check) => [`${suiteOf(check)} ${check.name}`, check]))
  return [...byName.values()]
}

/** A commit by its SHA, or by the branch whose head it is. */
function shaOf(repo: Repository, ref: string): string {
  if (/^[0-9a-f]{40}$/.test(ref)) return ref
  const pull = [...repo.pulls.values()].findLast(({ head }) => head.ref === ref)
  if (!pull) throw new ApiError(422, `No commit found for SHA: ${ref}`)
  return pull.head.sha
}
