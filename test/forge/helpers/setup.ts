import type { TestProject } from 'vitest/node'
import { publishAction } from '../../../scripts/forge/action.ts'
import { ForgeApi } from '../../../scripts/forge/api.ts'
import { cached } from '../../../scripts/forge/binaries.ts'
import { type Forge, startForge } from '../../../scripts/forge/instance.ts'
import { createPeople, type Tokens } from '../../../scripts/forge/people.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly forge: Forge & { readonly tokens: Tokens }
  }
}

/** One instance for all stories, each of which has a repository of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const startedAt = Date.now()
  const { forge, stop } = await startForge(cached())
  try {
    const admin = new ForgeApi(forge, `token ${forge.token}`)
    const [tokens] = await Promise.all([
      createPeople(admin, forge, forge.password),
      publishAction(admin, forge),
    ])
    project.provide('forge', { ...forge, tokens })
    process.stdout.write(
      `Gitea and its runner took ${Math.round((Date.now() - startedAt) / 1000)} s to start.\n`,
    )
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}
