import { hash } from '../random.ts'
import type {
  Comment,
  CommentKind,
  Issue,
  PullRequest,
  Reaction,
  Release,
  Repository,
  ReviewComment,
  User,
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

export const labelsJson = (repo: Repository, issue: Issue, { api }: Links) =>
  issue.labels.map((name) => labelJson(repo, name, api))

function labelJson(repo: Repository, name: string, api: string) {
  const id = hash('label', repo.id, name)
  const url = `${api}/repos/${repo.name}/labels/${encodeURIComponent(name)}`
  return { id, node_id: `LA_${id}`, url, name, color: 'ededed', default: false, description: null }
}

/** GitHub has no empty bodies of issues: one without text is `null`. */
export const bodyOf = (issue: Issue) => (issue.body === '' ? null : issue.body)

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

export const mergedAt = (pull: PullRequest, issue: Issue) =>
  pull.merged ? (pull.mergedAt ?? issue.updatedAt) : null

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
