import { GitHubError, isRefused } from '../base/errors.ts'
import { asObject, asString } from '../base/json.ts'
import type { RepositoryName } from '../base/link.ts'
import type { Connection } from './octokit.ts'
import { entriesOf, PAGE_SIZE } from './pagination.ts'

/** The account behind the token of a workflow. */
export const WORKFLOW_BOT = 'github-actions[bot]'

interface ReachedRepository extends RepositoryName {
  readonly defaultBranch: string
}

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

    /**
     * The repositories that the token of an App reaches, a hundred at most; refused (403) for the token of a person.
     * https://docs.github.com/rest/apps/installations#list-repositories-accessible-to-the-app-installation
     */
    async reachedRepositories(): Promise<readonly ReachedRepository[]> {
      const list = { field: 'repositories', most: PAGE_SIZE }
      return await entriesOf(octokit, 'GET /installation/repositories', {}, parseReached, list)
    },
  }
}

function parseReached(entry: unknown): ReachedRepository {
  const { name, owner, default_branch } = asObject(entry)
  return {
    owner: asString(asObject(owner).login),
    repo: asString(name),
    defaultBranch: asString(default_branch),
  }
}
