import type { ChangedFile } from '../../emulator/github/model.ts'
import type { NewPush } from '../../emulator/github/new.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'
import type { ActionRun, RunResult } from '../../emulator/runner.ts'
import { type World, world } from './world.ts'

/** alice's pull request, whose documentation a workflow keeps in step (contract 3.13, 4.13). */

export const CODE = 30
export const PROMPT = 'Document this pull request.'
export const INPUTS = { prompt: PROMPT, 'commit-status': 'docs' }
export const WRITES = {
  issues: 'write',
  pull_requests: 'write',
  contents: 'read',
  statuses: 'write',
} as const

export const file = (filename: string, line: string, at = 1): ChangedFile => ({
  filename,
  patch: `@@ -${at} +${at} @@ function ${filename}\n-old\n+${line}`,
})
export const FIRST = [file('src/retry.ts', 'first')]
export const SECOND = file('src/limit.ts', 'second')
const THIRD = file('src/log.ts', 'third')
/** Two pushes that follow one another. */
export const SECOND_PUSH = { files: [...FIRST, SECOND], commit: [SECOND] }
export const THIRD_PUSH = { files: [...FIRST, SECOND, THIRD], commit: [THIRD] }

export function codeWorld(options: EmulatorOptions = {}) {
  const emulator = world({ permissions: WRITES, ...options })
  emulator.github.addPullRequest({ number: CODE, title: 'Add retries', user: 'alice', files: FIRST })
  return emulator
}

/** As the workflow gets it from GitHub. */
export function pulled({ shown }: World, action: string, sender = 'alice', number = CODE) {
  const payload = { action, number, pull_request: shown.pull(number), sender: shown.user(sender) }
  return { name: 'pull_request', payload: { ...payload, repository: shown.repository() } }
}

interface Happening extends Partial<ActionRun> {
  readonly by?: string
}

/** Of the workflow; each has an id of its own. */
let lastRun = 100

export function happens(emulator: World, action: string, { inputs, by, ...more }: Happening = {}) {
  lastRun += 1
  const run = { runId: lastRun, ...more, inputs: { ...INPUTS, ...inputs } }
  return emulator.act(pulled(emulator, action, by), run)
}

export async function pushes(emulator: World, push: NewPush, more: Happening = {}): Promise<RunResult> {
  emulator.github.push(CODE, push)
  return await happens(emulator, 'synchronize', more)
}

export const headOf = ({ github }: World, number = CODE): string => github.pull(number).head.sha

export const states = (emulator: World, sha = headOf(emulator)): string[] =>
  emulator.github.statuses(sha).map(({ state }) => state)

/** What each state says, in order. */
export const saidOf = (emulator: World, sha = headOf(emulator)): string[] =>
  emulator.github.statuses(sha).map(({ state, description }) => `${state}: ${description}`)

/** What a head says whose documentation is there. */
export const DELIVERED = 'success: octo/docs#77'

export const closes = async (emulator: World, merged: boolean, more: Happening = {}): Promise<RunResult> => {
  emulator.github.closePullRequest(CODE, { merged })
  return await happens(emulator, 'closed', more)
}

/** The commit that a merge queue makes for a pull request. */
export const QUEUE_COMMIT = 'e'.repeat(40)

/** A merge queue has its commit checked. @param branch of its own */
export function queued(
  { github, shown }: World,
  branch = `gh-readonly-queue/main/pr-${CODE}-${'a'.repeat(40)}`,
  action = 'checks_requested',
) {
  github.addChecks(QUEUE_COMMIT, [])
  const merge_group = {
    head_sha: QUEUE_COMMIT,
    head_ref: `refs/heads/${branch}`,
    base_ref: 'refs/heads/main',
  }
  const sender = shown.user('github-merge-queue[bot]')
  return { name: 'merge_group', payload: { action, merge_group, sender, repository: shown.repository() } }
}

/** A run that cannot read the files of the pull request. */
export async function unread<T>(emulator: World, run: () => Promise<T>): Promise<T> {
  const match = { method: 'GET', path: /\/files$/ }
  const fault = emulator.faults.add({ match, times: Infinity, fault: { kind: 'status', status: 403 } })
  const result = await run()
  fault.remove()
  return result
}
