import type { Check } from '../../emulator/github/checks.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'
import type { ActionRun } from '../../emulator/runner.ts'
import { checkedWorld, FIX } from './checked-world.ts'
import { start } from './sweeps.ts'
import type { World } from './world.ts'

/** A workflow with `wait: false` and `fix-attempts`, and sweeps that follow the checks of its pull request (contract 8.5). */

export const MINUTE = 60_000
/** The agent's pull request, in the repository of the workflow. */
export const PULL = 77

export const red = (takesMs = MINUTE): Check[] => [
  { name: 'build', takesMs, conclusion: 'failure' },
  { name: 'links', takesMs },
]
export const green = (takesMs = MINUTE): Check[] => [
  { name: 'build', takesMs },
  { name: 'links', takesMs },
]

interface Stepped extends EmulatorOptions {
  readonly heads?: readonly (readonly Check[])[]
  readonly inputs?: ActionRun['inputs']
  /** How long each turn of the agent takes. */
  readonly turnMs?: number
  readonly by?: string
}

/** alice asked, and her job has ended. @param heads of the agent's pull request, in order; further ones pass */
export async function steppedWorld({
  heads = [red()],
  inputs = {},
  turnMs = MINUTE,
  ...options
}: Stepped = {}) {
  const emulator = checkedWorld(heads, options)
  emulator.github.checks.everyHead = green()
  emulator.service.everyTurn = { durationMs: turnMs }
  await start(emulator, { inputs: { ...FIX, ...inputs } })
  await emulator.pass(turnMs + MINUTE)
  emulator.service.tick()
  emulator.clearRequests()
  return emulator
}

let sweeps = 0

/** A sweep, some time after the last one. @param more of the run, such as its event */
export async function sweep(
  emulator: World,
  { afterMs = 5 * MINUTE, inputs = {}, ...more }: Partial<ActionRun> & { readonly afterMs?: number } = {},
) {
  await emulator.pass(afterMs)
  emulator.service.tick()
  sweeps += 1
  return await emulator.collect({ ...FIX, ...inputs }, { runId: 9_100_000 + sweeps, ...more })
}

const repo = { id: undefined as number | undefined, full_name: 'octo/app' }

interface CheckedPull {
  readonly number?: number | null
  /** Of the repository of the head. */
  readonly from?: string
}

/** The end of a workflow that checked a pull request. */
export const workflowRun = ({ number = PULL, from = 'octo/app' }: CheckedPull = {}) => ({
  name: 'workflow_run',
  payload: {
    action: 'completed',
    workflow_run: {
      id: 1,
      event: 'pull_request',
      conclusion: 'success',
      head_repository: { ...repo, full_name: from },
      pull_requests: number === null ? [] : [{ number, head: { repo }, base: { repo } }],
      actor: { login: 'mintlify[bot]', type: 'Bot' },
    },
    sender: { login: 'mintlify[bot]', type: 'Bot' },
  },
})
