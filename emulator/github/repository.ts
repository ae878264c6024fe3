import { json } from '../http.ts'
import { type Route, route } from '../router.ts'
import { type Api, isCovered, type RepoHandler, within } from './api.ts'
import { forbidden, notFound } from './errors.ts'
import { userOf } from './model.ts'
import { pageOf } from './paging.ts'
import { commitJson, fileJson, repositoryJson } from './repository-shapes.ts'
import { type Schemas, userJson } from './shapes.ts'

/** GitHub lists at most so many files of a comparison, all on its first page. */
const MAX_COMPARED_FILES = 300
const COMPARED_COMMITS = { usual: 250, most: 250 }

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
    const user = { ...userJson(userOf(login), links()), role_name }
    const body: Schemas['repository-collaborator-permission'] = { permission: level, role_name, user }
    return json(200, body)
  }

  const compare: RepoHandler = ({ request, params, repo }) => {
    const range = params('range')
    const found = repo.comparisons.get(range)
    if (!found) throw notFound()
    const [base = '', head = ''] = range.split('...')
    const { commits } = found
    const now = github.time()
    const parentsOf = (index: number) => [commits[index - 1]?.sha ?? base]
    const all = commits.map((commit, index) => ({ commit, parents: commit.parents ?? parentsOf(index) }))
    const { items, page, headers } = pageOf(request, all, links().api, COMPARED_COMMITS)
    const web = `${links().web}/${repo.name}/compare/${range}`
    const from = commitJson(repo, { sha: base, message: 'Before' }, [], now, links())
    const body: Schemas['commit-comparison'] = {
      url: `${links().api}/repos/${repo.name}/compare/${range}`,
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
      commits: items.map(({ commit, parents }) => commitJson(repo, commit, parents, now, links())),
      files:
        page === 1
          ? found.files.slice(0, MAX_COMPARED_FILES).map((file) => fileJson(repo, head, file, links()))
          : [],
    }
    return json(200, body, headers)
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
