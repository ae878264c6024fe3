import { hash } from '../random.ts'
import type { Call } from './api.ts'
import {
  type Comment,
  type Issue,
  type LabelEvent,
  LONG_AGO,
  type Reaction,
  type Release,
  type User,
} from './model.ts'
import { another, type Links, SAMPLES, type Schemas } from './samples.ts'

/** Where something is shown from. */
export type Place = Pick<Call, 'github' | 'links' | 'repo'>

export function userJson({ login, type }: User, links: Links): Schemas['simple-user'] {
  return {
    ...another(SAMPLES.user, links, { at: encodeURIComponent(login), id: hash('user', login) % 100_000_000 }),
    login,
    html_url: `${links.web}/${type === 'Bot' ? `apps/${login.replace('[bot]', '')}` : login}`,
    type,
  }
}

export function appJson(slug: string, links: Links): NonNullable<Schemas['integration']> {
  const html = `${links.web}/apps/${slug}`
  return {
    id: hash('app', slug) % 10_000_000,
    slug,
    node_id: `A_${slug}`,
    owner: userJson({ login: slug, type: 'User' }, links),
    name: slug,
    description: '',
    external_url: html,
    html_url: html,
    created_at: LONG_AGO,
    updated_at: LONG_AGO,
    permissions: {},
    events: [],
  }
}

const issueUrl = ({ repo, links }: Place, number: number): string =>
  `${links.web}/${repo.name}/${repo.pulls.has(number) ? 'pull' : 'issues'}/${number}`

export function issueCommentJson(place: Place, comment: Comment): Schemas['issue-comment'] {
  const { links, repo } = place
  const { id, issue, user, body, createdAt, updatedAt, minimized, association } = comment
  return {
    ...another(SAMPLES.issueComment, links, { at: repo.name, id, number: issue }),
    html_url: `${issueUrl(place, issue)}#issuecomment-${id}`,
    // An account that is gone.
    user: user.login === '' ? null : userJson(user, links),
    ...(association !== undefined && { author_association: association }),
    body,
    created_at: createdAt,
    updated_at: updatedAt,
    performed_via_github_app: null,
    minimized: minimized === undefined ? null : { reason: minimized.toLowerCase() },
  }
}

export function reactionJson({ links }: Place, reaction: Reaction): Schemas['reaction'] {
  const { id, content, user, createdAt } = reaction
  return { id, node_id: `REA_${id}`, user: userJson(user, links), content, created_at: createdAt }
}

export const labelsJson = ({ links, repo }: Place, issue: Issue) =>
  issue.labels.map((name) => {
    const id = hash('label', repo.id, name)
    const url = `${links.api}/repos/${repo.name}/labels/${encodeURIComponent(name)}`
    return { id, node_id: `LA_${id}`, url, name, color: 'ededed', default: false, description: '' }
  })

/** Of an account that is gone, GitHub shows none, whatever its description says. */
export function labelEventJson(
  { links, repo }: Place,
  issue: Issue,
  noted: LabelEvent,
): Omit<Schemas['labeled-issue-event'], 'actor'> & { readonly actor: Schemas['simple-user'] | null } {
  const { event, label, actor, at } = noted
  // Ids grow with time.
  const id = issue.number * 10_000 + issue.labelEvents.indexOf(noted)
  return {
    id,
    node_id: `LE_${id}`,
    url: `${links.api}/repos/${repo.name}/issues/events/${id}`,
    actor: actor && userJson(actor, links),
    event,
    commit_id: null,
    commit_url: null,
    created_at: at,
    performed_via_github_app: null,
    label: { name: label, color: 'ededed' },
  }
}

export function issueJson(place: Place, issue: Issue): Schemas['issue'] & { readonly body: string | null } {
  const { links, repo } = place
  const { number } = issue
  const id = hash('issue', repo.id, number)
  const html = issueUrl(place, number)
  const pull = repo.pulls.get(number)
  const { pull_request: _none, ...sample } = another(SAMPLES.issue, links, { at: repo.name, id, number })
  return {
    ...sample,
    ...writtenJson(place, issue),
    html_url: html,
    state_reason: issue.state === 'closed' ? 'completed' : null,
    performed_via_github_app: issue.app === null ? null : appJson(issue.app, links),
    assignee: null,
    ...(pull && {
      draft: false,
      pull_request: {
        url: `${links.api}/repos/${repo.name}/pulls/${number}`,
        html_url: html,
        diff_url: `${html}.diff`,
        patch_url: `${html}.patch`,
        merged_at: pull.mergedAt,
      },
    }),
  }
}

/** What an issue and a pull request have in common. */
export function writtenJson(place: Place, issue: Issue) {
  return {
    number: issue.number,
    title: issue.title,
    // GitHub has no empty bodies: one without text is `null`.
    body: issue.body === '' ? null : issue.body,
    user: userJson(issue.user, place.links),
    labels: labelsJson(place, issue),
    milestone: null,
    assignees: [],
    state: issue.state,
    locked: issue.locked,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
  }
}

export function releaseJson({ links, repo }: Place, release: Release): Schemas['release'] {
  const { id, tag, name, body, createdAt } = release
  const sample = another(SAMPLES.release, links, { at: repo.name, id })
  return { ...sample, tag_name: tag, name, body, created_at: createdAt, published_at: createdAt, assets: [] }
}
