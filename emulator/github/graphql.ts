import { isRecord, json } from '../http.ts'
import { type Route, route } from '../router.ts'
import type { Api } from './api.ts'
import { type StartedCheck, stateOf, statusOf } from './checks.ts'
import type { Review } from './model.ts'
import { renderMarkdown } from './render.ts'

/** One of the queries that are answered; `simulator/describe.ts` holds each against GitHub's schema. */
const CREATED_VIA_EMAIL =
  /^query\(\$(\w+): \[ID!\]!\) \{ nodes\(ids: \$\1\) \{ id \.\.\. on Comment \{ createdViaEmail \} \} \}$/
/** An App's token gets its bot, with `[bot]`. */
const VIEWER = 'query { viewer { login } }'
const MINIMIZE = /(\w+): minimizeComment\(input: \{subjectId: "N_(\d+)", classifier: (\w+)\}\)/g

interface GraphQLError {
  readonly type: string
  readonly path: readonly string[]
  readonly message: string
}

/** GraphQL: what goes wrong is answered with 200, too. */
export const graphql = (api: Api): Route =>
  route('POST', '/graphql', ({ body }) => {
    const { query, variables } = isRecord(body) ? body : {}
    const text = String(query)
    if (text.startsWith('mutation')) return minimize(api, text)
    if (text.includes(' reviewThreads(')) return discussion(api, text, variables)
    if (text === VIEWER) return answer({ viewer: { login: api.settings.tokenLogin } })
    if (text.includes(' statusCheckRollup {')) return heads(api, text)
    if (text.includes('"HEAD:.github/workflows"')) return workflowFiles(api)
    const [, name] = CREATED_VIA_EMAIL.exec(text) ?? []
    if (name !== undefined) return origins(api, isRecord(variables) ? variables[name] : undefined)
    return answer(undefined, [
      { type: 'undefinedField', path: [], message: 'The emulator does not know this query' },
    ])
  })

const answer = (data: object | undefined, errors: readonly GraphQLError[] = []) =>
  json(200, { ...(data && { data }), ...(errors.length > 0 && { errors }) })

const notFound = (message: string, name: string, data: object) =>
  answer(data, [{ type: 'NOT_FOUND', path: [name], message }])

/** The files of a folder of the default branch. */
function workflowFiles({ github, settings }: Api) {
  const { contents = 'none' } = settings.permissions
  if (contents === 'none')
    return notFound('Could not resolve to a Repository', 'repository', { repository: null })
  const entries = [...github.workflows].map(([name, text]) => ({ name, object: { text } }))
  return answer({ repository: { object: entries.length === 0 ? null : { entries } } })
}

