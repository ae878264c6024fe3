import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, inject, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { type Emulator, startEmulator } from '../../../emulator/emulator.ts'
import { isRecord } from '../../../emulator/http.ts'
import type { AccessLevel, EmulatorOptions, TokenPermissions } from '../../../emulator/options.ts'
import { MEMORY_KEY } from '../../helpers/world.ts'
import { type ActOptions, type Edit, type RunningWorkflow, startAct, type WorkflowEvent } from './act.ts'
import type { LoggedStep, WorkflowRun } from './log.ts'
import { type Network, openNetwork } from './network.ts'

export const ISSUE = 12
export const REPOSITORY = 'octo/app'
const ROOT_ACTION = 'OWNER/docs-agent@v1'

type More = Partial<ActOptions>

/** What the pages say to add. */
const SECRETS = {
  GITHUB_TOKEN: 'test-token',
  MINTLIFY_API_KEY: 'test-key',
  DOCS_AGENT_MEMORY_KEY: MEMORY_KEY,
}

export interface Sandbox {
  readonly emulator: Emulator
  readonly network: Network
  /** Starts an example by its file's name. */
  start(example: string, event: WorkflowEvent, more?: More): RunningWorkflow
  run(example: string, event: WorkflowEvent, more?: More): Promise<WorkflowRun>
}

/**
 * octo/app with issue 12, on which alice may write, behind the real names of the service and of GitHub: no example
 * says where they are, so the runs find them through a proxy, over TLS, as a runner in a company's network does.
 */
export async function openSandbox(options: EmulatorOptions = {}): Promise<Sandbox> {
  const emulator = await startEmulator({ repository: REPOSITORY, docsRepository: REPOSITORY, ...options })
  onTestFinished(() => emulator.close())
  emulator.github.setPermission('alice', 'write')
  emulator.github.addIssue({ number: ISSUE, title: 'Retries', body: 'Nobody explains them.', user: 'carol' })
  // A job ends when it is first read, so no run waits longer than its first pause.
  emulator.service.everyTurn = { reads: 0 }
  // Without any check, the action looks for a minute.
  emulator.github.checks.everyHead = [{ name: 'Links' }]
  const certificate = inject('certificate')
  const network = await openNetwork(emulator, certificate)
  // act leaves this variable out.
  const repositoryId = String(emulator.github.repository(REPOSITORY)?.id)
  let runs = 9_000_000

  function start(example: string, event: WorkflowEvent, more: More = {}): RunningWorkflow {
    runs += 1
    // act itself does not apply them.
    const called = example.endsWith(CALLER) ? { called: pathOf(example.replace(CALLER, '.yml')) } : {}
    const file = called.called ?? pathOf(example)
    const { edit = (text: string) => text } = more
    Object.assign(emulator.settings.permissions, permissionsOf(edit(readFileSync(file, 'utf8'))))
    // The latter two: as Node and as Go trust a certificate.
    const proxied = {
      HTTPS_PROXY: network.proxyUrl,
      NODE_EXTRA_CA_CERTS: certificate.file,
      SSL_CERT_FILE: certificate.file,
    }
    return startAct({
      repository: REPOSITORY,
      workflow: pathOf(example),
      event,
      ...called,
      ...more,
      secrets: { ...SECRETS, ...more.secrets },
      vars: { MINTLIFY_PROJECT_ID: 'docs', ...more.vars },
      env: { GITHUB_RUN_ID: String(runs), GITHUB_REPOSITORY_ID: repositoryId, ...(more.env ?? proxied) },
    })
  }
  const run = async (...args: Parameters<Sandbox['start']>) => withoutLeaks(await start(...args).done)
  return { emulator, network, start, run }
}

/** The end of the name of a workflow that calls the one whose name it has before that. */
const CALLER = '-caller.yml'

const pathOf = (example: string) => fileURLToPath(new URL(`../../../examples/${example}`, import.meta.url))

const SCOPES = {
  issues: 'issues',
  pull_requests: 'pull-requests',
  contents: 'contents',
  checks: 'checks',
  statuses: 'statuses',
  actions: 'actions',
} as const
const LEVELS: readonly AccessLevel[] = ['write', 'read']

