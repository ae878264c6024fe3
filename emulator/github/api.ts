import { createHash } from 'node:crypto'
import { type EmulatedRequest, type EmulatedResponse, isRecord, json } from '../http.ts'
import type { AccessLevel, Settings, TokenPermissions } from '../options.ts'
import { dispatch, type Params, type Route, route } from '../router.ts'
import { ApiError, badCredentials, forbidden, issueDeleted, notFound } from './errors.ts'
import type { GitHub } from './github.ts'
import type { Repository } from './model.ts'
import type { RateLimits } from './rate-limits.ts'
import type { Links } from './samples.ts'

/** What every part of the emulated API works with. */
export interface Api {
  readonly github: GitHub
  readonly settings: Settings
  readonly links: Links
  readonly limits: RateLimits
}

/** A request about a repository. */
export interface Call extends Api {
  readonly request: EmulatedRequest
  readonly param: Params
  /** The fields of the request's JSON. */
  readonly given: Readonly<Record<string, unknown>>
  readonly repo: Repository
}

export type Scope = keyof TokenPermissions
export type RepoHandler = (call: Call) => EmulatedResponse

/** A path below `/repos/{owner}/{repo}`, and the permissions of which its token needs one. */
export type RepoRoute = readonly [
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  scopes: readonly Scope[],
  handler: RepoHandler,
]

const RANK: Readonly<Record<AccessLevel, number>> = { none: 0, read: 1, write: 2 }

/** A route behind the token's reach: its own repository, another public one to read, and its permissions. */
export const repoRoute = (api: Api, [method, path, scopes, handler]: RepoRoute): Route =>
  route(method, `/repos/:owner/:repo${path}`, (request, param) => {
    const { settings, github } = api
    const level = method === 'GET' ? 'read' : 'write'
    const name = `${param('owner')}/${param('repo')}`
    const repo = github.repository(name)
    if (!repo) throw notFound()
    const covered = isCovered(api, repo)
    if (!covered && repo.isPrivate) throw notFound()
    if (!covered && level === 'write') throw forbidden()
    const enough = (scope: Scope) => RANK[settings.permissions[scope] ?? 'none'] >= RANK[level]
    if (covered && scopes.length > 0 && !scopes.some(enough)) throw forbidden()
    const gone = path.startsWith('/issues/:number') ? repo.gone.get(Number(param('number'))) : undefined
    if (gone && 'status' in gone) throw gone.status === 404 ? notFound() : issueDeleted()
    if (gone)
      return redirect(api, request, [gone.to, 'issues', gone.number, ...request.path.split('/').slice(6)])
    const given = isRecord(request.body) ? request.body : {}
    return handler({ ...api, request, param, given, repo })
  })

/** Whether the token's permissions hold on a repository, not only what everyone may read. */
export function isCovered({ settings, github }: Pick<Api, 'settings' | 'github'>, repo: Repository): boolean {
  const is = (name: string) => github.repository(name) === repo
  return is(settings.repository) || (settings.tokenCoversDocs && is(settings.docsRepository))
}

/** @param path below `/repositories` */
function redirect(
  { links }: Api,
  { query }: EmulatedRequest,
  path: readonly (string | number)[],
): EmulatedResponse {
  const url = `${links.api}/repositories/${path.join('/')}${query.size > 0 ? `?${query}` : ''}`
  return json(301, { message: 'Moved Permanently', url }, { location: url })
}

/** Paths under `/repositories/{id}` as those under `/repos/{owner}/{repo}`. */
function byName({ github }: Api, request: EmulatedRequest): EmulatedRequest {
  const id = /^\/repositories\/(\d+)(?=\/|$)/.exec(request.path)
  const repo = id ? github.repositoryById(Number(id[1])) : undefined
  return id && repo ? { ...request, path: `/repos/${repo.name}${request.path.slice(id[0].length)}` } : request
}

/** Credentials, routing, errors and the rate-limit headers of every answer. */
export function respond(api: Api, routes: readonly Route[], request: EmulatedRequest): EmulatedResponse {
  const response = tagged(request, attempt())
  if (response.status === 304) api.limits.forgive()
  return { ...response, headers: { ...api.limits.headers(), ...response.headers } }

  function attempt(): EmulatedResponse {
    try {
      const given = /^(?:bearer|token) (.*)$/i.exec(request.headers.authorization ?? '')?.[1]
      if (given !== api.settings.token) throw badCredentials()
      api.limits.take(request)
      return dispatch(routes, byName(api, request)) ?? notFound().response
    } catch (error) {
      if (error instanceof ApiError) return error.response
      return json(500, { message: error instanceof Error ? error.message : 'Server Error' })
    }
  }
}

/** What is read has an ETag. It is weak: `If-None-Match` with it means 304 (RFC 9110, 13.1.2). */
function tagged({ method, headers }: EmulatedRequest, response: EmulatedResponse): EmulatedResponse {
  if (method !== 'GET' || response.status !== 200) return response
  const etag = `W/"${createHash('sha256').update(response.body).digest('hex')}"`
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  const isKnown = known.includes(etag.slice('W/'.length))
  return isKnown
    ? { status: 304, headers: { etag }, body: '' }
    : { ...response, headers: { ...response.headers, etag } }
}
