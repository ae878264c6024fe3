import type { Call, RepoHandler, RepoRoute } from './api.ts'
import { invalid, issuesDisabled, notFound } from './errors.ts'
import { reply, replyAll } from './media.ts'
import { type Issue, userOf } from './model.ts'
import { issueJson, labelEventJson, labelsJson } from './shapes.ts'

/** Longest title and body, in characters. */
const MAX = { title: 256, body: 65_536 } as const
const MAX_LABEL = 50

const issueOf = ({ repo, param }: Call): Issue => {
  const found = repo.issues.get(Number(param('number')))
  if (!found) throw notFound()
  return found
}

const one: RepoHandler = (call) => reply(call, issueJson(call, issueOf(call)))

const list: RepoHandler = (call) => {
  if (!call.repo.hasIssues) throw issuesDisabled()
  const { query } = call.request
  const state = query.get('state') ?? 'open'
  const creator = query.get('creator')?.toLowerCase()
  const timeOf = (issue: Issue) =>
    Date.parse(query.get('sort') === 'updated' ? issue.updatedAt : issue.createdAt)
  const newestFirst = [...call.repo.issues.values()]
    .filter((issue) => state === 'all' || issue.state === state)
    .filter(({ user }) => creator === undefined || user.login.toLowerCase() === creator)
    .sort((a, b) => timeOf(b) - timeOf(a) || b.number - a.number)
  return replyAll(call, newestFirst, (issue) => issueJson(call, issue))
}

const create: RepoHandler = (call) => {
  const { github, settings, links, repo, given } = call
  if (!repo.hasIssues) throw issuesDisabled()
  const [title, body] = [textOf(given, 'title'), textOf(given, 'body')]
  if (title.trim() === '') throw invalid('Issue', 'title', "title can't be blank")
  const user = userOf(settings.tokenLogin)
  const issue = github.addIssue({ title, body, user, repo: repo.name })
  const location = `${links.api}/repos/${repo.name}/issues/${issue.number}`
  return reply(call, issueJson(call, issue), 201, { location })
}

const edit: RepoHandler = (call) => {
  const { number } = issueOf(call)
  call.github.editIssue(number, { body: textOf(call.given, 'body') }, call.repo.name)
  return reply(call, issueJson(call, issueOf(call)))
}

const label: RepoHandler = (call) => {
  const { number } = issueOf(call)
  const names: readonly unknown[] = Array.isArray(call.given.labels) ? call.given.labels : ['']
  const labels = names.map((name) => {
    if (typeof name !== 'string' || name.trim() === '') throw invalid('Label', 'name', "name can't be blank")
    if ([...name].length > MAX_LABEL)
      throw invalid('Label', 'name', `name is too long (maximum is ${MAX_LABEL} characters)`)
    return name
  })
  return reply(
    call,
    labelsJson(call, call.github.addLabels(number, labels, call.repo.name, call.settings.tokenLogin)),
  )
}

const EITHER = ['issues', 'pull_requests'] as const

const events: RepoHandler = (call) => {
  const issue = issueOf(call)
  return replyAll(call, issue.labelEvents, (event) => labelEventJson(call, issue, event))
}

/** Issues, and the labels that pull requests have, too. */
export const ISSUES: readonly RepoRoute[] = [
  ['GET', '/issues', ['issues'], list],
  ['POST', '/issues', ['issues'], create],
  ['GET', '/issues/:number', EITHER, one],
  ['PATCH', '/issues/:number', EITHER, edit],
  ['POST', '/issues/:number/labels', EITHER, label],
  ['GET', '/issues/:number/events', EITHER, events],
]

function textOf(given: Call['given'], field: keyof typeof MAX): string {
  const value = given[field] ?? ''
  if (typeof value !== 'string') throw invalid('Issue', field, `${field} is not a string`)
  if ([...value].length > MAX[field])
    throw invalid('Issue', field, `${field} is too long (maximum is ${MAX[field]} characters)`)
  return value
}
