import { execFileSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ForgeApi } from './api.ts'
import { ACTION_OWNER, type Forge } from './instance.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NAME = 'docs-agent'

/** Publishes the working tree's tracked files as `OWNER/docs-agent@v1`. */
export async function publishAction(admin: ForgeApi, forge: Forge): Promise<void> {
  await admin.post('/user/repos', { name: NAME, default_branch: 'main' })
  // Its own workflows are for GitHub.
  await admin.patch(`/repos/${ACTION_OWNER}/${NAME}`, { has_actions: false })
  const folder = join(forge.folder, NAME)
  copyTracked(folder)
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, env: isolated(forge), stdio: 'pipe' })
  git('init', '--quiet', '--initial-branch=main')
  git('add', '--force', '.')
  git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '--message=Action')
  git('tag', 'v1')
  const remote = new URL(`${ACTION_OWNER}/${NAME}.git`, forge.url)
  Object.assign(remote, { username: ACTION_OWNER, password: forge.token })
  git('push', '--quiet', remote.href, 'main', 'v1')
}

/** What stands in a checkout, uncommitted changes included, or all of a copy without history. */
function copyTracked(to: string): void {
  const filter = (path: string) => !/(^|\/)(node_modules|\.git)$/.test(path)
  if (!existsSync(join(ROOT, '.git'))) {
    cpSync(ROOT, to, { recursive: true, filter })
    return
  }
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0')
  for (const path of tracked.filter((name) => name !== '' && existsSync(join(ROOT, name))))
    cpSync(join(ROOT, path), join(to, path))
}

/** Without the configuration of git that the person who runs the tests has. */
const isolated = ({ folder, certificate }: Forge) => ({
  PATH: process.env.PATH,
  HOME: join(folder, 'home'),
  GIT_SSL_CAINFO: certificate,
})
