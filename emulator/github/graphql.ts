import { isRecord, json } from '../http.ts'
import { type Route, route } from '../router.ts'
import type { Api } from './api.ts'

/** The one query that is answered; `simulator/describe.ts` holds it against GitHub's schema. */
const CREATED_VIA_EMAIL =
  /^query\(\$(\w+): ID!\) \{ node\(id: \$\1\) \{ \.\.\. on Comment \{ createdViaEmail \} \} \}$/

/** GraphQL: what goes wrong is answered with 200, too. */
export const graphql = (api: Api): Route =>
  route('POST', '/graphql', ({ body }) => {
    const { query, variables } = isRecord(body) ? body : {}
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

const failed = (type: string, message: string, data: object | undefined) =>
  json(200, { ...(data && { data }), errors: [{ type, path: ['node'], message }] })
