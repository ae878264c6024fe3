import { isRecord, json } from '../http.ts'
import { type Route, route } from '../router.ts'
import type { Api } from './api.ts'

/** What the action asks; `simulator/describe.ts` holds both against GitHub's schema. */
const CREATED_VIA_EMAIL =
  /^query\(\$(\w+): ID!\) \{ node\(id: \$\1\) \{ \.\.\. on Comment \{ createdViaEmail \} \} \}$/
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
    const [, name] = CREATED_VIA_EMAIL.exec(text) ?? []
    if (name !== undefined) return origin(api, isRecord(variables) ? variables[name] : undefined)
    return answer(undefined, [
      { type: 'undefinedField', path: [], message: 'The emulator does not know this query' },
    ])
  })

const answer = (data: object | undefined, errors: readonly GraphQLError[] = []) =>
  json(200, { ...(data && { data }), ...(errors.length > 0 && { errors }) })

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

/** Whether a comment came by mail. No review does. */
function origin({ github, settings }: Api, id: unknown) {
  const { comments, reviews } = github.repo()
  const all = [...comments.issue.values(), ...comments.review.values(), ...reviews.values()]
  const found = all.find((one) => id === `N_${one.id}`)
  const { issues = 'none', pull_requests: pulls = 'none' } = settings.permissions
  if (found !== undefined && (issues !== 'none' || pulls !== 'none'))
    return answer({ node: { createdViaEmail: 'isMail' in found && found.isMail } })
  const message = `Could not resolve to a node with the global id of '${id}'`
  return answer({ node: null }, [{ type: 'NOT_FOUND', path: ['node'], message }])
}
