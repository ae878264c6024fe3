import type { Call, RepoHandler, RepoRoute } from './api.ts'
import { ApiError, notFound } from './errors.ts'
import { reply, replyAll } from './media.ts'
import type { Issue, PullRequest, Repository } from './model.ts'
import { pullJson, pullListJson, reviewJson, reviewRequestJson } from './pull-shapes.ts'
import { commitJson, fileJson } from './repository-shapes.ts'

interface Pull {
  readonly pull: PullRequest
  readonly issue: Issue
}

/** GitHub lists at most so many files of a pull request. */
const MAX_FILES = 3000

const all = (repo: Repository): Pull[] =>
  [...repo.pulls.values()].flatMap((pull) => {
    const issue = repo.issues.get(pull.number)
    return issue ? [{ pull, issue }] : []
  })

const pullOf = (call: Call): Pull => {
  const found = all(call.repo).find(({ pull }) => pull.number === Number(call.param('number')))
  if (!found) throw notFound()
  return found
}

const one: RepoHandler = (call) => {
  const { pull, issue } = pullOf(call)
  call.github.examine(pull)
  return reply(call, pullJson(call, pull, issue))
}

/** By creation, newest first; another order starts with the oldest, as on GitHub. */
const list: RepoHandler = (call) => {
  const { query } = call.request
  const state = query.get('state') ?? 'open'
  const base = query.get('base')
  const isByUpdate = query.get('sort') === 'updated'
  const key = ({ issue }: Pull) => Date.parse(isByUpdate ? issue.updatedAt : issue.createdAt)
  const ascending = all(call.repo)
    .filter(({ issue }) => state === 'all' || issue.state === state)
    .filter(({ pull }) => base === null || pull.base.ref === base)
    .sort((a, b) => key(a) - key(b) || a.pull.number - b.pull.number)
  const direction = query.get('direction') ?? (isByUpdate ? 'asc' : 'desc')
  return page(call, direction === 'asc' ? ascending : ascending.reverse())
}

const ofCommit: RepoHandler = (call) => {
  const sha = call.param('sha')
  if (!/^[0-9a-f]{4,64}$/i.test(sha)) throw new ApiError(422, `No commit found for SHA: ${sha}`)
  const { repo } = call
  const known = repo.commitPulls.get(sha) ?? []
  const isOf = ({ pull }: Pull) =>
    known.includes(pull.number) || pull.head.sha === sha || (pull.mergedAt && pull.mergeCommitSha === sha)
  return page(call, all(repo).filter(isOf))
}

const page = (call: Call, pulls: readonly Pull[]) =>
  replyAll(call, pulls, ({ pull, issue }) => pullListJson(call, pull, issue))

/** Oldest first; GitHub lists at most so many. */
const MAX_COMMITS = 250

const commits: RepoHandler = (call) => {
  const pull = call.repo.pulls.get(pullOf(call).pull.number)
  return replyAll(call, pull?.commits.slice(0, MAX_COMMITS) ?? [], (commit) =>
    commitJson(call, commit, commit.parent === null ? [] : [commit.parent]),
  )
}

const files: RepoHandler = (call) => {
  const { files: changed, head } = pullOf(call).pull
  return replyAll(call, changed.slice(0, MAX_FILES), (file) => fileJson(call, head.sha, file))
}

/** "The list of reviews returns in chronological order." */
const reviews: RepoHandler = (call) => {
  const { number } = pullOf(call).pull
  const given = [...call.repo.reviews.values()].filter(({ pull }) => pull === number)
  return replyAll(call, given, (one) => reviewJson(call, one))
}

const review: RepoHandler = (call) => {
  const found = call.repo.reviews.get(Number(call.param('id')))
  if (found?.pull !== Number(call.param('number'))) throw notFound()
  return reply(call, reviewJson(call, found))
}

const requestedReviewers: RepoHandler = (call) => reply(call, reviewRequestJson(call, pullOf(call).pull))

const NO_COLLABORATOR =
  'Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the'

const askForReview: RepoHandler = (call) => {
  const { github, repo } = call
  const { pull, issue } = pullOf(call)
  const reviewers = names(call, 'reviewers')
  const teams = names(call, 'team_reviewers')
  const author = issue.user.login.toLowerCase()
  if (reviewers.some((login) => login.toLowerCase() === author))
    throw new ApiError(422, 'Review cannot be requested from pull request author.')
  if (reviewers.some((login) => !github.access.isCollaborator(login)))
    throw new ApiError(422, `${NO_COLLABORATOR} ${repo.name} repository.`)
  if (teams.some((slug) => !github.access.teams.has(slug)))
    throw new ApiError(422, 'Could not resolve to a node with the global id of the team.')
  pull.requestedReviewers = [...new Set([...pull.requestedReviewers, ...reviewers])]
  pull.requestedTeams = [...new Set([...pull.requestedTeams, ...teams])]
  issue.updatedAt = github.time()
  return reply(call, pullListJson(call, pull, issue), 201)
}

function names({ given }: Call, field: 'reviewers' | 'team_reviewers'): string[] {
  const list = given[field] ?? []
  if (!Array.isArray(list)) throw new ApiError(422, `Invalid request.\n\n"${field}" is not an array.`)
  return list.map(String)
}

/** Pull requests: lists, those of a commit, files, reviews, and who is asked for one. */
export const PULLS: readonly RepoRoute[] = [
  ['GET', '/pulls', ['pull_requests'], list],
  ['GET', '/pulls/:number', ['pull_requests'], one],
  ['GET', '/pulls/:number/commits', ['pull_requests'], commits],
  ['GET', '/pulls/:number/files', ['pull_requests'], files],
  ['GET', '/pulls/:number/reviews', ['pull_requests'], reviews],
  ['GET', '/pulls/:number/reviews/:id', ['pull_requests'], review],
  ['GET', '/commits/:sha/pulls', ['pull_requests'], ofCommit],
  ['GET', '/pulls/:number/requested_reviewers', ['pull_requests'], requestedReviewers],
  ['POST', '/pulls/:number/requested_reviewers', ['pull_requests'], askForReview],
]
