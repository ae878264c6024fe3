import type { components } from '@octokit/openapi-types'
import { hash } from '../random.ts'
import type { Comment, Issue, PullRequest, Reaction, Repository, User } from './model.ts'

/** GitHub's own description of its answers: the compiler refuses one that lacks a required field. */
export type Schemas = components['schemas']

/** Where links lead: `api` for programs, `web` for people. Neither ends in a slash. */
export interface Links {
  readonly api: string
  readonly web: string
}

/** What shows a comment, an issue or a review of somebody. */
export type Association = Schemas['author-association']

/** Addresses that begin alike. */
export const below = <K extends string>(
  base: string,
  paths: Readonly<Record<K, string>>,
): Record<K, string> =>
  Object.fromEntries(Object.entries<string>(paths).map(([name, path]) => [name, base + path])) as Record<
    K,
    string
  >

export const userId = (login: string): number => hash('user', login) % 100_000_000

export function userJson(user: User, { api, web }: Links): Schemas['simple-user'] {
  const { login, type } = user
  const slug = login.replace(/\[bot\]$/, '')
  const id = userId(login)
  const url = `${api}/users/${encodeURIComponent(login)}`
  return {
    login,
    id,
    node_id: `U_${id}`,
    avatar_url: `https://avatars.githubusercontent.com/u/${id}?v=4`,
    gravatar_id: '',
    url,
    html_url: `${web}/${type === 'Bot' ? `apps/${slug}` : login}`,
    ...below(url, {
      followers_url: '/followers',
      following_url: '/following{/other_user}',
      gists_url: '/gists{/gist_id}',
      starred_url: '/starred{/owner}{/repo}',
      subscriptions_url: '/subscriptions',
      organizations_url: '/orgs',
      repos_url: '/repos',
      events_url: '/events{/privacy}',
      received_events_url: '/received_events',
    }),
    type,
    user_view_type: 'public',
    site_admin: false,
  }
}

/** The app behind a bot; `null` for a person. */
export function appJson({ login, type }: User, links: Links): Schemas['nullable-integration'] {
  if (type !== 'Bot') return null
  const slug = login.replace(/\[bot\]$/, '')
  const at = '2020-01-01T00:00:00Z'
  return {
    id: hash('app', slug) % 1_000_000,
    slug,
    node_id: `A_${slug}`,
    owner: userJson({ login: slug, type: 'User' }, links),
    name: slug,
    description: '',
    external_url: `https://${slug}.example.com`,
    html_url: `${links.web}/apps/${slug}`,
    created_at: at,
    updated_at: at,
    permissions: { contents: 'write', metadata: 'read', pull_requests: 'write' },
    events: [],
  }
}

export function issueUrl(repo: Repository, number: number, { web }: Links): string {
  return `${web}/${repo.name}/${repo.pulls.has(number) ? 'pull' : 'issues'}/${number}`
}

export function issueCommentJson(
  repo: Repository,
  comment: Comment,
  association: Association,
  links: Links,
): Schemas['issue-comment'] {
  const { id, issue, user, body, createdAt, updatedAt } = comment
  const api = `${links.api}/repos/${repo.name}`
  return {
    id,
    node_id: `IC_${id}`,
    url: `${api}/issues/comments/${id}`,
    html_url: `${issueUrl(repo, issue, links)}#issuecomment-${id}`,
    issue_url: `${api}/issues/${issue}`,
    user: userJson(user, links),
    body,
    created_at: createdAt,
    updated_at: updatedAt,
    author_association: association,
    performed_via_github_app: appJson(user, links),
  }
}

export function reactionJson(reaction: Reaction, links: Links): Schemas['reaction'] {
  const { id, content, user, createdAt } = reaction
  return { id, node_id: `REA_${id}`, user: userJson(user, links), content, created_at: createdAt }
}

export const labelsJson = (repo: Repository, issue: Issue, { api }: Links) =>
  issue.labels.map((name) => {
    const id = hash('label', repo.id, name)
    const url = `${api}/repos/${repo.name}/labels/${encodeURIComponent(name)}`
    return { id, node_id: `LA_${id}`, url, name, color: 'ededed', default: false, description: '' }
  })

/** GitHub has no empty bodies of issues: one without text is `null`. */
export const bodyOf = (issue: Issue) => (issue.body === '' ? null : issue.body)

export function issueJson(
  repo: Repository,
  issue: Issue,
  comments: number,
  association: Association,
  links: Links,
): Schemas['issue'] & { readonly body: string | null } {
  const api = `${links.api}/repos/${repo.name}`
  const url = `${api}/issues/${issue.number}`
  const html = issueUrl(repo, issue.number, links)
  const pull = repo.pulls.get(issue.number)
  const id = hash('issue', repo.id, issue.number)
  return {
    id,
    node_id: `I_${id}`,
    url,
    repository_url: api,
    ...below(url, {
      labels_url: '/labels{/name}',
      comments_url: '/comments',
      events_url: '/events',
      timeline_url: '/timeline',
    }),
    html_url: html,
    number: issue.number,
    title: issue.title,
    user: userJson(issue.user, links),
    labels: labelsJson(repo, issue, links),
    state: issue.state,
    state_reason: issue.stateReason,
    assignee: null,
    assignees: [],
    milestone: null,
    locked: issue.locked,
    active_lock_reason: null,
    comments,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    author_association: association,
    performed_via_github_app: appJson(issue.user, links),
    body: bodyOf(issue),
    ...(pull && {
      draft: false,
      pull_request: {
        url: `${api}/pulls/${issue.number}`,
        html_url: html,
        diff_url: `${html}.diff`,
        patch_url: `${html}.patch`,
        merged_at: mergedAt(pull, issue),
      },
    }),
  }
}

export const mergedAt = (pull: PullRequest, issue: Issue) =>
  pull.merged ? (pull.mergedAt ?? issue.updatedAt) : null
