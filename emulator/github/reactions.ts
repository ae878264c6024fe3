import { empty, isRecord, json } from '../http.ts'
import { type Route, route } from '../router.ts'
import { type Api, type RepoHandler, type Scope, within } from './api.ts'
import { invalid, notFound } from './errors.ts'
import { type CommentKind, REACTIONS, type Repository, userOf } from './model.ts'
import { paged } from './paging.ts'
import { reactionJson } from './shapes.ts'

/** Reactions on issue comments and on review comments, each under paths of its own. */
export const reactionRoutes = (api: Api): Route[] => [
  ...routesFor(api, 'issue', 'issues', ['issues', 'pull_requests']),
  ...routesFor(api, 'review', 'pulls', ['pull_requests']),
]

function routesFor(api: Api, kind: CommentKind, segment: string, scopes: readonly Scope[]): Route[] {
  const { github, settings, links } = api
  const path = `/repos/:owner/:repo/${segment}/comments/:id/reactions`

  const commentId = (repo: Repository, id: string): number => {
    if (!repo.comments[kind].has(Number(id))) throw notFound()
    return Number(id)
  }

  const add: RepoHandler = ({ request, params, repo }) => {
    const wanted = isRecord(request.body) ? request.body.content : undefined
    const content = REACTIONS.find((known) => known === wanted)
    const id = commentId(repo, params('id'))
    if (!content) throw invalid('Reaction', 'content', `content is not one of ${REACTIONS.join(', ')}`)
    const { reaction, isNew } = github.react(repo, kind, id, content, userOf(settings.tokenLogin))
    return json(isNew ? 201 : 200, reactionJson(reaction, links()))
  }

  const list: RepoHandler = ({ request, params, repo }) => {
    const content = request.query.get('content')
    const given = github.reactions(kind, commentId(repo, params('id')), repo.name)
    const shown = given.filter((reaction) => content === null || reaction.content === content)
    return paged(request, shown, links().api, (reaction) => reactionJson(reaction, links()))
  }

  const remove: RepoHandler = ({ params, repo }) => {
    const id = commentId(repo, params('id'))
    const given = repo.reactions[kind].get(id) ?? []
    const kept = given.filter((reaction) => reaction.id !== Number(params('reaction')))
    if (kept.length === given.length) throw notFound()
    repo.reactions[kind].set(id, kept)
    return empty(204)
  }

  return [
    route('POST', path, within(api, 'write', scopes, add)),
    route('GET', path, within(api, 'read', scopes, list)),
    route('DELETE', `${path}/:reaction`, within(api, 'write', scopes, remove)),
  ]
}
