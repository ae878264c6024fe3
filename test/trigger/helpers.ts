import type { Emulator } from '../../emulator/emulator.ts'
import { cancellation } from '../../src/cancellation.ts'
import { octokitClient } from '../../src/github/client.ts'
import { type Forge, GitHubForge } from '../../src/github/forge.ts'

/** The forge in front of an emulated GitHub. Pauses between tries take no time; the limit of a request never comes. */
export async function forgeOf(emulator: Emulator): Promise<Forge> {
  const sleep = (ms: number) => (ms >= 10_000 ? new Promise<void>(() => {}) : Promise.resolve())
  const deps = { fetch: emulator.fetch, cancellation: cancellation(sleep), now: Date.now, sleep }
  const octokit = await octokitClient(deps, emulator.githubUrl, 'test-token')
  return new GitHubForge(octokit, { repository: { owner: 'octo', repo: 'app' }, repositoryId: 1 })
}
