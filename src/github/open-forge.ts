import { isRefused } from '../errors.ts'
import type { RunContext } from '../event/trigger.ts'
import type { TimeLimits } from '../http/failure.ts'
import { asId, asObject, asString } from '../json.ts'
import type { Forge } from './forge.ts'
import { giteaForge } from './gitea-forge.ts'
import { gitHubForge } from './github-forge.ts'
import { connect } from './octokit.ts'
import type { RequestDeps } from './requests.ts'

/** Where the API of Gitea and Forgejo begins; GitHub Enterprise Server has `/api/v3`, and github.com no path. */
const GITEA_API = /\/api\/v1$/

/**
 * The forge that the workflow runs on, as its server tells. On GitHub this sends no request.
 * @param limits of the first phase of the run; `during` opens the next ones
 * @throws {ForgeError} where the id of the repository is nowhere to be had
 */
export async function openForge(
  deps: RequestDeps,
  context: RunContext,
  token: string,
  limits: TimeLimits,
): Promise<Forge> {
  const connection = await connect(deps, context, token, limits)
  if (!GITEA_API.test(context.apiUrl)) return gitHubForge(connection, context)
  const { octokit } = connection
  // '' where the server does not tell, as for a token that ended; undefined where it is no Gitea.
  const readVersion = async (): Promise<string | undefined> => {
    try {
      const { data } = await octokit.request('GET /version')
      return asString(asObject(data).version) || undefined
    } catch (error) {
      return isRefused(error, 404) ? undefined : ''
    }
  }
  const [version, repositoryId] = await Promise.all([
    readVersion(),
    // Gitea's runner names the id in no variable.
    context.repositoryId ||
      octokit.rest.repos.get({ ...context.repository }).then(({ data }) => asId(data.id) ?? 0),
  ])
  const known = { ...context, repositoryId }
  if (version === undefined) return gitHubForge(connection, known)
  // Gitea has pages of attempts since 1.27. Forgejo, whose version names that of Gitea behind a plus sign, has none.
  const [, minor] = /^1\.(\d+)\.(?!.*\+gitea-)/.exec(version) ?? []
  return giteaForge(connection, known, Number(minor) >= 27)
}
