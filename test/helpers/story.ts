import {
  type Ask,
  type Attempt,
  type Blow,
  type Place,
  type Story,
  undisturbed,
} from '../../simulator/story.ts'

/** What happens to one attempt: nothing, unless it says so. */
export const attempt = (more: Partial<Attempt> = {}): Attempt => ({ ...undisturbed(60_000), ...more })

export const kill = (place: Place | 'any', nth = 1): Blow => ({ place, nth, effect: { kind: 'kill' } })

/** alice asks on an issue, unless it says otherwise. */
export const ask = (attempts: readonly Attempt[], more: Partial<Ask> = {}): Ask => ({
  id: 'ask-1',
  event: 'command',
  on: 'issue',
  author: 'alice',
  sender: 'alice',
  words: 'explain retries (ask-1;)',
  inputs: {},
  workflow: 'Docs',
  merges: [],
  turn: { durationMs: 120_000 },
  attempts,
  ...more,
})

/** A story in which nothing is odd, and nothing happens yet. */
export const plainStory = (): Story => ({
  seed: 1,
  docsRepository: 'octo/app',
  permissions: { issues: 'write', pull_requests: 'write', contents: 'read' },
  title: 'Retries',
  body: '',
  crowd: 0,
  agentLogin: 'mintlify[bot]',
  agentSign: 'none',
  checks: [],
  fixTurns: [],
  followsPulls: false,
})
