import { isRecord, json } from '../http.ts'
import { type Route, route } from '../router.ts'
import type { Api } from './api.ts'
import type { Review } from './model.ts'
import { renderMarkdown } from './render.ts'

const MINIMIZE = /(\w+): minimizeComment\(input: \{subjectId: "N_(\d+)", classifier: (\w+)\}\)/g
/** One of the queries that are answered; `simulator/describe.ts` holds it against GitHub's schema. */
const CREATED_VIA_EMAIL =
  /^query\(\$(\w+): ID!\) \{ node\(id: \$\1\) \{ \.\.\. on Comment \{ createdViaEmail \} \} \}$/

/** GraphQL: what goes wrong is answered with 200, too. */
export const graphql = (api: Api): Route =>
  route('POST', '/graphql', ({ body }) => {
    const { query, variables } = isRecord(body) ? body : {}
    if (String(query).startsWith('mutation')) return minimize(api, String(query))
    if (String(query).includes(' reviewThreads(')) return discussion(api, variables)
    const [, name = ''] = CREATED_VIA_EMAIL.exec(String(query)) ?? []
    if (name === '') return failed('undefinedField', 'The emulator does not know this query', undefined)
    const id = isRecord(variables) ? variables[name] : undefined
    const { comments, reviews } = api.github.repo()
    const all = [...comments.issue.values(), ...comments.review.values(), ...reviews.values()]
    const found = all.find((one) => id === `N_${one.id}`)
    const { issues = 'none', pull_requests = 'none' } = api.settings.permissions
    if (found === undefined || (issues === 'none' && pull_requests === 'none'))
      return failed('NOT_FOUND', `Could not resolve to a node with the global id of '${id}'`, { node: null })
    // No review comes by mail.
    return json(200, { data: { node: { createdViaEmail: 'isMail' in found && found.isMail } } })
  })

/** Comments of the workflow's repository. */
function minimize({ github, settings }: Api, mutation: string) {
  const { issues, pull_requests: pulls } = settings.permissions
  const mayWrite = issues === 'write' || pulls === 'write'
  const errors: object[] = []
  for (const [, name, id, classifier = ''] of mutation.matchAll(MINIMIZE)) {
    const comment = github.repo().comments.issue.get(Number(id))
    if (comment === undefined)
      errors.push({ type: 'NOT_FOUND', path: [name], message: 'Could not resolve to a node' })
    else if (!mayWrite)
      errors.push({ type: 'FORBIDDEN', path: [name], message: 'Resource not accessible by integration' })
    else comment.minimized = classifier
  }
  return json(200, { data: {}, ...(errors.length > 0 && { errors }) })
}

/** What others see of a pull request's reviews, and of its threads at lines. */
function discussion(api: Api, variables: unknown) {
  const repo = api.github.repo()
  const number = isRecord(variables) ? Number(variables.number) : 0
  const { pull_requests = 'none' } = api.settings.permissions
  if (!repo.pulls.has(number) || pull_requests === 'none')
    return failed('NOT_FOUND', 'Could not resolve to a PullRequest', { repository: { pullRequest: null } })
  const context = { repository: repo.name, serverUrl: api.links.web }
  const written = ({ id, body, user, minimized }: Written) => ({
    databaseId: id,
    bodyHTML: renderMarkdown(body, context),
    isMinimized: minimized !== undefined,
    author: { login: user.login.replace(/\[bot\]$/, ''), __typename: user.type },
  })
  const reviews = [...repo.reviews.values()].filter(({ pull }) => pull === number)
  const comments = [...repo.comments.review.values()].filter(({ issue }) => issue === number)
  const threads = [...Map.groupBy(comments, ({ thread }) => thread).values()]
  const last = <T>(all: readonly T[], most: number, show: (one: T) => object) => ({
    totalCount: all.length,
    nodes: all.slice(-most).map(show),
  })
  const pullRequest = {
    reviews: last(reviews, 50, (one) => ({
      ...written(one),
      lastEditedAt: null,
      submittedAt: one.submittedAt,
    })),
    reviewThreads: last(threads, 50, (ofThread) => ({
      path: 'docs/guide.mdx',
      line: ofThread[0]?.line ?? null,
      originalLine: ofThread[0]?.line ?? null,
      comments: last(ofThread, 30, (one) => ({
        ...written(one),
        lastEditedAt: one.updatedAt === one.createdAt ? null : one.updatedAt,
        publishedAt: one.createdAt,
        pullRequestReview: { databaseId: one.review },
      })),
    })),
  }
  return json(200, { data: { repository: { pullRequest } } })
}

type Written = Pick<Review, 'id' | 'body' | 'user'> & { readonly minimized?: string }

const failed = (type: string, message: string, data: object | undefined) =>
  json(200, { ...(data && { data }), errors: [{ type, path: ['node'], message }] })
