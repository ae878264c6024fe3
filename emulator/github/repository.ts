import { empty, json } from '../http.ts'
import { type Route, route } from '../router.ts'
import { type Api, isCovered, type RepoHandler, type RepoRoute } from './api.ts'
import { forbidden, notFound } from './errors.ts'
import { reply } from './media.ts'
import { userOf } from './model.ts'
import { repositoryJson } from './repository-shapes.ts'
import type { Schemas } from './samples.ts'
import { releaseJson, userJson } from './shapes.ts'

const repository: RepoHandler = ({ links, repo }) => json(200, repositoryJson(repo, links))

const permission: RepoHandler = ({ github, links, param }) => {
  const login = param('login')
  const { permission: level, role_name } = github.access.of(login)
  const user = { ...userJson(userOf(login), links), role_name }
  const body: Schemas['repository-collaborator-permission'] = { permission: level, role_name, user }
  return json(200, body)
}

const release: RepoHandler = (call) => {
  const found = call.repo.releases.get(Number(call.param('id')))
  if (!found) throw notFound()
  return reply(call, releaseJson(call, found))
}

/** Starts workflows, which the emulator does not run. */
const dispatch: RepoHandler = ({ given }) =>
  typeof given.event_type === 'string' ? empty(204) : json(422, { message: 'Invalid request.' })

/** The repository itself, people's permission, releases by their ids, and events of a program. */
export const REPOSITORY: readonly RepoRoute[] = [
  ['GET', '', [], repository],
  ['GET', '/collaborators/:login/permission', [], permission],
  ['GET', '/releases/:id', ['contents'], release],
  ['POST', '/dispatches', ['contents'], dispatch],
]

/** The token's own account. The token of a workflow or an app stands for no user. */
export const account = (api: Api): Route =>
  route('GET', '/user', () => {
    const user = userOf(api.settings.tokenLogin)
    if (user.type === 'Bot') throw forbidden()
    return json(200, userJson(user, api.links))
  })

/** What the token of a workflow or an App reaches, in the order of their names. */
export const installation = (api: Api): Route =>
  route('GET', '/installation/repositories', () => {
    const { settings, github, links } = api
    if (userOf(settings.tokenLogin).type !== 'Bot') throw forbidden()
    const names = [...new Set([settings.repository, settings.docsRepository])].toSorted()
    const repositories = names
      .map((name) => github.repo(name))
      .filter((repo) => isCovered(api, repo))
      .map((repo) => repositoryJson(repo, links))
    return json(200, { total_count: repositories.length, repository_selection: 'selected', repositories })
  })
