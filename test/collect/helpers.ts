import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { type Emulator, startEmulator } from '../../emulator/emulator.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { type ActionRun, type RunResult, runAction } from '../../emulator/runner.ts'
import type { Turn } from '../../emulator/service/turn.ts'
import { type Marker, type MarkerScope, readMarker, writeMarker } from '../../src/core/marker.ts'

const fileOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
export const ROOT = fileOf('action.yml')
export const COLLECT = fileOf('collect/action.yml')
export const ISSUE = 12
export const BOT = 'github-actions[bot]'

export interface World extends Emulator {
  /** Moves the emulator's clock, in ms; that of the action stays. */
  shift(ms: number): void
}

/** octo/app with issue 12, where alice may write. The agent's pull requests come to the same repository. */
export async function world(options: EmulatorOptions = {}): Promise<World> {
  let offset = 0
  const now = () => Date.now() + offset
  const emulator = await startEmulator({ docsRepository: 'octo/app', now, ...options })
  onTestFinished(() => emulator.close())
  emulator.github.setPermission('alice', 'write')
  emulator.github.addIssue({ number: ISSUE, title: 'Retries', user: 'carol' })
  const shift = (ms: number) => {
    offset += ms
  }
  return Object.assign(emulator, { shift })
}

export interface Asked extends Partial<ActionRun> {
  readonly on?: number
  readonly body?: string
  readonly turn?: Turn
}

/** The root action as a workflow has it that does not wait. */
export const rootRun = (
  emulator: Emulator,
  event: ActionRun['event'],
  more: Partial<ActionRun> = {},
): ActionRun => ({
  action: ROOT,
  emulator,
  event,
  ...more,
  inputs: {
    'project-id': 'docs',
    'api-key': 'test-key',
    wait: 'false',
    'poll-interval-seconds': '0.05',
    ...more.inputs,
  },
})

/** alice comments on an issue. */
export function say(
  { github, settings }: Emulator,
  { on = ISSUE, body = '/docs explain' }: Asked = {},
): ActionRun['event'] & { readonly id: number } {
  const { id } = github.addComment(on, { login: 'alice', body })
  const issue = github.repository(settings.repository)?.issues.get(on)
  const user = { login: 'alice', type: 'User' }
  const payload = {
    action: 'created',
    issue: { number: on, title: issue?.title, body: issue?.body, user: issue?.user },
    comment: { id, body, user },
    sender: user,
    repository: { full_name: settings.repository },
  }
  return { name: 'issue_comment', payload, id }
}

/** alice comments, and the job starts. @returns the comment's id and the job's */
export async function start(emulator: Emulator, asked: Asked = {}) {
  const { on: _on, body: _body, turn, ...more } = asked
  const said = say(emulator, asked)
  if (turn !== undefined) emulator.service.script.push(turn)
  const result = await runAction(rootRun(emulator, said, more))
  expect(result.outputs.outcome, result.log).toBe('started')
  return { id: said.id, job: result.outputs['job-id'] ?? '', said }
}

export const collectRun = (emulator: Emulator, more: Partial<ActionRun> = {}): ActionRun => ({
  action: COLLECT,
  emulator,
  event: { name: 'schedule', payload: {} },
  workflow: 'Collect',
  runId: 9_100_001,
  ...more,
  inputs: { 'project-id': 'docs', 'api-key': 'test-key', ...more.inputs },
})

export const collect = (
  emulator: Emulator,
  inputs: Readonly<Record<string, string>> = {},
  more: Partial<ActionRun> = {},
): Promise<RunResult> => runAction(collectRun(emulator, { ...more, inputs }))

export interface Counts {
  readonly finished?: number
  readonly active?: number
  readonly failed?: number
}

export function expectCounts(result: RunResult, { finished = 0, active = 0, failed = 0 }: Counts): void {
  const { exitCode, fileErrors, outputs } = result
  const counts = [outputs.finished, outputs.active, outputs.failed].map(Number)
  expect({ exitCode, fileErrors, counts }, result.log).toEqual({
    exitCode: 0,
    fileErrors: [],
    counts: [finished, active, failed],
  })
}

export const resultOf = ({ outputs }: RunResult): unknown => JSON.parse(outputs.result ?? 'null')

export const scopeOf = (thread = ISSUE): MarkerScope => ({
  apiKey: 'test-key',
  projectId: 'docs',
  repository: 'octo/app',
  thread,
})

export const bodies = ({ github }: Emulator, on = ISSUE): string[] =>
  github
    .comments(on)
    .filter(({ user }) => user.login === BOT)
    .map(({ body }) => body)

export const markers = (emulator: Emulator, on = ISSUE): Marker[] =>
  bodies(emulator, on).flatMap((body) => readMarker(body, scopeOf(on)) ?? [])

export const reactions = ({ github }: Emulator, id: number, kind: 'issue' | 'review' = 'issue'): string[] =>
  github.reactions(kind, id).map(({ content }) => content)

export const calls = ({ requests }: Emulator, host: 'service' | 'github'): string[] =>
  requests.filter((entry) => entry.host === host).map(({ method, path }) => `${method} ${path}`)

/** Reads of jobs. */
export const reads = (emulator: Emulator): string[] =>
  calls(emulator, 'service').filter((call) => call.startsWith('GET '))

export interface Planted extends Partial<Marker> {
  readonly on?: number
  readonly turn?: Turn
  /** What the marker is signed for, if not for its thread. */
  readonly scope?: Partial<MarkerScope>
}

let plantedSoFar = 0

/** A job that is open in a thread, without a run that started it. @returns its id */
export async function plant(emulator: Emulator, planted: Planted = {}): Promise<string> {
  const { on = ISSUE, turn = { reads: 0 }, scope, ...more } = planted
  const { github, service, serviceUrl, settings } = emulator
  if (!github.repository(settings.repository)?.issues.has(on)) github.addIssue({ number: on })
  service.script.push(turn)
  const response = await fetch(`${serviceUrl}/v2/agent/docs/job`, {
    method: 'POST',
    headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'explain' }),
  })
  const { id: job } = (await response.json()) as { id: string }
  plantedSoFar += 1
  github.addComment(on, {
    login: BOT,
    body: words({ key: `key-${plantedSoFar}`, job, ...more }, { ...scopeOf(on), ...scope }),
  })
  emulator.clearRequests()
  return job
}

/** A comment with a marker of this kind. */
export function words(marker: Partial<Marker>, scope: MarkerScope): string {
  const now = Date.now()
  const whole: Marker = {
    key: 'key',
    state: 'open',
    job: '',
    status: 'active',
    pr: '',
    run: '9000001.1',
    until: 0,
    at: now - 60_000,
    from: now - 60_000,
    messaged: 0,
    asker: 'alice',
    comment: '',
    eyes: 0,
    ...marker,
  }
  return `**⏳ The docs agent is working**\n\n${writeMarker(whole, scope)}`
}
