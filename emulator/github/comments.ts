import { type EmulatedRequest, empty, isRecord, json } from '../http.ts'
import { type Route, route } from '../router.ts'
import { type Api, type RepoHandler, type Scope, within } from './api.ts'
import { ApiError, invalid, notFound } from './errors.ts'
import { withBody } from './media.ts'
import { type Comment, type CommentKind, type Repository, type ReviewComment, userOf } from './model.ts'
import { paged } from './paging.ts'
import { reviewCommentJson } from './pull-shapes.ts'
import { issueCommentJson } from './shapes.ts'

/** Longest comment, in characters; GitHub answers 422 beyond it. */
const MAX_BODY = 65_536

/** Comments of issues and pull requests; review comments can be read, edited and deleted. */
export function commentRoutes(api: Api): Route[] {
  const { github, settings, links } = api
  const anywhere: readonly Scope[] = ['issues', 'pull_requests']

  const show = (request: EmulatedRequest, repo: Repository, comment: Comment | ReviewComment) => {
    const association = github.access.association(comment.user.login)
    const shown =
      'review' in comment
        ? reviewCommentJson(repo, comment, association, links())
        : issueCommentJson(repo, comment, association, links())
    return withBody(api, request, repo, shown)
  }

  const list =
    (kind: CommentKind): RepoHandler =>
    ({ request, params, repo }) => {
      const number = Number(params('number'))
      if (!(kind === 'issue' ? repo.issues : repo.pulls).has(number)) throw notFound()
      const all: Iterable<Comment> = repo.comments[kind].values()
      const found = [...all].filter((comment) => comment.issue === number)
      return page(request, repo, found)
    }

  const listAll: RepoHandler = ({ request, repo }) =>
    page(request, repo, sorted([...repo.comments.issue.values()], request))

  function page(request: EmulatedRequest, repo: Repository, comments: readonly Comment[]) {
    const since = request.query.get('since')
    const found = comments.filter((comment) => isSince(comment, since))
    return paged(request, found, links().api, (comment) => show(request, repo, comment))
  }

  const create: RepoHandler = ({ request, params, repo }) => {
    const issue = repo.issues.get(Number(params('number')))
    if (!issue) throw notFound()
    if (issue.locked) throw new ApiError(403, 'Unable to create comment because issue is locked.')
    const user = userOf(settings.tokenLogin)
    const comment = github.addComment(issue.number, { ...user, body: bodyOf(request), repo: repo.name })
    const shown = show(request, repo, comment)
    return json(201, shown, { location: shown.url })
  }

  const one = (kind: CommentKind): Route[] => {
    const scopes: readonly Scope[] = kind === 'issue' ? anywhere : ['pull_requests']
    const path = `/repos/:owner/:repo/${kind === 'issue' ? 'issues' : 'pulls'}/comments/:id`
    const find = (repo: Repository, id: string): Comment => {
      const comment = repo.comments[kind].get(Number(id))
      if (!comment) throw notFound()
      return comment
    }
    const read: RepoHandler = ({ request, params, repo }) =>
      json(200, show(request, repo, find(repo, params('id'))))
    const edit: RepoHandler = ({ request, params, repo }) => {
      const comment = find(repo, params('id'))
      github.editComment(comment.id, bodyOf(request), kind, repo.name)
      return json(200, show(request, repo, comment))
    }
    const remove: RepoHandler = ({ params, repo }) => {
      github.deleteComment(find(repo, params('id')).id, kind, repo.name)
      return empty(204)
    }
    return [
      route('GET', path, within(api, 'read', scopes, read)),
      route('PATCH', path, within(api, 'write', scopes, edit)),
      route('DELETE', path, within(api, 'write', scopes, remove)),
    ]
  }

  const thread = '/repos/:owner/:repo/issues/:number/comments'
  return [
    route('GET', thread, within(api, 'read', anywhere, list('issue'))),
    route('POST', thread, within(api, 'write', anywhere, create)),
    route('GET', '/repos/:owner/:repo/issues/comments', within(api, 'read', anywhere, listAll)),
    route(
      'GET',
      '/repos/:owner/:repo/pulls/:number/comments',
      within(api, 'read', ['pull_requests'], list('review')),
    ),
    ...one('issue'),
    ...one('review'),
  ]
}

function bodyOf(request: EmulatedRequest): string {
  const body = isRecord(request.body) ? request.body.body : undefined
  if (typeof body !== 'string' || body.trim() === '')
    throw invalid('IssueComment', 'body', "Body can't be blank")
  if ([...body].length > MAX_BODY) {
    throw invalid('IssueComment', 'data', `Body is too long (maximum is ${MAX_BODY} characters)`)
  }
  return body
}

const isSince = (comment: Comment, since: string | null) =>
  since === null || Date.parse(comment.updatedAt) >= Date.parse(since)

/** Without `sort` by ascending id, and then `direction` counts for nothing, as on GitHub. */
function sorted(comments: Comment[], { query }: EmulatedRequest): Comment[] {
  const sort = query.get('sort')
  if (sort !== 'created' && sort !== 'updated') return comments
  const key = (comment: Comment) => (sort === 'created' ? comment.createdAt : comment.updatedAt)
  const ascending = comments.toSorted((a, b) => key(a).localeCompare(key(b)) || a.id - b.id)
  return query.get('direction') === 'asc' ? ascending : ascending.reverse()
}
