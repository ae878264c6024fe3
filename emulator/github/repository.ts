import { json } from '../http.ts'
import { type Route, route } from '../router.ts'
import { type Api, type RepoHandler, within } from './api.ts'
import { notFound } from './errors.ts'
import type { Issue, PullRequest, Repository } from './model.ts'
import { userOf } from './model.ts'
import { paged } from './paging.ts'
import { fileJson, issueJson, pullJson, userJson } from './shapes.ts'

/** GitHub lists at most so many files of a comparison. */
const MAX_COMPARED_FILES = 300

/** What the action reads about a repository: people's permission, issues, pull requests, comparisons. */
export function repositoryRoutes(api: Api): Route[] {
  const { github, links } = api

  const permission: RepoHandler = ({ params }) => {
    const login = params('login')
    const { permission: level, role_name } = github.access.of(login)
    return json(200, { permission: level, role_name, user: userJson(userOf(login), links()) })
  }

  const issue: RepoHandler = ({ params, repo }) => {
    const found = repo.issues.get(Number(params('number')))
    if (!found) throw notFound()
    return json(200, issueJson(repo, found, github.comments(found.number, repo.name).length, links()))
  }

  const pullOf = (repo: Repository, number: string): { pull: PullRequest; issue: Issue } => {
    const pull = repo.pulls.get(Number(number))
    const found = repo.issues.get(Number(number))
    if (!pull || !found) throw notFound()
    return { pull, issue: found }
  }

  const pull: RepoHandler = ({ params, repo }) => {
    const found = pullOf(repo, params('number'))
    return json(200, pullJson(repo, found.pull, found.issue, links()))
  }

  const files: RepoHandler = ({ request, params, repo }) =>
    paged(request, pullOf(repo, params('number')).pull.files.map(fileJson), links().api)

  const compare: RepoHandler = ({ params, repo }) => {
    const range = params('range')
    const found = repo.comparisons.get(range)
    if (!found) throw notFound()
    const commits = found.commits.map(({ sha, message, login }) => ({
      sha,
      html_url: `${links().web}/${repo.name}/commit/${sha}`,
      commit: { message, author: { name: login ?? 'someone' } },
      author: login === undefined ? null : userJson(userOf(login), links()),
    }))
    return json(200, {
      url: `${links().api}/repos/${repo.name}/compare/${range}`,
      html_url: `${links().web}/${repo.name}/compare/${range}`,
      status: 'ahead',
      ahead_by: commits.length,
      behind_by: 0,
      total_commits: commits.length,
      commits,
      files: found.files.slice(0, MAX_COMPARED_FILES).map(fileJson),
    })
  }

  const at = '/repos/:owner/:repo'
  return [
    route('GET', `${at}/collaborators/:login/permission`, within(api, 'read', [], permission)),
    route('GET', `${at}/issues/:number`, within(api, 'read', ['issues', 'pull_requests'], issue)),
    route('GET', `${at}/pulls/:number`, within(api, 'read', ['pull_requests'], pull)),
    route('GET', `${at}/pulls/:number/files`, within(api, 'read', ['pull_requests'], files)),
    route('GET', `${at}/compare/:range`, within(api, 'read', ['contents'], compare)),
  ]
}
