import type { Emulator } from '../emulator.ts'
import type { Annotation } from './log.ts'
import type { StartedStep, Step } from './step.ts'
import type { WorkflowCommand } from './workflow-commands.ts'

/** What a workflow would say about one step, and what the run around it is. */
export interface ActionRun {
  /** Path of the metadata file; `main` and `post` are relative to its folder. */
  readonly action: string
  /** `base-url` defaults to the emulator, where the action declares it. */
  readonly inputs?: Readonly<Record<string, string>>
  readonly event: { readonly name: string; readonly payload: unknown }
  readonly emulator: Pick<Emulator, 'serviceUrl' | 'githubUrl' | 'settings' | 'github'>
  /** Put over the environment, for proxies and the like. */
  readonly env?: Readonly<Record<string, string>>
  /** Told of every line of the log, masked, as it comes; those of the post step too. */
  readonly onLog?: (line: string) => void
  readonly runId?: number
  readonly attempt?: number
  readonly workflow?: string
  readonly ref?: string
  /** Folder of the checkout; a new one that goes with the run, if not given. */
  readonly workspace?: string
  readonly debug?: boolean
  /**
   * `false`: the post step does not run, as when the whole runner is lost. `'if-needed'`: it runs only after a main step
   * that failed, was killed or left state. After others it has nothing to go by, and tests save a process.
   */
  readonly post?: boolean | 'if-needed'
  /** Starts each step; in a process of its own, if not given. */
  readonly launch?: (step: Step) => StartedStep
}

/** What one process of the action left behind. */
export interface StepResult {
  /** `null` where a signal ended it. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** As people see it: commands obeyed, secrets masked. */
  readonly log: string
  readonly rawLog: string
  readonly outputs: Readonly<Record<string, string>>
  readonly state: Readonly<Record<string, string>>
  readonly summary: string
  readonly annotations: readonly Annotation[]
  /** Every line that the runner took for a command, those of untrusted text included. */
  readonly commands: readonly WorkflowCommand[]
  /** Values that were masked, the token included. */
  readonly masks: readonly string[]
  /** Why the runner would have refused a command file or the summary; each would turn the step red. */
  readonly fileErrors: readonly string[]
}

export interface RunResult extends StepResult {
  /** `undefined` where the action has none, or it was not to run. */
  readonly post: StepResult | undefined
}