const PULL = /(\w+): repository\(owner: "([^"]+)", name: "([^"]+)"\) \{ pullRequest\(number: (\d+)\)/g

/** The checks of the heads of pull requests. What a token may not see is null, beside an error. */
function heads({ github, settings }: Api, query: string) {
  const { checks = 'none', statuses = 'none', pull_requests: pulls = 'none' } = settings.permissions
  const mayRead = [checks, statuses, pulls].every((permission) => permission !== 'none')
  const now = settings.now()
  const errors: GraphQLError[] = []
  const found = [...query.matchAll(PULL)].map(([, name = '', owner, repo, number]) => {
    const repository = github.repository(`${owner}/${repo}`)
    const pull = mayRead ? repository?.pulls.get(Number(number)) : undefined
    if (repository === undefined || pull === undefined) {
      errors.push({
        type: 'NOT_FOUND',
        path: [name, 'pullRequest'],
        message: 'Could not resolve to a PullRequest',
      })
      return [name, null]
    }
    const all = (repository.checks.get(pull.head.sha) ?? []).filter(({ appearsAt }) => appearsAt <= now)
    const contexts = all.flatMap((check) => contextOf(check, now))
    const rollup = {
      contexts: { pageInfo: { hasNextPage: contexts.length > 100 }, nodes: contexts.slice(0, 100) },
    }
    const commit = { statusCheckRollup: contexts.length === 0 ? null : rollup }
    const state = repository.issues.get(pull.number)?.state === 'open' ? 'OPEN' : 'CLOSED'
    const mergeable = pull.isConflicting ? 'CONFLICTING' : 'MERGEABLE'
    const head = { state, mergeable, commits: { nodes: [{ commit }] } }
    return [name, { pullRequest: head }]
  })
  return answer(Object.fromEntries(found), errors)
}

/** A suite is no context. */
function contextOf(check: StartedCheck, now: number): object | readonly never[] {
  const { kind = 'run', conclusion = 'success' } = check
  if (kind === 'suite') return []
  if (kind === 'status') return { __typename: 'StatusContext', state: stateOf(check, now).toUpperCase() }
  const status = statusOf(check, now)
  const isOver = status === 'completed'
  return {
    __typename: 'CheckRun',
    status: status.toUpperCase(),
    conclusion: isOver ? conclusion.toUpperCase() : null,
  }
}

/** Comments of the workflow's repository. */
function minimize({ github, settings }: Api, mutation: string) {
  const { issues, pull_requests: pulls } = settings.permissions
  const mayWrite = issues === 'write' || pulls === 'write'
  const errors: GraphQLError[] = []
  for (const [, name = '', id, classifier = ''] of mutation.matchAll(MINIMIZE)) {
    const comment = github.repo().comments.issue.get(Number(id))
    const path = [name]
    if (comment === undefined)
      errors.push({ type: 'NOT_FOUND', path, message: 'Could not resolve to a node' })
    else if (!mayWrite)
      errors.push({ type: 'FORBIDDEN', path, message: 'Resource not accessible by integration' })
    else comment.minimized = classifier
  }
  return answer({}, errors)
}

/** Whether comments came by mail. No review does. A node that cannot be seen is null, beside an error. */
function origins({ github, settings }: Api, ids: unknown) {
  const { comments, reviews } = github.repo()
  const all = [...comments.issue.values(), ...comments.review.values(), ...reviews.values()]
  const { issues = 'none', pull_requests: pulls = 'none' } = settings.permissions
  const mayRead = issues !== 'none' || pulls !== 'none'
  const asked = Array.isArray(ids) ? ids.slice(0, 100) : []
  const nodes = asked.map((id) => {
    const found = mayRead ? all.find((one) => id === `N_${one.id}`) : undefined
    return found === undefined ? null : { id, createdViaEmail: 'isMail' in found && found.isMail }
  })
  const errors = nodes.flatMap((node, at) =>
    node !== null
      ? []
      : [
          {
            type: 'NOT_FOUND',
            path: ['nodes', String(at)],
            message: `Could not resolve to a node with the global id of '${asked[at]}'`,
          },
        ],
  )
  return answer({ nodes }, errors)
}

/** GitHub gives no more than a hundred. */
const mostIn = (query: string, list: string): number =>
  Math.min(100, Number(new RegExp(` ${list}\\(last: (\\d+)\\)`).exec(query)?.[1]))

/** What others see of a pull request's reviews, and of its threads at lines. */
function discussion(api: Api, query: string, variables: unknown) {
  const repo = api.github.repo()
  const number = isRecord(variables) ? Number(variables.number) : 0
  const { pull_requests = 'none' } = api.settings.permissions
  if (!repo.pulls.has(number) || pull_requests === 'none')
    return notFound('Could not resolve to a PullRequest', 'pullRequest', {
      repository: { pullRequest: null },
    })
  const context = { repository: repo.name, serverUrl: api.links.web }
  const written = ({ id, body, user, minimized, isMail = false }: Written) => ({
    databaseId: id,
    body,
    createdViaEmail: isMail,
    bodyHTML: renderMarkdown(body, context),
    isMinimized: minimized !== undefined,
    author: user.login === '' ? null : { login: user.login.replace(/\[bot\]$/, ''), __typename: user.type },
  })
  const reviews = [...repo.reviews.values()].filter(({ pull }) => pull === number)
  const comments = [...repo.comments.review.values()].filter(({ issue }) => issue === number)
  const threads = [...Map.groupBy(comments, ({ thread }) => thread).values()]
  const last = <T>(all: readonly T[], most: number, show: (one: T) => object) => ({
    totalCount: all.length,
    nodes: all.slice(-most).map(show),
  })
  const pullRequest = {
    reviews: last(reviews, mostIn(query, 'reviews'), (one) => ({
      ...written(one),
      lastEditedAt: null,
      submittedAt: one.submittedAt,
    })),
    reviewThreads: last(threads, mostIn(query, 'reviewThreads'), (ofThread) => ({
      path: ofThread[0]?.path ?? '',
      line: ofThread[0]?.isOutdated === true ? null : (ofThread[0]?.line ?? null),
      originalLine: ofThread[0]?.line ?? null,
      isResolved: ofThread[0]?.isResolved === true,
      isOutdated: ofThread[0]?.isOutdated === true,
      comments: last(ofThread, mostIn(query, 'comments'), (one) => ({
        ...written(one),
        lastEditedAt: one.updatedAt === one.createdAt ? null : one.updatedAt,
        publishedAt: one.createdAt,
        pullRequestReview: { databaseId: one.review },
      })),
    })),
  }
  return answer({ repository: { pullRequest } })
}

type Written = Pick<Review, 'id' | 'body' | 'user'> & {
  readonly minimized?: string
  readonly isMail?: boolean
}
