import { json } from '../http.ts'
import { type Route, route } from '../router.ts'
import { type Api, isCovered, type RepoHandler, within } from './api.ts'
import { forbidden, notFound } from './errors.ts'
import { userOf } from './model.ts'
import { paged } from './paging.ts'
import { fileJson } from './pull-shapes.ts'
import { repositoryJson, userJson } from './shapes.ts'

/** GitHub lists at most so many files of a comparison, all on its first page. */
const MAX_COMPARED_FILES = 300
/** And so many commits where no page is asked for. */
const MAX_COMPARED_COMMITS = '250'

/** The repository itself, people's permission, comparisons, and the token's own account. */
export function repositoryRoutes(api: Api): Route[] {
  const { github, links, settings } = api

  const repository: RepoHandler = ({ repo }) => {
    const push = isCovered(api, repo) && settings.permissions.contents === 'write'
    const permissions = { admin: false, maintain: false, push, triage: push, pull: true }
    return json(200, { ...repositoryJson(repo, links()), permissions })
  }

  const permission: RepoHandler = ({ params }) => {
    const login = params('login')
    const { permission: level, role_name } = github.access.of(login)
    return json(200, { permission: level, role_name, user: userJson(userOf(login), links()) })
  }

  const compare: RepoHandler = ({ request, params, repo }) => {
    const range = params('range')
    const found = repo.comparisons.get(range)
    if (!found) throw notFound()
    const isPaged = request.query.has('page') || request.query.has('per_page')
    const page = paged(
      isPaged ? request : { ...request, query: new URLSearchParams({ per_page: MAX_COMPARED_COMMITS }) },
      found.commits,
      links().api,
      ({ sha, message, login }) => ({
        sha,
        html_url: `${links().web}/${repo.name}/commit/${sha}`,
        commit: { message, author: { name: login ?? 'someone' } },
        author: login === undefined ? null : userJson(userOf(login), links()),
      }),
      Number(MAX_COMPARED_COMMITS),
    )
    const isFirst = (request.query.get('page') ?? '1') === '1'
    const body = {
      url: `${links().api}/repos/${repo.name}/compare/${range}`,
      html_url: `${links().web}/${repo.name}/compare/${range}`,
      status: 'ahead',
      ahead_by: found.commits.length,
      behind_by: 0,
      total_commits: found.commits.length,
      commits: JSON.parse(page.body) as unknown,
      files: isFirst ? found.files.slice(0, MAX_COMPARED_FILES).map(fileJson) : [],
    }
    const { link } = page.headers
    return json(200, body, isPaged && link !== undefined ? { link } : {})
  }

  const at = '/repos/:owner/:repo'
  return [
    route('GET', at, within(api, 'read', [], repository)),
    route('GET', `${at}/collaborators/:login/permission`, within(api, 'read', [], permission)),
    route('GET', `${at}/compare/:range`, within(api, 'read', ['contents'], compare)),
    // The token of a workflow or an app stands for no user.
    route('GET', '/user', () => {
      const user = userOf(settings.tokenLogin)
      if (user.type === 'Bot') throw forbidden()
      return json(200, userJson(user, links()))
    }),
  ]
}
