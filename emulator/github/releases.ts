import { json } from '../http.ts'
import { type Route, route } from '../router.ts'
import { type Api, type RepoHandler, within } from './api.ts'
import { notFound } from './errors.ts'
import { withBody } from './media.ts'
import type { Release, Repository } from './model.ts'
import { type Links, type Schemas, userJson } from './shapes.ts'

/** Releases by their id. */
export function releaseRoutes(api: Api): Route[] {
  const one: RepoHandler = ({ request, params, repo }) => {
    const found = repo.releases.get(Number(params('id')))
    if (!found) throw notFound()
    return json(200, withBody(api, request, repo, releaseJson(repo, found, api.links())))
  }
  return [route('GET', '/repos/:owner/:repo/releases/:id', within(api, 'read', ['contents'], one))]
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
