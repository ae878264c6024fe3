import { empty } from '../http.ts'
import type { Call, RepoHandler, RepoRoute, Scope } from './api.ts'
import { ApiError, invalid, notFound } from './errors.ts'
import { reply, replyAll } from './media.ts'
import { type Comment, type CommentKind, REACTIONS, type ReviewComment, userOf } from './model.ts'
import { commentOfReviewJson } from './pull-shapes.ts'
import { issueCommentJson, reactionJson } from './shapes.ts'
import { commentJson } from './shown.ts'

/** Longest comment, in characters; GitHub answers 422 beyond it. */
const MAX_BODY = 65_536

const show = (call: Call) => (comment: Comment | ReviewComment) => commentJson(call, comment)

const list =
  (kind: CommentKind): RepoHandler =>
  (call) => {
    const { repo, param } = call
    const number = Number(param('number'))
    if (!(kind === 'issue' ? repo.issues : repo.pulls).has(number)) throw notFound()
    const all: Iterable<Comment> = repo.comments[kind].values()
    const ofThread = [...all].filter((comment) => comment.issue === number)
    return page(call, kind === 'issue' ? ofThread : sorted(ofThread, call))
  }

/** Those of one review, in which GitHub tells no lines. */
const listOfReview: RepoHandler = (call) => {
  const { repo, param } = call
  const review = Number(param('id'))
  if (repo.reviews.get(review)?.pull !== Number(param('number'))) throw notFound()
  const all = [...repo.comments.review.values()].filter((comment) => comment.review === review)
  return replyAll(call, all, (comment) => commentOfReviewJson(call, comment))
}

const listAll: RepoHandler = (call) => page(call, sorted([...call.repo.comments.issue.values()], call))

function page(call: Call, comments: readonly Comment[]) {
  const since = Date.parse(call.request.query.get('since') ?? '')
  const isDue = ({ updatedAt }: Comment) => Number.isNaN(since) || Date.parse(updatedAt) >= since
  return replyAll(call, comments.filter(isDue), show(call))
}

/** Without `sort` by ascending id, and then `direction` counts for nothing, as on GitHub. */
function sorted(comments: Comment[], { request: { query } }: Call): Comment[] {
  const sort = query.get('sort')
  if (sort !== 'updated' && sort !== 'created') return comments
  const ascending = comments.toSorted(
    (a, b) => (sort === 'updated' ? a.updatedAt.localeCompare(b.updatedAt) : 0) || a.id - b.id,
  )
  return query.get('direction') === 'asc' ? ascending : ascending.reverse()
}

const create: RepoHandler = (call) => {
  const { github, settings, repo, param } = call
  const issue = repo.issues.get(Number(param('number')))
  if (!issue) throw notFound()
  if (issue.locked) throw new ApiError(403, 'Unable to create comment because issue is locked.')
  const user = userOf(settings.tokenLogin)
  const comment = github.addComment(issue.number, { ...user, body: bodyOf(call), repo: repo.name })
  const shown = issueCommentJson(call, comment)
  return reply(call, shown, 201, { location: shown.url })
}

function bodyOf({ given: { body } }: Call): string {
  if (typeof body !== 'string' || body.trim() === '')
    throw invalid('IssueComment', 'body', "Body can't be blank")
  if ([...body].length > MAX_BODY) {
    throw invalid('IssueComment', 'data', `Body is too long (maximum is ${MAX_BODY} characters)`)
  }
  return body
}

const byId =
  (kind: CommentKind) =>
  ({ repo, param }: Call): Comment => {
    const comment = repo.comments[kind].get(Number(param('id')))
    if (!comment) throw notFound()
    return comment
  }

const read =
  (kind: CommentKind): RepoHandler =>
  (call) =>
    reply(call, show(call)(byId(kind)(call)))

const edit: RepoHandler = (call) => {
  const comment = byId('issue')(call)
  call.github.editComment(comment.id, bodyOf(call), call.repo.name)
  return reply(call, show(call)(comment))
}

const remove: RepoHandler = (call) => {
  call.github.deleteComment(byId('issue')(call).id, call.repo.name)
  return empty(204)
}

/** The reactions on a comment. */
function reactionsOn(kind: CommentKind, path: string, scopes: readonly Scope[]): RepoRoute[] {
  const find = byId(kind)
  const react: RepoHandler = (call) => {
    const { github, settings, given } = call
    const content = REACTIONS.find((known) => known === given.content)
    const comment = find(call)
    if (!content) throw invalid('Reaction', 'content', `content is not one of ${REACTIONS.join(', ')}`)
    const { reaction, isNew } = github.react(comment, content, userOf(settings.tokenLogin))
    return reply(call, reactionJson(call, reaction), isNew ? 201 : 200)
  }
  const reactions: RepoHandler = (call) =>
    replyAll(call, find(call).reactions, (reaction) => reactionJson(call, reaction))
  const takeBack: RepoHandler = (call) => {
    const comment = find(call)
    const kept = comment.reactions.filter(({ id }) => id !== Number(call.param('reaction')))
    if (kept.length === comment.reactions.length) throw notFound()
    comment.reactions = kept
    return empty(204)
  }

  return [
    ['POST', path, scopes, react],
    ['GET', path, scopes, reactions],
    ['DELETE', `${path}/:reaction`, scopes, takeBack],
  ]
}

const EITHER = ['issues', 'pull_requests'] as const

/** Comments of issues and pull requests, and on lines of a diff. */
export const COMMENTS: readonly RepoRoute[] = [
  ['GET', '/issues/:number/comments', EITHER, list('issue')],
  ['POST', '/issues/:number/comments', EITHER, create],
  ['GET', '/issues/comments', EITHER, listAll],
  ['GET', '/issues/comments/:id', EITHER, read('issue')],
  ['PATCH', '/issues/comments/:id', EITHER, edit],
  ['DELETE', '/issues/comments/:id', EITHER, remove],
  ['GET', '/pulls/:number/comments', ['pull_requests'], list('review')],
  ['GET', '/pulls/comments/:id', ['pull_requests'], read('review')],
  ['GET', '/pulls/:number/reviews/:id/comments', ['pull_requests'], listOfReview],
  ...reactionsOn('issue', '/issues/comments/:id/reactions', EITHER),
  ...reactionsOn('review', '/pulls/comments/:id/reactions', ['pull_requests']),
]
