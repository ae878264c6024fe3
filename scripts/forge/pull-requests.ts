import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { PullRequests } from '../../emulator/service/turn.ts'
import { type Access, ForgeApi } from './api.ts'

/** How the agent reaches the instance. */
interface Agent extends Access {
  readonly token: string
  /** `owner/name` of the repository that it works on. */
  readonly repository: string
  /** A commit status that each of its commits gets at once, as `pending`. */
  readonly pendingStatus?: string
}

/** The agent's pull requests on a real instance. The emulator wants them at once, so that they take a process each. */
export function forgePullRequests(agent: Agent): PullRequests {
  const does = (what: string, job: string): string => {
    const args = [fileURLToPath(import.meta.url), JSON.stringify(agent), what, job]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`The agent could not ${what} ${job}:\n${stderr}`)
    return stdout.trim()
  }
  return {
    open: ({ id }) => does('open', id),
    push: ({ id, prompts }) => void does(`push${prompts.length}`, id),
  }
}

async function act(
  { repository, token, pendingStatus, ...access }: Agent,
  what: string,
  job: string,
): Promise<string> {
  const api = new ForgeApi(access, `token ${token}`)
  const branch = `docs-agent/${job}`
  const content = Buffer.from(`Written for ${job}.\n`).toString('base64')
  const onto = what === 'open' ? { branch: 'main', new_branch: branch } : { branch }
  const commit = { message: `docs: ${job}`, content, ...onto }
  const file = `/repos/${repository}/contents/docs/${job}-${what}.md`
  const { commit: made } = await api.post<{ commit: { sha: string } }>(file, commit)
  if (pendingStatus !== undefined) {
    const status = { context: pendingStatus, state: 'pending' }
    await api.post(`/repos/${repository}/statuses/${made.sha}`, status)
  }
  if (what !== 'open') return ''
  const pull = {
    title: `Update the docs (${job})`,
    body: 'Written by the docs agent.',
    base: 'main',
    head: branch,
  }
  return (await api.post<{ html_url: string }>(`/repos/${repository}/pulls`, pull)).html_url
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [agent = '', what = '', job = ''] = process.argv.slice(2)
  process.stdout.write(await act(JSON.parse(agent), what, job))
}
