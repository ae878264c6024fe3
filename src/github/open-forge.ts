import type { RunContext } from '../run-context.ts'
import type { Octokit } from './client.ts'
import type { Forge } from './forge.ts'
import { GitHubForge } from './github-forge.ts'

/** The forge that the workflow runs on. */
export const openForge = (octokit: Octokit, { repository, repositoryId }: RunContext): Forge =>
  new GitHubForge(octokit, repository, repositoryId)
