import { type EmulatedRequest, isRecord, json } from '../http.ts'
import { type Route, route } from '../router.ts'
import { type Api, type RepoHandler, type Scope, within } from './api.ts'
import { invalid, issuesDisabled, notFound } from './errors.ts'
import { withBody } from './media.ts'
import { type Issue, type Repository, STATE_REASONS, userOf } from './model.ts'
import { paged } from './paging.ts'
import { issueJson, labelsJson } from './shapes.ts'
import type { IssueEdit } from './threads.ts'

/** Longest title and body, in characters. */
const MAX = { title: 256, body: 65_536 } as const
const MAX_LABEL = 50

/** Issues, and what pull requests share with them: state, title, body and labels. */
export function issueRoutes(api: Api): Route[] {
  const { github, settings, links } = api
  const either: readonly Scope[] = ['issues', 'pull_requests']

  const show = (request: EmulatedRequest, repo: Repository, issue: Issue) =>
    withBody(
      api,
      request,
      repo,
      issueJson(
        repo,
        issue,
        github.comments(issue.number, repo.name).length,
        github.access.association(issue.user.login),
        links(),
      ),
    )

  const issueOf = (repo: Repository, number: string): Issue => {
    const found = repo.issues.get(Number(number))
    if (!found) throw notFound()
    return found
  }

  const one: RepoHandler = ({ request, params, repo }) =>
    json(200, show(request, repo, issueOf(repo, params('number'))))

  const list: RepoHandler = ({ request, repo }) => {
    if (!repo.hasIssues) throw issuesDisabled()
    const found = sorted(
      [...repo.issues.values()].filter(matches(request)),
      request,
      (issue) => github.comments(issue.number, repo.name).length,
    )
    return paged(request, found, links().api, (issue) => show(request, repo, issue))
  }

  const create: RepoHandler = ({ request, repo }) => {
    if (!repo.hasIssues) throw issuesDisabled()
    const { title, body = '' } = editOf(request.body)
    if (title === undefined) throw invalid('Issue', 'title', "title can't be blank")
    const labels = labelsOf(request.body) ?? []
    const user = userOf(settings.tokenLogin)
    const { number } = github.addIssue({ title, body, user, repo: repo.name })
    const issue = github.addLabels(number, labels, repo.name)
    const shown = show(request, repo, issue)
    const location = `${links().api}/repos/${repo.name}/issues/${number}`
    return json(201, shown, { location })
  }

  const edit: RepoHandler = ({ request, params, repo }) => {
    const issue = issueOf(repo, params('number'))
    if (!repo.hasIssues && !issue.isPullRequest) throw issuesDisabled()
    github.editIssue(issue.number, editOf(request.body), repo.name)
    return json(200, show(request, repo, issue))
  }

  const label: RepoHandler = ({ request, params, repo }) => {
    const { number } = issueOf(repo, params('number'))
    const labels = labelsOf(request.body)
    if (!labels) throw invalid('Label', 'name', 'labels is not a list of names')
    const issue = github.addLabels(number, labels, repo.name)
    return json(200, labelsJson(repo, issue, links()))
  }

  const at = '/repos/:owner/:repo/issues'
  return [
    route('GET', at, within(api, 'read', ['issues'], list)),
    route('POST', at, within(api, 'write', ['issues'], create)),
    route('GET', `${at}/:number`, within(api, 'read', either, one)),
    route('PATCH', `${at}/:number`, within(api, 'write', either, edit)),
    route('POST', `${at}/:number/labels`, within(api, 'write', either, label)),
  ]
}

function editOf(body: unknown): IssueEdit {
  const given = isRecord(body) ? body : {}
  const { state, state_reason: reason } = given
  const edit: { -readonly [K in keyof IssueEdit]: IssueEdit[K] } = {}
  for (const field of ['title', 'body'] as const) {
    const value = given[field] ?? undefined
    if (value === undefined) continue
    if (typeof value !== 'string') throw invalid('Issue', field, `${field} is not a string`)
    if (field === 'title' && value.trim() === '') throw invalid('Issue', 'title', "title can't be blank")
    if ([...value].length > MAX[field])
      throw invalid('Issue', field, `${field} is too long (maximum is ${MAX[field]} characters)`)
    edit[field] = value
  }
  if (state !== undefined && state !== 'open' && state !== 'closed')
    throw invalid('Issue', 'state', 'state is not one of open, closed')
  if (state !== undefined) edit.state = state
  if (reason === undefined || reason === null) return edit
  const stateReason = STATE_REASONS.find((known) => known === reason)
  if (!stateReason)
    throw invalid('Issue', 'state_reason', `state_reason is not one of ${STATE_REASONS.join(', ')}`)
  return { ...edit, stateReason }
}

/** `undefined` where there are none. Names may stand in a list by themselves, or be objects, as GitHub takes them. */
function labelsOf(body: unknown): string[] | undefined {
  const list = isRecord(body) ? body.labels : body
  if (!Array.isArray(list)) return undefined
  return list.map((entry: unknown) => {
    const name = isRecord(entry) ? entry.name : entry
    if (typeof name !== 'string' || name.trim() === '') throw invalid('Label', 'name', "name can't be blank")
    if ([...name].length > MAX_LABEL)
      throw invalid('Label', 'name', `name is too long (maximum is ${MAX_LABEL} characters)`)
    return name
  })
}

function matches({ query }: EmulatedRequest): (issue: Issue) => boolean {
  const state = query.get('state') ?? 'open'
  const creator = query.get('creator')?.toLowerCase()
  const labels = (query.get('labels') ?? '').split(',').filter((name) => name !== '')
  const since = Date.parse(query.get('since') ?? '')
  return (issue) =>
    (state === 'all' || issue.state === state) &&
    (creator === undefined || issue.user.login.toLowerCase() === creator) &&
    labels.every((name) => issue.labels.some((other) => other.toLowerCase() === name.toLowerCase())) &&
    (Number.isNaN(since) || Date.parse(issue.updatedAt) >= since)
}

/** Newest first, unless asked otherwise. */
function sorted(issues: Issue[], { query }: EmulatedRequest, comments: (issue: Issue) => number): Issue[] {
  const keys: Readonly<Record<string, (issue: Issue) => number>> = {
    updated: (issue) => Date.parse(issue.updatedAt),
    comments,
  }
  const key = keys[query.get('sort') ?? ''] ?? ((issue: Issue) => Date.parse(issue.createdAt))
  const ascending = issues.toSorted((a, b) => key(a) - key(b) || a.number - b.number)
  return query.get('direction') === 'asc' ? ascending : ascending.reverse()
}
