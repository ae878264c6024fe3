import type { RunContext } from '../event/run-context.ts'
import { asId, asObject, asString } from '../json.ts'
import { statusOf } from '../messages/errors.ts'
import { type GitHubDeps, type Octokit, octokitClient } from './client.ts'
import { type Forge, GitHubForge } from './forge.ts'
import { GiteaForge } from './gitea-forge.ts'

/** Where the API of Gitea and Forgejo begins; GitHub Enterprise Server has `/api/v3`, and github.com no path. */
const GITEA_API = /\/api\/v1$/

/**
 * The forge that the workflow runs on, as its server tells. On GitHub this asks nothing.
 * @throws what octokit throws, where the id of the repository is nowhere to be had
 */
export async function openForge(deps: GitHubDeps, context: RunContext, token: string): Promise<Forge> {
  const octokit = await octokitClient(deps, context.apiUrl, token)
  if (!GITEA_API.test(context.apiUrl)) return new GitHubForge(octokit, context)
  const [version, repositoryId] = await Promise.all([
    versionOfGitea(octokit),
    // Gitea's runner names the id in no variable.
    context.repositoryId ||
      octokit.rest.repos.get({ ...context.repository }).then(({ data }) => asId(data.id) ?? 0),
  ])
  const known = { ...context, repositoryId }
  return version === undefined ? new GitHubForge(octokit, known) : new GiteaForge(octokit, known, version)
}

/** @returns '' where the server does not tell, as for a token that ended; undefined where it is no Gitea */
async function versionOfGitea(octokit: Octokit): Promise<string | undefined> {
  try {
    const { data } = await octokit.request('GET /version')
    return asString(asObject(data).version) || undefined
  } catch (error) {
    return statusOf(error) === 404 ? undefined : ''
  }
}
