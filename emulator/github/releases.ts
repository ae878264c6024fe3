import { json } from '../http.ts'
import { type Route, route } from '../router.ts'
import { type Api, type RepoHandler, within } from './api.ts'
import { notFound } from './errors.ts'
import { withBody } from './media.ts'
import type { Release } from './model.ts'
import { releaseJson } from './shapes.ts'

/** Releases by id and by tag. GitHub shows drafts by their id only. */
export function releaseRoutes(api: Api): Route[] {
  const find =
    (pick: (release: Release, key: string) => boolean): RepoHandler =>
    ({ request, params, repo }) => {
      const found = [...repo.releases.values()].find((release) => pick(release, params('key')))
      if (!found) throw notFound()
      return json(200, withBody(api, request, repo, releaseJson(repo, found, api.links())))
    }

  const read = (path: string, handler: RepoHandler) =>
    route('GET', `/repos/:owner/:repo/releases/${path}`, within(api, 'read', ['contents'], handler))
  return [
    read(
      'tags/:key',
      find((release, key) => release.tag === key && !release.draft),
    ),
    read(
      ':key',
      find((release, key) => String(release.id) === key),
    ),
  ]
}
