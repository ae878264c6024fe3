import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ForgeApi } from './api.ts'
import { ACTION_OWNER, type Forge } from './instance.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NAME = 'docs-agent'

/** Publishes the working tree, less what git ignores, as `OWNER/docs-agent@v1`. */
export async function publishAction(admin: ForgeApi, forge: Forge): Promise<void> {
  await admin.post('/user/repos', { name: NAME, default_branch: 'main' })
  // Its own workflows are for GitHub.
  await admin.patch(`/repos/${ACTION_OWNER}/${NAME}`, { has_actions: false })
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: ROOT, env: surroundings(forge), stdio: 'pipe' })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '.')
  git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message=Action')
  git('tag', 'v1')
  const remote = new URL(`${ACTION_OWNER}/${NAME}.git`, forge.url)
  Object.assign(remote, { username: ACTION_OWNER, password: forge.token })
  git('push', '--quiet', remote.href, 'main', 'v1')
}

/** A repository of its own around the working tree, without the configuration that the person who runs the tests has. */
const surroundings = ({ folder, certificate }: Forge) => ({
  PATH: process.env.PATH,
  HOME: join(folder, 'home'),
  GIT_SSL_CAINFO: certificate,
  GIT_DIR: join(folder, NAME),
  GIT_WORK_TREE: ROOT,
})
