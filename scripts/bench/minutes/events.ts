import type { Emulator } from '../../../emulator/emulator.ts'
import type { ActionRun } from '../../../emulator/runner.ts'
import { endedStatuses, endedWorkflows } from './ci.ts'

type Event = ActionRun['event']

export interface PlayedEvents {
  /** The events that start a sweep. */
  readonly on: readonly ('pull_request' | 'workflow_run' | 'status' | 'repository_dispatch' | 'schedule')[]
  /** The workflows, or the contexts of statuses, whose end counts; all by default. */
  readonly named?: readonly string[]
  /** The first end of CI brings no event. */
  readonly losesFirst?: boolean
  /** When the schedule's first event comes: milliseconds since the epoch. Then it comes each hour. */
  readonly firstSweepAt: number
}

/** The agent's pull request. */
const PULL = 77
const HOUR_MS = 3_600_000

/** The events that GitHub sends while a request is played. */
export class Events {
  readonly #emulator: Emulator
  readonly #played: PlayedEvents
  /** What has been sent, so that each comes once. */
  readonly #sent = new Set<string>()
  #sweepAt: number

  constructor(emulator: Emulator, played: PlayedEvents) {
    this.#emulator = emulator
    this.#played = played
    this.#sweepAt = played.firstSweepAt
  }

  /** Those that have become due since the last call. */
  due(): Event[] {
    const { settings } = this.#emulator
    const events = this.#ofHead()
    if (settings.now() < this.#sweepAt) return events
    this.#sweepAt += HOUR_MS
    return this.#played.on.includes('schedule') ? [...events, SCHEDULE] : events
  }

  #ofHead(): Event[] {
    const { settings, github } = this.#emulator
    const repo = github.repository(settings.docsRepository)
    const sha = repo?.pulls.get(PULL)?.head.sha
    if (repo === undefined || sha === undefined) return []
    const { on, named, losesFirst = false } = this.#played
    const action = this.#sent.size === 0 ? 'opened' : 'synchronize'
    const isPushed = this.#isNew(sha)
    const ended = (names: readonly string[]) =>
      names
        .filter((name) => named?.includes(name) !== false && this.#isNew(`${sha} ${name}`))
        .filter(() => !(losesFirst && this.#isNew('lost')))
    const checks = repo.checks.get(sha) ?? []
    const workflows = ended(endedWorkflows(checks, settings.now()))
    const contexts = ended(endedStatuses(checks, settings.now()))
    const about = aboutPull(this.#emulator)
    return [
      ...(isPushed && on.includes('pull_request') ? [pullRequestEvent(about(), action)] : []),
      ...(on.includes('workflow_run') ? workflows.map((name) => workflowRunEvent(about(), name)) : []),
      ...(on.includes('repository_dispatch') ? workflows.map(() => dispatchEvent(this.#emulator)) : []),
      ...(on.includes('status') ? contexts.map((name) => statusEvent(about(), name)) : []),
    ]
  }

  #isNew(what: string): boolean {
    const isNew = !this.#sent.has(what)
    this.#sent.add(what)
    return isNew
  }
}

const SCHEDULE: Event = { name: 'schedule', payload: { schedule: '17 6-18 * * 1-5' } }

type About = ReturnType<ReturnType<typeof aboutPull>>

/** Where the docs are in the repository of the workflow. */
const aboutPull =
  ({ shown }: Emulator) =>
  () => {
    const pull = shown.pull(PULL)
    return { pull, rest: { repository: shown.repository(), sender: pull.user } }
  }

const pullRequestEvent = ({ pull, rest }: About, action: string): Event => ({
  name: 'pull_request',
  payload: { action, number: PULL, pull_request: pull, ...rest },
})

function workflowRunEvent({ pull: { head, base, user }, rest }: About, name: string): Event {
  const workflow_run = {
    ...{ name, event: 'pull_request', status: 'completed', actor: user, triggering_actor: user },
    ...{ head_sha: head.sha, head_branch: head.ref, head_repository: head.repo },
    pull_requests: [{ number: PULL, head: reduced(head), base: reduced(base) }],
  }
  return { name: 'workflow_run', payload: { action: 'completed', workflow_run, ...rest } }
}

/** This event has less of a repository. */
const reduced = ({ ref, sha, repo: { id, name, url } }: About['pull']['base']) => ({
  ref,
  sha,
  repo: { id, name, url },
})

function statusEvent({ pull: { head, user }, rest }: About, context: string): Event {
  const { ref, sha } = head
  const payload = { sha, state: 'success', context, commit: { sha, author: user } }
  return { name: 'status', payload: { ...payload, branches: [{ name: ref, commit: { sha } }], ...rest } }
}

/** What the workflow in the docs' repository sends. */
const dispatchEvent = ({ settings, shown }: Emulator): Event => ({
  name: 'repository_dispatch',
  payload: {
    action: 'docs-agent',
    client_payload: { 'pull-request': `${settings.serverUrl}/${settings.docsRepository}/pull/${PULL}` },
    ...{ repository: shown.repository(), sender: shown.user('docs-app[bot]') },
  },
})
