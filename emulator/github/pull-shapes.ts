import { hash } from '../random.ts'
import {
  type Issue,
  type PullRequest,
  type Repository,
  type Review,
  type ReviewComment,
  userOf,
} from './model.ts'
import { repositoryCalled, repositoryJson } from './repository-shapes.ts'
import { another, SAMPLES, type Schemas } from './samples.ts'
import { type Place, userJson, writtenJson } from './shapes.ts'

function filled<T extends { readonly id: number }>(sample: T, place: Place, pull: PullRequest, issue: Issue) {
  const { links, repo } = place
  const id = hash('pull', repo.id, pull.number)
  const side = ({ ref, sha }: { ref: string; sha: string }, of: Repository) => {
    const owner = of.name.split('/')[0] ?? ''
    const user = userJson(userOf(owner), links)
    return { label: `${owner}:${ref}`, ref, sha, user, repo: repositoryJson(of, links) }
  }
  return {
    ...another(sample, links, { at: repo.name, id, number: pull.number, sha: pull.head.sha }),
    ...writtenJson(place, issue),
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeCommitSha,
    assignee: null,
    requested_reviewers: pull.requestedReviewers.map((login) => userJson(userOf(login), links)),
    requested_teams: [],
    head: side(pull.head, repositoryCalled(pull.head.repository, repo)),
    base: side(pull.base, repo),
    stack: stackJson(place, pull),
    auto_merge: null,
  }
}

/** Its place does not change when others are merged. */
function stackJson({ github, repo }: Place, { number }: PullRequest): Schemas['pull-request-stack'] {
  const stack = github.stackOf(number, repo.name)
  if (stack === undefined) return null
  const { id, number: ofStack, base, pulls } = stack
  const sha = github.branchHead(base, repo.name)
  const position = pulls.indexOf(number) + 1
  return { id, number: ofStack, size: pulls.length, position, base: { ref: base, sha } }
}

/** As lists have it: without counts, and without `merged`. */
export const pullListJson = (place: Place, pull: PullRequest, issue: Issue): Schemas['pull-request-simple'] =>
  filled(SAMPLES.listedPull, place, pull, issue)

export const pullJson = (place: Place, pull: PullRequest, issue: Issue): Schemas['pull-request'] => ({
  ...filled(SAMPLES.pull, place, pull, issue),
  ...place.github.mergeability(pull.number, place.repo.name),
  merged: pull.mergedAt !== null,
  commits: pull.commits.length,
  changed_files: pull.files.length,
})

/** Who is asked for a review, and has not given one since. */
export function reviewRequestJson(
  { links, repo }: Place,
  { requestedReviewers, requestedTeams }: PullRequest,
): Schemas['pull-request-review-request'] {
  const [owner = ''] = repo.name.split('/')
  const team = (slug: string) => {
    const id = hash('team', owner, slug)
    const url = `${links.api}/teams/${id}`
    return {
      id,
      node_id: `T_${id}`,
      url,
      name: slug,
      slug,
      description: null,
      permission: 'pull',
      privacy: 'closed',
      type: 'organization' as const,
      organization_id: hash('owner', owner),
      html_url: `${links.web}/orgs/${owner}/teams/${slug}`,
      members_url: `${url}/members{/member}`,
      repositories_url: `${url}/repos`,
      parent: null,
    }
  }
  const users = requestedReviewers.map((login) => userJson(userOf(login), links))
  return { users, teams: requestedTeams.map(team) }
}

export function reviewJson({ links, repo }: Place, review: Review): Schemas['pull-request-review'] {
  const { id, pull, user, body, submittedAt } = review
  return {
    ...another(SAMPLES.review, links, { at: repo.name, id, number: pull }),
    user: userJson(user, links),
    body,
    submitted_at: submittedAt,
  }
}

export function reviewCommentJson(
  { links, repo }: Place,
  comment: ReviewComment,
): Schemas['pull-request-review-comment'] {
  const { id, issue, user, body, createdAt, updatedAt, path, line, diffHunk, review } = comment
  return {
    ...another(SAMPLES.reviewComment, links, { at: repo.name, id, number: issue }),
    position: 1,
    pull_request_review_id: review,
    user: userJson(user, links),
    body,
    path,
    line,
    original_line: line,
    start_line: null,
    original_start_line: null,
    start_side: null,
    diff_hunk: diffHunk,
    created_at: createdAt,
    updated_at: updatedAt,
  }
}

/** As the list of one review has it: without the lines that a comment stands at. */
export function commentOfReviewJson(place: Place, comment: ReviewComment): Schemas['review-comment'] {
  const shown = reviewCommentJson(place, comment)
  const { line: _, original_line: _o, start_line: _s, original_start_line: _os, ...sided } = shown
  const { side: _side, start_side: _ss, subject_type: _type, ...rest } = sided
  return { ...rest, position: rest.position ?? null, original_position: rest.original_position ?? 1 }
}
