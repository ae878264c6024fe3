import { fileURLToPath } from 'node:url'
import { expect, inject, onTestFinished } from 'vitest'
import { type Emulator, startEmulator } from '../../../emulator/emulator.ts'
import type { EmulatorOptions } from '../../../emulator/options.ts'
import { type ActOptions, type RunningWorkflow, startAct, type WorkflowEvent } from './act.ts'
import type { LoggedStep, WorkflowRun } from './log.ts'
import { type Network, openNetwork } from './network.ts'

export const ISSUE = 12
export const REPOSITORY = 'octo/app'
export const ROOT_ACTION = 'OWNER/docs-agent@v1'

type More = Partial<ActOptions>

export interface World {
  readonly emulator: Emulator
  readonly network: Network
  /** Starts an example by its file's name. */
  start(example: string, event: WorkflowEvent, more?: More): RunningWorkflow
  run(example: string, event: WorkflowEvent, more?: More): Promise<WorkflowRun>
}

/**
 * octo/app with issue 12, on which alice may write, behind the real names of the service and of GitHub: no example
 * says where they are, so that the runs find them by a proxy, over TLS, as a runner in a company's network does.
 */
export async function openWorld(options: EmulatorOptions = {}): Promise<World> {
  const emulator = await startEmulator({ repository: REPOSITORY, docsRepository: REPOSITORY, ...options })
  onTestFinished(() => emulator.close())
  emulator.github.setPermission('alice', 'write')
  emulator.github.addIssue({ number: ISSUE, title: 'Retries', body: 'Nobody explains them.', user: 'carol' })
  // Ended when it is first read: no run waits longer than its first pause.
  emulator.service.everyTurn = { reads: 0 }
  const certificate = inject('certificate')
  const network = await openNetwork(emulator, certificate)
  let runs = 9_000_000

  function start(example: string, event: WorkflowEvent, more: More = {}): RunningWorkflow {
    runs += 1
    const proxied = { HTTPS_PROXY: network.proxyUrl, NODE_EXTRA_CA_CERTS: certificate.file }
    return startAct({
      repository: REPOSITORY,
      workflow: pathOf(example),
      event,
      ...more,
      secrets: { GITHUB_TOKEN: 'test-token', DOCS_AGENT_API_KEY: 'test-key', ...more.secrets },
      vars: { DOCS_AGENT_PROJECT_ID: 'docs', ...more.vars },
      env: { GITHUB_RUN_ID: String(runs), ...(more.env ?? proxied) },
    })
  }
  const run = async (...args: Parameters<World['start']>) => sound(await start(...args).done)
  return { emulator, network, start, run }
}

const pathOf = (example: string) => fileURLToPath(new URL(`../../../examples/${example}`, import.meta.url))

/** What holds for every run: no secret is shown, and no stack reaches people. */
export function sound(run: WorkflowRun): WorkflowRun {
  expect(run.text).not.toMatch(/test-key|test-token/)
  for (const { log } of run.steps) expect(log).not.toMatch(/^\s+at .*\d+:\d+\)?$/m)
  return run
}

export const mains = ({ steps }: WorkflowRun): readonly LoggedStep[] =>
  steps.filter(({ stage }) => stage === 'Main')

/** The one step of the root action. */
export function rootStep(run: WorkflowRun): LoggedStep {
  const [step, ...others] = mains(run).filter(({ step: uses }) => uses === ROOT_ACTION)
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

/** The workflow's own `if:` kept the job from running: green, and nobody was asked anything. */
export function expectNothing({ emulator }: World, run: WorkflowRun): void {
  expect([run.exitCode, run.steps, emulator.requests]).toEqual([0, [], []])
}

export const postsOf = ({ steps }: WorkflowRun): readonly LoggedStep[] =>
  steps.filter(({ stage }) => stage === 'Post')

/** The action's comments in a thread. */
export const told = ({ emulator }: World, thread = ISSUE): string[] =>
  emulator.github
    .comments(thread)
    .filter(({ user }) => user.login === 'github-actions[bot]')
    .map(({ body }) => body)

export const reactionsTo = ({ emulator }: World, comment: number): string[] =>
  emulator.github.reactions('issue', comment).map(({ content }) => content)

/** All prompts that each job got. */
export const promptsOf = ({ emulator }: World): string[][] =>
  emulator.service.jobs().map(({ prompts }) => [...prompts])
