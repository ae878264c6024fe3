import type { Emulator } from '../../emulator/emulator.ts'
import type { NewPullRequest } from '../../emulator/github/new.ts'
import { act, type More } from './conversation-helpers.ts'

export const SCHEDULE = { name: 'schedule', payload: { schedule: '17 6 * * 1' } }
export const PROMPT = { prompt: 'Refresh the docs.' }
export const DAY_MS = 86_400_000
export const daysAgo = (days: number): number => Date.now() - days * DAY_MS

/** A pull request that was merged so many days ago; its number and the SHA of the merge. */
export function merge(emulator: Emulator, given: NewPullRequest & { readonly days?: number } = {}) {
  const { days = 1, ...pull } = given
  const { number } = emulator.github.addPullRequest({ user: 'alice', ...pull })
  emulator.github.closePullRequest(number, { merged: true, at: daysAgo(days) })
  const found = emulator.github.repository(emulator.settings.repository)?.pulls.get(number)
  return { number, sha: found?.mergeCommitSha ?? '' }
}

/** A scheduled run; each has an id of its own. */
export const refresh = (
  emulator: Emulator,
  runId: number,
  inputs: Record<string, string> = {},
  more: More = {},
) => act(emulator, SCHEDULE, { runId, ...more, inputs: { ...PROMPT, ...inputs } })
