import { eventsOf } from '../../../emulator/github/samples.ts'
import { isRecord } from '../../../emulator/http.ts'
import { comment } from '../../../scripts/demo/actions.ts'
import type { WorkflowEvent } from './act.ts'
import { ISSUE, REPOSITORY, type Sandbox } from './sandbox.ts'

const [owner, name] = REPOSITORY.split('/')
const repository = { name, full_name: REPOSITORY, default_branch: 'main', owner: { login: owner } }
const person = (login: string) => ({ login, type: 'User' })

/** Someone comments. @returns the event and the comment's id */
export function commented(sandbox: Sandbox, body: string, login = 'alice', issue = ISSUE) {
  const event = comment(sandbox.emulator, { issue, login, body })
  return { event, id: Number(event.payload.comment.id) }
}

/** alice reviews a new pull request of carol's. */
export function reviewed({ emulator }: Sandbox, body: string) {
  const pull = { title: 'Add retries', user: 'carol' }
  const { number } = emulator.github.addPullRequest(pull)
  const { id, submittedAt } = emulator.github.addReview(number, { login: 'alice', body })
  const base = { ref: 'main', repo: { full_name: REPOSITORY } }
  const payload = webhook('pull_request_review', 'submitted', {
    review: { id, body, user: person('alice'), submitted_at: submittedAt },
    pull_request: {
      ...pull,
      number,
      body: '',
      user: person(pull.user),
      base,
      head: { ...base, ref: 'retries', sha: emulator.github.pull(number).head.sha },
    },
    repository,
    sender: person('alice'),
  })
  return { event: { name: 'pull_request_review', payload } satisfies WorkflowEvent, number }
}

export const labelled = (label: string): WorkflowEvent => ({
  name: 'issues',
  payload: webhook('issues', 'labeled', {
    issue: { number: ISSUE, title: 'Retries', body: 'Nobody explains them.', user: person('carol') },
    label: { name: label },
    repository,
    sender: person('alice'),
  }),
})

/** Someone merges into main, or pushes there directly. */
export const pushed = ({
  before,
  after,
}: {
  readonly before: string
  readonly after: string
}): WorkflowEvent => ({
  name: 'push',
  payload: webhook('push', '', {
    ref: 'refs/heads/main',
    before,
    after,
    forced: false,
    repository,
    sender: person('alice'),
  }),
})

/** A pull request is opened, by a bot where the login says so. */
export function opened(number: number, login: string, headRepository = REPOSITORY): WorkflowEvent {
  const user = { login, type: login.endsWith('[bot]') ? 'Bot' : 'User' }
  const pull_request = {
    number,
    html_url: `https://github.com/${REPOSITORY}/pull/${number}`,
    user,
    base: { ref: 'main', repo: { full_name: REPOSITORY } },
    head: { ref: 'docs', repo: { full_name: headRepository } },
  }
  const payload = webhook('pull_request', 'opened', { number, pull_request, repository, sender: user })
  return { name: 'pull_request', payload }
}

/** alice does something to a pull request. @param over fields of the pull request */
export const pulled = (
  { emulator }: Sandbox,
  action: string,
  number: number,
  over: Json = {},
): WorkflowEvent => ({
  name: 'pull_request',
  payload: {
    ...{ action, number, repository, sender: person('alice'), label: { name: 'docs' } },
    pull_request: { ...emulator.shown.pull(number), draft: false, ...over },
  },
})

/** A merge queue made a commit of a pull request. */
export const enqueued = (number: number, headSha: string): WorkflowEvent => ({
  name: 'merge_group',
  payload: {
    action: 'checks_requested',
    merge_group: {
      head_sha: headSha,
      head_ref: `refs/heads/gh-readonly-queue/main/pr-${number}-${'a'.repeat(40)}`,
      base_ref: 'refs/heads/main',
    },
    repository,
    sender: { login: 'github-merge-queue[bot]', type: 'Bot' },
  },
})

/** A workflow has checked the head of a pull request. @param over fields of its run */
export function checked({ emulator }: Sandbox, number: number, over: Json = {}): WorkflowEvent {
  const { head, base, user } = emulator.shown.pull(number)
  const reduced = ({ ref, sha, repo: { id, name, url } }: typeof base) => ({
    ref,
    sha,
    repo: { id, name, url },
  })
  const workflow_run = {
    ...{ name: 'CI', event: 'pull_request', actor: user, head_sha: head.sha, head_branch: head.ref },
    head_repository: head.repo,
    pull_requests: [{ number, head: reduced(head), base: reduced(base) }],
    ...over,
  }
  const payload = webhook('workflow_run', 'completed', { workflow_run, repository, sender: user })
  return { name: 'workflow_run', payload }
}

/** CI that is no GitHub Actions has set a status on the head of a pull request. @param over fields of the event */
export function statusSet({ emulator }: Sandbox, number: number, over: Json = {}): WorkflowEvent {
  const { head, user } = emulator.shown.pull(number)
  const payload = webhook('status', '', {
    ...{ sha: head.sha, context: 'ci/build', state: 'success', commit: { sha: head.sha, author: user } },
    branches: [{ name: head.ref, commit: { sha: head.sha } }],
    ...{ repository, sender: user, ...over },
  })
  return { name: 'status', payload }
}

export const dispatched = (inputs: Readonly<Record<string, string>> = {}): WorkflowEvent => ({
  name: 'workflow_dispatch',
  payload: webhook('workflow_dispatch', '', {
    inputs,
    ref: 'refs/heads/main',
    repository,
    sender: person('alice'),
  }),
})

/** A program has sent the event. */
export const dispatchedBy = ({
  event_type,
  client_payload,
}: {
  readonly event_type: string
  readonly client_payload: Json
}): WorkflowEvent => ({
  name: 'repository_dispatch',
  payload: webhook('repository_dispatch', 'on-demand-test', {
    ...{ action: event_type, client_payload, repository },
    sender: { login: 'docs-app[bot]', type: 'Bot' },
  }),
})

/** A schedule has no subject and no sender. */
export const scheduled = (cron: string): WorkflowEvent => ({
  name: 'schedule',
  payload: { schedule: cron, workflow: '.github/workflows/docs.yml', repository },
})

type Json = Readonly<Record<string, unknown>>

/** A payload as GitHub really sent it, with `over` put over it, field by field. Events without actions take ''. */
function webhook(name: string, action: string, over: Json): Json {
  const [example] = eventsOf(name, action)
  if (example === undefined) throw new Error(`No example of ${name} ${action}`)
  return merge({ ...example }, over)
}

function merge(base: Json, over: Json): Json {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const below = base[key]
    merged[key] = isRecord(below) && isRecord(value) ? merge(below, value) : value
  }
  return merged
}
