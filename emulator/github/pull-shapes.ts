import { hash } from '../random.ts'
import type { ChangedFile, Issue, PullRequest, Repository, Review, ReviewComment } from './model.ts'
import { userOf } from './model.ts'
import { repositoryCalled, repositoryJson, teamJson } from './repository-shapes.ts'
import {
  type Association,
  below,
  bodyOf,
  issueUrl,
  type Links,
  labelsJson,
  mergedAt,
  type Schemas,
  userJson,
} from './shapes.ts'

/** As lists have it: without counts, and without `merged`. */
export function pullListJson(
  repo: Repository,
  pull: PullRequest,
  issue: Issue,
  association: Association,
  links: Links,
): Schemas['pull-request-simple'] & { readonly state: 'open' | 'closed' } {
  const api = `${links.api}/repos/${repo.name}`
  const url = `${api}/pulls/${pull.number}`
  const html = issueUrl(repo, pull.number, links)
  const id = hash('pull', repo.id, pull.number)
  const ofIssue = below(`${api}/issues/${pull.number}`, { issue_url: '', comments_url: '/comments' })
  const ofPull = below(url, {
    commits_url: '/commits',
    review_comments_url: '/comments',
  })
  const ofRepo = below(api, {
    review_comment_url: '/pulls/comments{/number}',
    statuses_url: `/statuses/${pull.head.sha}`,
  })
  const side = ({ ref, sha }: { ref: string; sha: string }, of: Repository) => {
    const owner = of.name.split('/')[0] ?? ''
    const user = userJson(userOf(owner), links)
    return { label: `${owner}:${ref}`, ref, sha, user, repo: repositoryJson(of, links) }
  }
  return {
    url,
    id,
    node_id: `PR_${id}`,
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    ...ofIssue,
    ...ofPull,
    ...ofRepo,
    number: pull.number,
    state: issue.state,
    locked: issue.locked,
    active_lock_reason: null,
    title: issue.title,
    user: userJson(issue.user, links),
    body: bodyOf(issue),
    labels: labelsJson(repo, issue, links),
    milestone: null,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    merged_at: mergedAt(pull, issue),
    merge_commit_sha: pull.mergeCommitSha,
    assignee: null,
    assignees: [],
    draft: false,
    requested_reviewers: pull.requestedReviewers.map((login) => userJson(userOf(login), links)),
    requested_teams: pull.requestedTeams.map((slug) => teamJson(slug, links)),
    head: side(pull.head, repositoryCalled(pull.head.repository, repo)),
    base: side(pull.base, repo),
    _links: {
      self: { href: url },
      html: { href: html },
      issue: { href: ofIssue.issue_url },
      comments: { href: ofIssue.comments_url },
      review_comments: { href: ofPull.review_comments_url },
      review_comment: { href: ofRepo.review_comment_url },
      commits: { href: ofPull.commits_url },
      statuses: { href: ofRepo.statuses_url },
    },
    author_association: association,
    auto_merge: null,
  }
}

export function pullJson(
  repo: Repository,
  pull: PullRequest,
  issue: Issue,
  association: Association,
  links: Links,
): Schemas['pull-request'] {
  const sum = (of: (file: ChangedFile) => number) => pull.files.reduce((all, file) => all + of(file), 0)
  const count = (kind: 'issue' | 'review') =>
    [...repo.comments[kind].values()].filter((comment) => comment.issue === pull.number).length
  const shown = pullListJson(repo, pull, issue, association, links)
  return {
    ...shown,
    user: userJson(issue.user, links),
    head: { ...shown.head, user: userJson(userOf(shown.head.repo.owner.login), links) },
    base: { ...shown.base, user: userJson(userOf(shown.base.repo.owner.login), links) },
    merged: pull.merged,
    mergeable: pull.merged ? null : true,
    rebaseable: pull.merged ? null : true,
    mergeable_state: pull.merged ? 'unknown' : 'clean',
    merged_by: pull.merged ? userJson(userOf('alice'), links) : null,
    comments: count('issue'),
    review_comments: count('review'),
    maintainer_can_modify: false,
    commits: pull.commits.length,
    additions: sum((file) => file.additions ?? 0),
    deletions: sum((file) => file.deletions ?? 0),
    changed_files: pull.files.length,
  }
}

export function reviewJson(
  repo: Repository,
  review: Review,
  association: Association,
  links: Links,
): Schemas['pull-request-review'] {
  const { id, pull, user, body, state, submittedAt } = review
  const html = `${issueUrl(repo, pull, links)}#pullrequestreview-${id}`
  const url = `${links.api}/repos/${repo.name}/pulls/${pull}`
  return {
    id,
    node_id: `PRR_${id}`,
    user: userJson(user, links),
    body,
    state,
    html_url: html,
    pull_request_url: url,
    _links: { html: { href: html }, pull_request: { href: url } },
    submitted_at: submittedAt,
    commit_id: repo.pulls.get(pull)?.head.sha ?? null,
    author_association: association,
  }
}

export function reviewCommentJson(
  repo: Repository,
  comment: ReviewComment,
  association: Association,
  links: Links,
): Schemas['pull-request-review-comment'] {
  const { id, issue, user, body, createdAt, updatedAt, path, line, side, diffHunk, review, commit } = comment
  const api = `${links.api}/repos/${repo.name}/pulls`
  const html = `${issueUrl(repo, issue, links)}#discussion_r${id}`
  const current = repo.pulls.get(issue)?.head.sha ?? commit
  return {
    id,
    node_id: `PRRC_${id}`,
    pull_request_review_id: review,
    url: `${api}/comments/${id}`,
    html_url: html,
    pull_request_url: `${api}/${issue}`,
    _links: {
      self: { href: `${api}/comments/${id}` },
      html: { href: html },
      pull_request: { href: `${api}/${issue}` },
    },
    user: userJson(user, links),
    body,
    path,
    line,
    original_line: line,
    side,
    start_line: null,
    original_start_line: null,
    start_side: null,
    diff_hunk: diffHunk,
    subject_type: 'line',
    commit_id: current,
    original_commit_id: commit,
    created_at: createdAt,
    updated_at: updatedAt,
    author_association: association,
  }
}
