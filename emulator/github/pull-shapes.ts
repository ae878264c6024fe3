import { hash } from '../random.ts'
import type {
  ChangedFile,
  CommentKind,
  Issue,
  PullRequest,
  Repository,
  Review,
  ReviewComment,
} from './model.ts'
import { userOf } from './model.ts'
import { repositoryCalled, repositoryJson, teamJson } from './repository-shapes.ts'
import { another, SAMPLES, type Schemas } from './samples.ts'
import { mergedAt, type Place, userJson, writtenJson } from './shapes.ts'

/** What lists show, too. */
function commonJson(place: Place, pull: PullRequest, issue: Issue) {
  const { links, repo } = place
  const id = hash('pull', repo.id, pull.number)
  const side = ({ ref, sha }: { ref: string; sha: string }, of: Repository) => {
    const owner = of.name.split('/')[0] ?? ''
    const user = userJson(userOf(owner), links)
    return { label: `${owner}:${ref}`, ref, sha, user, repo: repositoryJson(of, links) }
  }
  return {
    ...another(SAMPLES.pull, links, { at: repo.name, id, number: pull.number, sha: pull.head.sha }),
    ...writtenJson(place, issue),
    merged_at: mergedAt(pull, issue),
    merge_commit_sha: pull.mergeCommitSha,
    assignee: null,
    requested_reviewers: pull.requestedReviewers.map((login) => userJson(userOf(login), links)),
    requested_teams: pull.requestedTeams.map((slug) => teamJson(slug, links)),
    head: side(pull.head, repositoryCalled(pull.head.repository, repo)),
    base: side(pull.base, repo),
    auto_merge: null,
  }
}

/** As lists have it: without counts, and without `merged`. */
export function pullListJson(place: Place, pull: PullRequest, issue: Issue): Schemas['pull-request-simple'] {
  const {
    merged: _merged,
    mergeable: _mergeable,
    rebaseable: _rebaseable,
    mergeable_state: _state,
    merged_by: _by,
    comments: _comments,
    review_comments: _reviewComments,
    maintainer_can_modify: _canModify,
    commits: _commits,
    additions: _additions,
    deletions: _deletions,
    changed_files: _files,
    ...shown
  } = commonJson(place, pull, issue)
  return shown
}

export function pullJson(place: Place, pull: PullRequest, issue: Issue): Schemas['pull-request'] {
  const { links, repo } = place
  const sum = (of: (file: ChangedFile) => number) => pull.files.reduce((all, file) => all + of(file), 0)
  const count = (kind: CommentKind) =>
    [...repo.comments[kind].values()].filter((comment) => comment.issue === pull.number).length
  return {
    ...commonJson(place, pull, issue),
    merged: pull.merged,
    mergeable: pull.merged ? null : true,
    rebaseable: pull.merged ? null : true,
    mergeable_state: pull.merged ? 'unknown' : 'clean',
    merged_by: pull.merged ? userJson(userOf('alice'), links) : null,
    comments: count('issue'),
    review_comments: count('review'),
    commits: pull.commits.length,
    additions: sum((file) => file.additions ?? 0),
    deletions: sum((file) => file.deletions ?? 0),
    changed_files: pull.files.length,
  }
}

export function reviewJson(place: Place, review: Review): Schemas['pull-request-review'] {
  const { github, links, repo } = place
  const { id, pull, user, body, state, submittedAt } = review
  return {
    ...another(SAMPLES.review, links, { at: repo.name, id, number: pull }),
    user: userJson(user, links),
    body,
    state,
    submitted_at: submittedAt,
    commit_id: repo.pulls.get(pull)?.head.sha ?? null,
    author_association: github.access.association(user.login),
  }
}

export function reviewCommentJson(
  place: Place,
  comment: ReviewComment,
): Schemas['pull-request-review-comment'] {
  const { github, links, repo } = place
  const { id, issue, user, body, createdAt, updatedAt, path, line, side, diffHunk, review, commit } = comment
  const { position: _position, ...sample } = another(SAMPLES.reviewComment, links, {
    at: repo.name,
    id,
    number: issue,
  })
  return {
    ...sample,
    pull_request_review_id: review,
    user: userJson(user, links),
    body,
    path,
    line,
    original_line: line,
    side,
    start_line: null,
    original_start_line: null,
    diff_hunk: diffHunk,
    subject_type: 'line',
    commit_id: repo.pulls.get(issue)?.head.sha ?? commit,
    original_commit_id: commit,
    created_at: createdAt,
    updated_at: updatedAt,
    author_association: github.access.association(user.login),
  }
}
