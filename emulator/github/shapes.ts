import { hash, hex } from '../random.ts'
import {
  type ChangedFile,
  type Comment,
  type CommentKind,
  type Issue,
  type PullRequest,
  type Reaction,
  type Release,
  type Repository,
  type Review,
  type ReviewComment,
  type User,
  userOf,
} from './model.ts'

/** Where links lead: `api` for programs, `web` for people. Neither ends in a slash. */
export interface Links {
  readonly api: string
  readonly web: string
}

export const userId = (login: string): number => hash('user', login) % 100_000_000

export function userJson(user: User, { api, web }: Links) {
  const { login, type } = user
  const page = type === 'Bot' ? `apps/${login.replace(/\[bot\]$/, '')}` : login
  const id = userId(login)
  return {
    login,
    id,
    node_id: `U_${id}`,
    url: `${api}/users/${encodeURIComponent(login)}`,
    html_url: `${web}/${page}`,
    type,
    site_admin: false,
  }
}

export function issueUrl(repo: Repository, number: number, { web }: Links): string {
  return `${web}/${repo.name}/${repo.pulls.has(number) ? 'pull' : 'issues'}/${number}`
}

export function commentJson(
  repo: Repository,
  kind: CommentKind,
  comment: Comment,
  association: string,
  links: Links,
) {
  const { id, issue, user, body, createdAt, updatedAt } = comment
  const api = `${links.api}/repos/${repo.name}`
  const anchor = kind === 'issue' ? `issuecomment-${id}` : `discussion_r${id}`
  return {
    id,
    node_id: `${kind === 'issue' ? 'IC' : 'PRRC'}_${id}`,
    url: `${api}/${kind === 'issue' ? 'issues' : 'pulls'}/comments/${id}`,
    html_url: `${issueUrl(repo, issue, links)}#${anchor}`,
    ...(kind === 'issue'
      ? { issue_url: `${api}/issues/${issue}` }
      : { pull_request_url: `${api}/pulls/${issue}` }),
    user: userJson(user, links),
    body,
    created_at: createdAt,
    updated_at: updatedAt,
    author_association: association,
    ...place(comment),
  }
}

function place(comment: Comment | ReviewComment) {
  if (!('diffHunk' in comment)) return {}
  const { path, line, diffHunk } = comment
  return { path, line, original_line: line, side: 'RIGHT', diff_hunk: diffHunk }
}

export function reactionJson(reaction: Reaction, links: Links) {
  const { id, content, user, createdAt } = reaction
  return { id, node_id: `REA_${id}`, user: userJson(user, links), content, created_at: createdAt }
}

export function repositoryJson(repo: Repository, { api, web }: Links) {
  const [owner = '', name = ''] = repo.name.split('/')
  return {
    id: repo.id,
    node_id: `R_${repo.id}`,
    name,
    full_name: repo.name,
    private: false,
    owner: userJson({ login: owner, type: 'User' }, { api, web }),
    html_url: `${web}/${repo.name}`,
    url: `${api}/repos/${repo.name}`,
    default_branch: repo.defaultBranch,
    has_issues: repo.hasIssues,
    archived: false,
  }
}

const labelsJson = (repo: Repository, issue: Issue, { api }: Links) =>
  issue.labels.map((name) => labelJson(repo, name, api))

function labelJson(repo: Repository, name: string, api: string) {
  const id = hash('label', repo.id, name)
  const url = `${api}/repos/${repo.name}/labels/${encodeURIComponent(name)}`
  return { id, node_id: `LA_${id}`, url, name, color: 'ededed', default: false, description: null }
}

/** GitHub has no empty bodies of issues: one without text is `null`. */
const bodyOf = (issue: Issue) => (issue.body === '' ? null : issue.body)

export function issueJson(repo: Repository, issue: Issue, comments: number, links: Links) {
  const api = `${links.api}/repos/${repo.name}`
  const html = issueUrl(repo, issue.number, links)
  const pull = repo.pulls.get(issue.number)
  return {
    url: `${api}/issues/${issue.number}`,
    repository_url: api,
    comments_url: `${api}/issues/${issue.number}/comments`,
    html_url: html,
    id: hash('issue', repo.id, issue.number),
    number: issue.number,
    title: issue.title,
    user: userJson(issue.user, links),
    labels: labelsJson(repo, issue, links),
    state: issue.state,
    state_reason: issue.stateReason,
    locked: issue.locked,
    comments,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    body: bodyOf(issue),
    ...(pull
      ? {
          pull_request: {
            url: `${api}/pulls/${issue.number}`,
            html_url: html,
            merged_at: mergedAt(pull, issue),
          },
        }
      : {}),
  }
}

const mergedAt = (pull: PullRequest, issue: Issue) =>
  pull.merged ? (pull.mergedAt ?? issue.updatedAt) : null

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

export function releaseJson(repo: Repository, release: Release, links: Links) {
  const { id, tag, name, body, user, draft, prerelease, createdAt } = release
  return {
    id,
    node_id: `RE_${id}`,
    url: `${links.api}/repos/${repo.name}/releases/${id}`,
    html_url: `${links.web}/${repo.name}/releases/tag/${encodeURIComponent(tag)}`,
    tag_name: tag,
    target_commitish: repo.defaultBranch,
    name,
    body,
    draft,
    prerelease,
    author: userJson(user, links),
    created_at: createdAt,
    published_at: draft ? null : createdAt,
    assets: [],
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
