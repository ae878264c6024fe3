import { json } from '../http.ts'
import { type Route, route } from '../router.ts'
import { type Api, type RepoHandler, within } from './api.ts'
import { notFound } from './errors.ts'
import { withBody } from './media.ts'
import type { Release, Repository } from './model.ts'
import { type Links, type Schemas, userJson } from './shapes.ts'

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

function releaseJson(
  repo: Repository,
  release: Release,
  links: Links,
): Schemas['release'] & { readonly body: string } {
  const { id, tag, name, body, user, draft, prerelease, createdAt } = release
  const url = `${links.api}/repos/${repo.name}/releases/${id}`
  return {
    id,
    node_id: `RE_${id}`,
    url,
    html_url: `${links.web}/${repo.name}/releases/tag/${encodeURIComponent(tag)}`,
    assets_url: `${url}/assets`,
    upload_url: `${url}/assets{?name,label}`,
    tarball_url: `${links.api}/repos/${repo.name}/tarball/${encodeURIComponent(tag)}`,
    zipball_url: `${links.api}/repos/${repo.name}/zipball/${encodeURIComponent(tag)}`,
    tag_name: tag,
    target_commitish: repo.defaultBranch,
    name,
    body,
    draft,
    prerelease,
    author: userJson(user, links),
    created_at: createdAt,
    published_at: draft ? null : createdAt,
    assets: [],
  }
}
