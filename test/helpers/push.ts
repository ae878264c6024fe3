import type { ChangedFile } from '../../emulator/github/model.ts'
import type { RunResult } from '../../emulator/runner.ts'
import type { More, World } from './world.ts'

export const BEFORE = 'b'.repeat(40)
/** A commit that belongs to no pull request. */
export const DIRECT = 'd'.repeat(40)

export interface Pushed {
  readonly before?: string
  readonly branch?: string
  readonly ref?: string
  readonly forced?: boolean
  readonly by?: string
  /** Besides the head, oldest first. */
  readonly commits?: readonly string[]
  /** Of the head. */
  readonly author?: string
  readonly files?: readonly ChangedFile[]
  /** Earlier pushes had all of its commits. */
  readonly isKnown?: boolean
}

/** A push whose comparison has these commits, and the run that it triggers. */
export function pushTo(
  emulator: World,
  after: string,
  pushed: Pushed = {},
  more: More = {},
): Promise<RunResult> {
  const { before = BEFORE, branch = 'main', forced = false, by = 'alice', author = by, commits = [] } = pushed
  const { ref = `refs/heads/${branch}`, files = [{ filename: 'src/direct.ts' }], isKnown = false } = pushed
  const all = [...commits, after].map((sha) => ({ sha, message: `Commit ${sha.slice(0, 4)}` }))
  emulator.github.setCompare(before, after, { commits: all, files })
  const sender = { login: by, type: by.endsWith('[bot]') ? 'Bot' : 'User' }
  const head_commit = { id: after, author: { name: author, username: author } }
  const ids = all.map(({ sha }) => ({ id: sha, distinct: !isKnown }))
  const payload = { ref, before, after, forced, sender, commits: ids, head_commit }
  const event = { name: 'push', payload }
  return emulator.act(event, { ...more, inputs: { prompt: 'Refresh the docs.', ...more.inputs } })
}
