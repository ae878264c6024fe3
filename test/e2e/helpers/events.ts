import { isRecord } from '../../../emulator/http.ts'
import { comment } from '../../../scripts/demo/payload.ts'
import { webhook } from '../../../scripts/demo/webhook.ts'
import type { WorkflowEvent } from './act.ts'
import { ISSUE, REPOSITORY, type World } from './world.ts'

const [owner, name] = REPOSITORY.split('/')
const repository = { name, full_name: REPOSITORY, default_branch: 'main', owner: { login: owner } }
const person = (login: string) => ({ login, type: 'User' })

/** Someone comments. @returns the event and the comment's id */
export function commented(world: World, body: string, login = 'alice', issue = ISSUE) {
  const event = comment(world.emulator, { issue, login, body })
  const { comment: written } = event.payload
  return { event, id: isRecord(written) ? Number(written.id) : 0 }
}

export const labelled = (label: string, login = 'alice'): WorkflowEvent => ({
  name: 'issues',
  payload: webhook('issues', 'labeled', {
    issue: { number: ISSUE, title: 'Retries', body: 'Nobody explains them.', user: person('carol') },
    label: { name: label },
    repository,
    sender: person(login),
  }),
})

/** A pull request is closed. GitHub sends the same payload for `pull_request` and `pull_request_target`. */
export function closed(
  number: number,
  { merged, author }: { merged: boolean; author: string },
): WorkflowEvent {
  const bot = author.endsWith('[bot]')
  const pull_request = {
    number,
    title: 'Add a retry option',
    body: 'Closes #12.',
    merged,
    user: { login: author, type: bot ? 'Bot' : 'User' },
    base: { ref: 'main', repo: { full_name: REPOSITORY } },
    head: { ref: 'retry', repo: { full_name: REPOSITORY } },
  }
  const sender = person('alice')
  const payload = webhook('pull_request', 'closed', { number, pull_request, repository, sender })
  return { name: 'pull_request_target', payload }
}

export const released = (over: Readonly<Record<string, unknown>> = {}): WorkflowEvent => ({
  name: 'release',
  payload: webhook('release', 'published', {
    release: { tag_name: 'v2.4.0', name: 'Retries', body: 'New: `retry`.', prerelease: false, ...over },
    repository,
    sender: person('alice'),
  }),
})

export const dispatched = (inputs: Readonly<Record<string, string>> = {}): WorkflowEvent => ({
  name: 'workflow_dispatch',
  payload: webhook('workflow_dispatch', '', {
    inputs,
    ref: 'refs/heads/main',
    repository,
    sender: person('alice'),
  }),
})

/** A schedule has no subject and nobody who set it off. */
export const scheduled = (cron: string): WorkflowEvent => ({
  name: 'schedule',
  payload: { schedule: cron, workflow: '.github/workflows/docs.yml', repository },
})
