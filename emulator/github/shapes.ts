import { hash, hex } from '../random.ts'
import type {
  ChangedFile,
  Comment,
  CommentKind,
  Issue,
  PullRequest,
  Reaction,
  Repository,
  User,
} from './model.ts'

/** Where links lead: `api` for programs, `web` for people. Neither ends in a slash. */
export interface Links {
  readonly api: string
  readonly web: string
}

export function userJson(user: User, { api, web }: Links) {
  const { login, type } = user
  const page = type === 'Bot' ? `apps/${login.replace(/\[bot\]$/, '')}` : login
  const id = hash('user', login) % 100_000_000
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
  const { id, issue, user, body, createdAt, updatedAt, ...where } = comment
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
    ...where,
  }
}

export function reactionJson(reaction: Reaction, links: Links) {
  const { id, content, user, createdAt } = reaction
  return { id, node_id: `REA_${id}`, user: userJson(user, links), content, created_at: createdAt }
}

export function issueJson(repo: Repository, issue: Issue, comments: number, links: Links) {
  const api = `${links.api}/repos/${repo.name}`
  const html = issueUrl(repo, issue.number, links)
  return {
    url: `${api}/issues/${issue.number}`,
    repository_url: api,
    comments_url: `${api}/issues/${issue.number}/comments`,
    html_url: html,
    id: hash('issue', repo.name, issue.number),
    number: issue.number,
    title: issue.title,
    user: userJson(issue.user, links),
    labels: [],
    state: issue.state,
    locked: issue.locked,
    comments,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    body: issue.body,
    ...(issue.isPullRequest
      ? { pull_request: { url: `${api}/pulls/${issue.number}`, html_url: html, merged_at: null } }
      : {}),
  }
}

export function pullJson(repo: Repository, pull: PullRequest, issue: Issue, links: Links) {
  const sum = (of: (file: ChangedFile) => number) => pull.files.reduce((all, file) => all + of(file), 0)
  return {
    url: `${links.api}/repos/${repo.name}/pulls/${pull.number}`,
    html_url: issueUrl(repo, pull.number, links),
    id: hash('pull', repo.name, pull.number),
    number: pull.number,
    state: issue.state,
    locked: issue.locked,
    title: issue.title,
    user: userJson(issue.user, links),
    body: issue.body,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.state === 'closed' ? issue.updatedAt : null,
    merged_at: pull.merged ? issue.updatedAt : null,
    merged: pull.merged,
    draft: false,
    head: { ref: pull.head.ref, sha: pull.head.sha, repo: { full_name: pull.head.repository } },
    base: { ref: pull.base.ref, sha: pull.base.sha, repo: { full_name: repo.name } },
    commits: pull.commits,
    additions: sum((file) => file.additions ?? 0),
    deletions: sum((file) => file.deletions ?? 0),
    changed_files: pull.files.length,
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
