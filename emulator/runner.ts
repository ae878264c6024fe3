import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inputVariables, jobVariables } from './runner/environment.ts'
import { type ActionMetadata, readMetadata } from './runner/metadata.ts'
import type { ActionRun, RunResult } from './runner/run.ts'
import { type StepProcess, startStep } from './runner/step.ts'

export type { Annotation } from './runner/log.ts'
export type { ActionRun, RunResult, StepResult } from './runner/run.ts'

export interface RunningAction {
  /** The process of the main step. */
  readonly child: StepProcess
  /** Signals whichever step runs now. `false` where none does. */
  kill(signal: NodeJS.Signals): boolean
  /** Main step and post step are over. */
  readonly done: Promise<RunResult>
}

/** Runs a bundled action as the runner does: `main`, then always `post`, as processes of their own. */
export const runAction = (run: ActionRun): Promise<RunResult> => startAction(run).done

/** As `runAction`, for tests that interfere while it runs. */
export function startAction(run: ActionRun): RunningAction {
  const { launch = startStep } = run
  const metadata = readMetadata(run.action)
  // A step that is a process makes it.
  const root = join(tmpdir(), `docs-agent-run-${randomUUID()}`)
  const env = environment(metadata, run, root)
  const main = start(metadata.main, 'main', env, [run.emulator.settings.token])
  let current = main.child

  const kill = (signal: NodeJS.Signals) => current.exitCode === null && current.kill(signal)
  const done = finish().finally(() => rmSync(root, { recursive: true, force: true }))
  return { child: main.child, kill, done }

  function start(script: string, name: string, stepEnv: Record<string, string>, masks: Iterable<string>) {
    return launch({
      script,
      event: run.event.payload,
      env: stepEnv,
      cwd: stepEnv.GITHUB_WORKSPACE ?? root,
      folder: join(root, name),
      masks,
      debug: run.debug ?? false,
      onLog: run.onLog ?? (() => {}),
    })
  }

  async function finish(): Promise<RunResult> {
    const result = await main.done
    const isClean = result.exitCode === 0 && Object.values(result.state).every((value) => value === '')
    const skipped = run.post === false || (run.post === 'if-needed' && isClean)
    if (metadata.post === undefined || skipped) return { ...result, post: undefined }
    const state = Object.entries(result.state).map(([name, value]) => [`STATE_${name}`, value])
    const post = start(metadata.post, 'post', { ...env, ...Object.fromEntries(state) }, result.masks)
    current = post.child
    return { ...result, post: await post.done }
  }
}

function environment(metadata: ActionMetadata, run: ActionRun, root: string): Record<string, string> {
  const workspace = run.workspace ?? join(root, 'workspace')
  const temp = join(root, 'temp')
  const event = join(root, 'event.json')
  return { ...jobVariables(run, { workspace, temp, event }), ...inputVariables(metadata, run), ...run.env }
}
