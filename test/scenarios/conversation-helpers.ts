import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { type Emulator, startEmulator } from '../../emulator/emulator.ts'
import type { Fault, FaultMatch } from '../../emulator/faults.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { hash } from '../../emulator/random.ts'
import type { RequestEntry } from '../../emulator/requests.ts'
import { type ActionRun, type RunResult, runAction, startAction } from '../../emulator/runner.ts'
import type { ActionRecord } from '../../src/request/record.ts'
import { type SigningContext, verifyRecord } from '../../src/request/signed-record.ts'

export const ACTION = fileURLToPath(new URL('../../action.yml', import.meta.url))
export const ISSUE = 12
export const BOT = 'github-actions[bot]'

export const CREATE = { host: 'service', method: 'POST', path: /\/job$/ } as const
export const READ = { host: 'service', method: 'GET', path: /\/job\/[^/]+$/ } as const

/** octo/app with issue 12; alice may write, bob is an admin, everybody else only reads. */
export async function openWorld(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options)
  emulator.github.setPermission('alice', 'write')
  emulator.github.setPermission('bob', 'admin')
  emulator.github.addIssue({ number: ISSUE, title: 'Retries', body: 'Nobody explains them.', user: 'carol' })
  return emulator
}

/** The same, closed when the test ends. */
export async function world(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await openWorld(options)
  onTestFinished(() => emulator.close())
  return emulator
}

/** The same with the agent's pull requests in the repository of the workflow. */
export const ownWorld = (options: EmulatorOptions = {}) => world({ docsRepository: 'octo/app', ...options })

export interface Saying {
  readonly by?: string
  readonly sender?: string
  readonly on?: number
  readonly action?: string
  readonly type?: 'User' | 'Bot'
}

export interface Said {
  readonly name: string
  readonly payload: Readonly<Record<string, unknown>>
  /** Of the comment. */
  readonly id: number
}

const account = (login: string, type?: 'User' | 'Bot') => ({
  login,
  type: type ?? (login.endsWith('[bot]') ? 'Bot' : 'User'),
})

/** Writes the comment, and gives the event that GitHub makes of it. */
export function say(emulator: Emulator, body: string, saying: Saying = {}): Said {
  const { by = 'alice', sender = by, on = ISSUE, action = 'created', type } = saying
  const { github, settings } = emulator
  const { id } = github.addComment(on, { login: by, body, ...(type === undefined ? {} : { type }) })
  const issue = github.repository(settings.repository)?.issues.get(on)
  const url = `${settings.serverUrl}/${settings.repository}/${issue?.isPullRequest ? 'pull' : 'issues'}/${on}`
  const payload = {
    action,
    issue: {
      number: on,
      title: issue?.title,
      body: issue?.body,
      html_url: url,
      user: issue?.user,
      ...(issue?.isPullRequest ? { pull_request: { html_url: url } } : {}),
    },
    comment: { id, body, user: account(by, type) },
    sender: account(sender, sender === by ? type : undefined),
    repository: { full_name: settings.repository },
  }
  return { name: 'issue_comment', payload, id }
}

export type More = Partial<ActionRun>

/** Runs take the bundle from here once it is compiled, which is a third of what they take to start. */
const COMPILED = { NODE_COMPILE_CACHE: join(tmpdir(), 'docs-agent-compiled') }

/** A run of the bundle as a workflow would have it, quick. */
export const given = (emulator: Emulator, event: ActionRun['event'], more: More = {}): ActionRun => ({
  action: ACTION,
  emulator,
  event,
  post: 'if-needed',
  ...more,
  env: { ...COMPILED, ...more.env },
  inputs: { 'project-id': 'docs', 'api-key': 'test-key', 'poll-interval-seconds': '0.05', ...more.inputs },
})

export const act = (emulator: Emulator, event: ActionRun['event'], more: More = {}): Promise<RunResult> =>
  runAction(given(emulator, event, more))

/** A run that gets the signal when its first such request comes in, which then meets the fault. */
export async function interrupted(
  emulator: Emulator,
  run: ActionRun,
  match: FaultMatch,
  { signal = 'SIGKILL', fault }: { readonly signal?: NodeJS.Signals; readonly fault?: Fault } = {},
): Promise<RunResult> {
  const running = startAction(run)
  emulator.faults.add({ match, fault: { kind: 'call', call: () => void running.kill(signal) } })
  if (fault !== undefined) emulator.faults.add({ match, fault })
  return await running.done
}

/** alice writes, and the action runs to its end. */
export async function ask(emulator: Emulator, body: string, saying: Saying = {}, more: More = {}) {
  const said = say(emulator, body, saying)
  return { said, result: await act(emulator, said, more) }
}

/** What the action has written in a thread. */
export const written = ({ github }: Emulator, on = ISSUE) =>
  github.comments(on).filter(({ user }) => user.login === BOT)

export const bodies = (emulator: Emulator, on = ISSUE): string[] =>
  written(emulator, on).map(({ body }) => body)

/** The thread's last words of the action; '' for none. */
export const lastWords = (emulator: Emulator, on = ISSUE): string => bodies(emulator, on).at(-1) ?? ''

export const reactions = ({ github }: Emulator, id: number, kind: 'issue' | 'review' = 'issue'): string[] =>
  github.reactions(kind, id).map(({ content }) => content)

export const signingOf = (thread = ISSUE, repository = 'octo/app'): SigningContext => ({
  apiKey: 'test-key',
  projectId: 'docs',
  repositoryId: hash('repository', repository),
  thread,
})

export const records = (emulator: Emulator, on = ISSUE): ActionRecord[] =>
  bodies(emulator, on).flatMap((body) => verifyRecord(body, signingOf(on)) ?? [])

export const calls = (emulator: Emulator, host?: RequestEntry['host']): string[] =>
  emulator.requests
    .filter((entry) => host === undefined || entry.host === host)
    .map(({ method, path }) => `${method} ${path}`)

/** Prompts as the service has received them. */
export const prompts = ({ requests }: Emulator): string[] =>
  requests
    .filter(({ host, method }) => host === 'service' && method === 'POST')
    .map(({ body }) => String((body as { prompt?: unknown }).prompt))

/** How many prompts each job got. */
export const promptCounts = ({ service }: Emulator): number[] =>
  service.jobs().map(({ prompts: all }) => all.length)

export function expectOutcome(result: RunResult, outcome: string, reason = ''): void {
  const seen = {
    outcome: result.outputs.outcome,
    reason: result.outputs.reason,
    fileErrors: result.fileErrors,
  }
  expect(seen, result.log).toEqual({ outcome, reason, fileErrors: [] })
}
