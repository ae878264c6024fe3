import { isRecord, json } from '../http.ts'
import { type Route, route } from '../router.ts'
import type { Api } from './api.ts'

const MINIMIZE = /(\w+): minimizeComment\(input: \{subjectId: "N_(\d+)", classifier: (\w+)\}\)/g

/** As much of GraphQL as the action asks: whether a comment came by mail, and to fold comments away. */
export const graphql = (api: Api): Route =>
  route('POST', '/graphql', ({ body }) => {
    const { query, variables } = isRecord(body) ? body : {}
    const text = typeof query === 'string' ? query : ''
    if (text.startsWith('mutation')) return minimize(api, text)
    return origin(api, isRecord(variables) ? String(variables.node) : '')
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

/** Whether a comment came by mail. Reviews never do here. */
function origin({ github, settings: { permissions } }: Api, node: string) {
  const { issue, review } = github.repo().comments
  const found = [...issue.values(), ...review.values()].find(({ id }) => node === `N_${id}`)
  const isVisible = [permissions.issues, permissions.pull_requests].some((level = 'none') => level !== 'none')
  if (found !== undefined && isVisible)
    return json(200, { data: { node: { createdViaEmail: found.isMail } } })
  const errors = [{ type: 'NOT_FOUND', path: ['node'], message: 'Could not resolve to a node' }]
  return json(200, { data: { node: null }, errors })
}
