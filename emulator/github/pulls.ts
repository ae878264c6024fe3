import { type EmulatedRequest, isRecord, json } from '../http.ts'
import { type Route, route } from '../router.ts'
import { type Api, type RepoHandler, within } from './api.ts'
import { ApiError, notFound } from './errors.ts'
import { withBody } from './media.ts'
import type { Issue, PullRequest, Repository, User } from './model.ts'
import { paged } from './paging.ts'
import { pullJson, pullListJson, reviewJson } from './pull-shapes.ts'
import { fileJson } from './repository-shapes.ts'

interface Pull {
  readonly pull: PullRequest
  readonly issue: Issue
}

/** GitHub lists at most so many files of a pull request. */
const MAX_FILES = 3000

/** Pull requests: lists, those of a commit, files, reviews, and who is asked for one. */
export function pullRoutes(api: Api): Route[] {
  const { github, links } = api
  const by = ({ user }: { readonly user: User }) => github.access.association(user.login)

  const all = (repo: Repository): Pull[] =>
    [...repo.pulls.values()].flatMap((pull) => {
      const issue = repo.issues.get(pull.number)
      return issue ? [{ pull, issue }] : []
    })

  const pullOf = (repo: Repository, number: string): Pull => {
    const pull = repo.pulls.get(Number(number))
    const issue = repo.issues.get(Number(number))
    if (!pull || !issue) throw notFound()
    return { pull, issue }
  }

  const one: RepoHandler = ({ request, params, repo }) => {
    const { pull, issue } = pullOf(repo, params('number'))
    return json(200, withBody(api, request, repo, pullJson(repo, pull, issue, by(issue), links())))
  }

  const list: RepoHandler = ({ request, repo }) =>
    paged(request, sorted(all(repo).filter(matches(request)), request), links().api, ({ pull, issue }) =>
      withBody(api, request, repo, pullListJson(repo, pull, issue, by(issue), links())),
    )

  const ofCommit: RepoHandler = ({ request, params, repo }) => {
    const sha = params('sha')
    if (!/^[0-9a-f]{4,64}$/i.test(sha)) throw new ApiError(422, `No commit found for SHA: ${sha}`)
    const known = repo.commitPulls.get(sha) ?? []
    const found = all(repo).filter(
      ({ pull }) =>
        known.includes(pull.number) || pull.head.sha === sha || (pull.merged && pull.mergeCommitSha === sha),
    )
    return paged(request, found, links().api, ({ pull, issue }) =>
      pullListJson(repo, pull, issue, by(issue), links()),
    )
  }

  const files: RepoHandler = ({ request, params, repo }) => {
    const { files: changed, head } = pullOf(repo, params('number')).pull
    return paged(request, changed.slice(0, MAX_FILES), links().api, (file) =>
      fileJson(repo, head.sha, file, links()),
    )
  }

  const review: RepoHandler = ({ request, params, repo }) => {
    const found = repo.reviews.get(Number(params('id')))
    if (!found || found.pull !== Number(params('number'))) throw notFound()
    return json(200, withBody(api, request, repo, reviewJson(repo, found, by(found), links())))
  }

  const askForReview: RepoHandler = ({ request, params, repo }) => {
    const { pull, issue } = pullOf(repo, params('number'))
    const reviewers = names(request.body, 'reviewers')
    const teams = names(request.body, 'team_reviewers')
    const author = issue.user.login.toLowerCase()
    if (reviewers.some((login) => login.toLowerCase() === author))
      throw new ApiError(422, 'Review cannot be requested from pull request author.')
    if (reviewers.some((login) => !github.access.isCollaborator(login)))
      throw new ApiError(
        422,
        `Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the ${repo.name} repository.`,
      )
    if (teams.some((slug) => !github.access.teams.has(slug)))
      throw new ApiError(422, 'Could not resolve to a node with the global id of the team.')
    pull.requestedReviewers = [...new Set([...pull.requestedReviewers, ...reviewers])]
    pull.requestedTeams = [...new Set([...pull.requestedTeams, ...teams])]
    issue.updatedAt = github.time()
    return json(201, pullListJson(repo, pull, issue, by(issue), links()))
  }

  const at = '/repos/:owner/:repo/pulls'
  const read = (path: string, handler: RepoHandler) =>
    route('GET', path, within(api, 'read', ['pull_requests'], handler))
  return [
    read(at, list),
    read(`${at}/:number`, one),
    read(`${at}/:number/files`, files),
    read(`${at}/:number/reviews/:id`, review),
    read('/repos/:owner/:repo/commits/:sha/pulls', ofCommit),
    route('POST', `${at}/:number/requested_reviewers`, within(api, 'write', ['pull_requests'], askForReview)),
  ]
}

function names(body: unknown, field: 'reviewers' | 'team_reviewers'): string[] {
  const given = isRecord(body) ? (body[field] ?? []) : []
  if (!Array.isArray(given)) throw new ApiError(422, `Invalid request.\n\n"${field}" is not an array.`)
  return given.map(String)
}

function matches({ query }: EmulatedRequest): (pull: Pull) => boolean {
  const state = query.get('state') ?? 'open'
  const base = query.get('base')
  return ({ pull, issue }) =>
    (state === 'all' || issue.state === state) && (base === null || pull.base.ref === base)
}

/** By creation, newest first; another order starts with the oldest, as on GitHub. */
function sorted(pulls: Pull[], { query }: EmulatedRequest): Pull[] {
  const sort = query.get('sort') ?? 'created'
  const key = ({ issue }: Pull) => Date.parse(sort === 'updated' ? issue.updatedAt : issue.createdAt)
  const ascending = pulls.toSorted((a, b) => key(a) - key(b) || a.pull.number - b.pull.number)
  const direction = query.get('direction') ?? (sort === 'created' ? 'desc' : 'asc')
  return direction === 'asc' ? ascending : ascending.reverse()
}
