import { hash, hex } from '../random.ts'
import {
  type ChangedFile,
  type Issue,
  type PullRequest,
  type Repository,
  type Review,
  userOf,
} from './model.ts'
import { bodyOf, issueUrl, type Links, labelsJson, mergedAt, userJson } from './shapes.ts'

/** As lists have it: without counts, and without `merged`. */
export function pullListJson(repo: Repository, pull: PullRequest, issue: Issue, links: Links) {
  const side = (ref: { ref: string; sha: string }, name: string) => ({
    label: `${name.split('/')[0]}:${ref.ref}`,
    ref: ref.ref,
    sha: ref.sha,
    repo: { id: name === repo.name ? repo.id : hash('repository', name), full_name: name },
  })
  const head = pull.head.repository
  // A pull request remembers its repository by name; what was its own stays its own when the name changes.
  const isOwn = hash('repository', head) === repo.id
  return {
    url: `${links.api}/repos/${repo.name}/pulls/${pull.number}`,
    html_url: issueUrl(repo, pull.number, links),
    id: hash('pull', repo.id, pull.number),
    number: pull.number,
    state: issue.state,
    locked: issue.locked,
    title: issue.title,
    user: userJson(issue.user, links),
    body: bodyOf(issue),
    labels: labelsJson(repo, issue, links),
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    merged_at: mergedAt(pull, issue),
    merge_commit_sha: pull.mergeCommitSha,
    draft: false,
    requested_reviewers: pull.requestedReviewers.map((login) => userJson(userOf(login), links)),
    requested_teams: pull.requestedTeams.map((slug) => ({ id: hash('team', slug), slug, name: slug })),
    head: side(pull.head, isOwn ? repo.name : head),
    base: side(pull.base, repo.name),
  }
}

export function pullJson(repo: Repository, pull: PullRequest, issue: Issue, links: Links) {
  const sum = (of: (file: ChangedFile) => number) => pull.files.reduce((all, file) => all + of(file), 0)
  return {
    ...pullListJson(repo, pull, issue, links),
    merged: pull.merged,
    commits: pull.commits,
    additions: sum((file) => file.additions ?? 0),
    deletions: sum((file) => file.deletions ?? 0),
    changed_files: pull.files.length,
  }
}

export function reviewJson(repo: Repository, review: Review, association: string, links: Links) {
  const { id, pull, user, body, state, submittedAt } = review
  return {
    id,
    node_id: `PRR_${id}`,
    user: userJson(user, links),
    body,
    state,
    html_url: `${issueUrl(repo, pull, links)}#pullrequestreview-${id}`,
    pull_request_url: `${links.api}/repos/${repo.name}/pulls/${pull}`,
    submitted_at: submittedAt,
    commit_id: repo.pulls.get(pull)?.head.sha ?? null,
    author_association: association,
  }
}

export function fileJson(file: ChangedFile) {
  const { filename, status = 'modified', additions = 1, deletions = 0, previousFilename, patch } = file
  return {
    sha: hex(40, 'blob', filename),
    filename,
    status,
    additions,
    deletions,
    changes: additions + deletions,
    ...(previousFilename === undefined ? {} : { previous_filename: previousFilename }),
    ...(patch === undefined ? {} : { patch }),
  }
}