/** Lines below `with:` of the action. */
export const withInputs =
  (lines: string): Edit =>
  (workflow) =>
    workflow.replace(
      /(?<=uses: OWNER\/docs-agent@v1\n +with:\n)( +)/,
      (indent) => `${lines.trimEnd().replace(/^/gm, indent)}\n${indent}`,
    )

/** The highest level that a job of the workflow has for each scope, or the token of an App that one of its steps gets. */
function permissionsOf(text: string): TokenPermissions {
  const workflow: unknown = parse(text)
  const jobs = isRecord(workflow) && isRecord(workflow.jobs) ? Object.values(workflow.jobs) : []
  const granted = jobs
    .filter(isRecord)
    .flatMap(({ permissions, steps }) => [
      permissions,
      ...(Array.isArray(steps) ? steps.map((step: unknown) => isRecord(step) && step.with) : []),
    ])
  const levelOf = (scope: keyof TokenPermissions): AccessLevel => {
    const names = [SCOPES[scope], `permission-${SCOPES[scope]}`]
    return (
      LEVELS.find((level) =>
        granted.filter(isRecord).some((given) => names.some((name) => given[name] === level)),
      ) ?? 'none'
    )
  }
  return {
    issues: levelOf('issues'),
    pull_requests: levelOf('pull_requests'),
    contents: levelOf('contents'),
    checks: levelOf('checks'),
    statuses: levelOf('statuses'),
    actions: levelOf('actions'),
  }
}

/** Holds for every run: the log shows no secret and no stack. */
export function withoutLeaks(run: WorkflowRun): WorkflowRun {
  expect(run.text).not.toMatch(/test-key|test-token/)
  for (const { log } of run.steps) expect(log).not.toMatch(/^\s+at .*\d+:\d+\)?$/m)
  return run
}

export const mainsOf = ({ steps }: WorkflowRun): readonly LoggedStep[] =>
  steps.filter(({ stage }) => stage === 'Main')

/** The one step of the root action. */
export function rootStep(run: WorkflowRun): LoggedStep {
  const [step, ...others] = mainsOf(run).filter(({ step: uses }) => uses === ROOT_ACTION)
  expect(others).toEqual([])
  if (step === undefined) throw new Error(`No step of the action ran:\n${run.text}`)
  return step
}

/** The outcome of a step, and that its post step ran after it and had nothing to add. */
export function expectOutcome(run: WorkflowRun, outcome: string, reason = ''): LoggedStep {
  const step = rootStep(run)
  expect({ outcome: step.outputs.outcome, reason: step.outputs.reason }, run.text).toEqual({
    outcome,
    reason,
  })
  expect({ exitCode: run.exitCode, result: step.result }).toEqual({ exitCode: 0, result: 'success' })
  expect(step.annotations).toEqual([])
  expect(postsOf(run)).toMatchObject([{ result: 'success', log: '', summary: '', annotations: [] }])
  return step
}

/** The `if:` of the workflow kept the job from running: the run is green and sends no request. */
export function expectNothing({ emulator }: Sandbox, run: WorkflowRun): void {
  expect([run.exitCode, run.steps, emulator.requests.map(({ method, path }) => `${method} ${path}`)]).toEqual(
    [0, [], []],
  )
}

export const postsOf = ({ steps }: WorkflowRun): readonly LoggedStep[] =>
  steps.filter(({ stage }) => stage === 'Post')

/** The action's comments in a thread. */
export const commentsIn = ({ emulator }: Sandbox, thread = ISSUE): string[] =>
  emulator.github
    .comments(thread)
    .filter(({ user }) => user.login === 'github-actions[bot]')
    .map(({ body }) => body)

export const reactionsTo = ({ emulator }: Sandbox, comment: number): string[] =>
  emulator.github.reactions('issue', comment).map(({ content }) => content)

/** All prompts of each job. */
export const promptsOf = ({ emulator }: Sandbox): string[][] =>
  emulator.service.jobs().map(({ prompts }) => [...prompts])

/** The open issues of a title that the action created. */
export const trackingIssues = ({ emulator }: Sandbox, title: string) =>
  [...(emulator.github.repository(REPOSITORY)?.issues.values() ?? [])].filter(
    (issue) => issue.title === title && issue.user.login === 'github-actions[bot]' && issue.state === 'open',
  )
