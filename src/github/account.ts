import { GitHubError, isRefused } from '../base/errors.ts'
import { asObject, asString } from '../base/json.ts'
import type { Connection } from './octokit.ts'

/** The account behind the token of a workflow. */
export const WORKFLOW_BOT = 'github-actions[bot]'

/** Who the token is. Each name is asked for once; @throws {GitHubError} where GitHub does not answer. */
export function accountCalls({ octokit }: Pick<Connection, 'octokit'>) {
  let own: Promise<string | undefined> | undefined
  let viewer: Promise<string> | undefined

  /** Of the token's own account; undefined for the token of an App, such as that of a workflow: it comments as a bot. */
  const ownLogin = async (): Promise<string | undefined> => {
    own ??= octokit.rest.users.getAuthenticated().then(
      ({ data }) => asString(data.login) || undefined,
      (error: unknown) => {
        if (isRefused(error, 401, 403, 404)) return undefined
        own = undefined
        throw error
      },
    )
    return await own
  }

  return {
    ownLogin,

    /** Also of an App's bot, which GraphQL alone names: https://docs.github.com/graphql/reference/queries#viewer */
    async writerLogin(): Promise<string> {
      const login = await ownLogin()
      if (login !== undefined) return login
      viewer ??= octokit.graphql('query { viewer { login } }').then(
        (answer) => asString(asObject(asObject(answer).viewer).login) || WORKFLOW_BOT,
        (error: unknown) => {
          // It refuses with the status 200, too.
          if (!(error instanceof GitHubError) || isRefused(error)) return WORKFLOW_BOT
          viewer = undefined
          throw error
        },
      )
      return await viewer
    },
  }
}
