import type { Emulator } from '../../../emulator/emulator.ts'
import { type ActionRun, runAction } from '../../../emulator/runner.ts'
import { ACTIONS, access } from '../../demo/actions.ts'

export const MINUTE_MS = 60_000
/** From the start of a runner until the action begins. */
const START_MS = 20_000

/** The runs of a play, each rounded up to whole minutes, as GitHub bills them. */
export class Bill {
  /** Those of the schedule apart, which come whether or not anybody asks. */
  minutes = 0
  readonly #emulator: Emulator
  readonly #launch: ActionRun['launch']
  /** Runs so far, and how many go on. */
  #started = 0
  #running = 0
  #isSweeping = false
  #waiting: ActionRun['event'] | undefined

  constructor(emulator: Emulator, launch: ActionRun['launch']) {
    this.#emulator = emulator
    this.#launch = launch
  }

  get isRunning(): boolean {
    return this.#running > 0
  }

  /** A run of the action itself. */
  async ask(event: ActionRun['event'], inputs: ActionRun['inputs']): Promise<void> {
    await this.#run('root', event, inputs)
  }

  /** A run of `collect`. In its group, one runs at a time, and one that waits is replaced by the next. */
  async sweep(event: ActionRun['event']): Promise<void> {
    // A run in the docs' repository has sent it.
    if (event.name === 'repository_dispatch') this.minutes += 1
    this.#waiting = event
    if (this.#isSweeping) return
    this.#isSweeping = true
    while (this.#waiting !== undefined) {
      const next = this.#waiting
      this.#waiting = undefined
      await this.#run('collect', next, { 'fix-attempts': '2' })
    }
    this.#isSweeping = false
  }

  async #run(workflow: 'root' | 'collect', event: ActionRun['event'], inputs: ActionRun['inputs']) {
    const emulator = this.#emulator
    const from = emulator.settings.now()
    this.#started += 1
    this.#running += 1
    await emulator.settings.sleep(START_MS)
    const { exitCode, log } = await runAction({
      ...{ action: ACTIONS[workflow], emulator, event, workflow, runId: 9_000_000 + this.#started },
      ...(this.#launch && { launch: this.#launch }),
      inputs: { ...access(emulator), ...inputs },
    })
    if (exitCode !== 0) throw new Error(log)
    this.#running -= 1
    if (event.name !== 'schedule') this.minutes += Math.ceil((emulator.settings.now() - from) / MINUTE_MS)
  }
}
