import { AsyncLocalStorage } from 'node:async_hooks'
import { EventEmitter } from 'node:events'
import { basename } from 'node:path'
// A step loads these when it needs them, and a simulated clock does not wait for the disk.
import '@actions/github'
import '../../src/prompt/html-to-text.ts'
import { type SimulatedClock, simulatedClock } from '../../emulator/clock.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { linesOf, RunnerLog } from '../../emulator/runner/log.ts'
import type { StepResult } from '../../emulator/runner/run.ts'
import type { StartedStep, Step, StepProcess } from '../../emulator/runner/step.ts'
import { insights } from '../../src/analytics/insights.ts'
import { visitors } from '../../src/analytics/visitors.ts'
import { type Core, cancellation, type Deps } from '../../src/base/deps.ts'
import { isObject } from '../../src/base/json.ts'
import { branchOf, defaultBranchOf, type Runner } from '../../src/event/trigger.ts'
import { core as toolkit } from '../../src/process-deps.ts'
import { collect } from '../../src/story/collect.ts'
import { mainStep } from '../../src/story/main.ts'
import { postStep } from '../../src/story/post.ts'
import { explainError } from '../../src/words/explain.ts'

/** By the files that the actions name. */
const STEPS: Readonly<Record<string, typeof mainStep>> = {
  'main.js': mainStep,
  'post.js': postStep,
  'collect.js': collect,
  'visitors.js': visitors,
  'insights.js': insights,
}

/** The step that the code works for, down to the request that it sends. */
export const currentStep = new AsyncLocalStorage<Step>()

const forever = <T>(): Promise<T> => new Promise(() => {})

/**
 * An emulator without a socket, on a clock on which an hour takes no time; `launch` starts steps of `src/` in front of
 * it, in this process. They get and leave what they would as processes, down to the lines that the runner reads.
 */
export function emulateInProcess(options: EmulatorOptions = {}) {
  // Counted from 0, since fractions of a millisecond get lost in the milliseconds since the epoch.
  const { passed, sleep } = simulatedClock(0)
  let start = Date.now()
  const clock = { passed, sleep, now: () => start + Math.floor(passed()) }
  const emulator = createEmulator({ now: clock.now, sleep, ...options })
  let draws = 0
  let aheadMs = 0
  // The same in each world, and never twice the same in one.
  const random = () => (++draws * 0.618_033_988_7) % 1
  const launch = (step: Step): StartedStep => {
    const runner = { ...clock, now: () => clock.now() + aheadMs }
    const child = new StepInProcess({ emulator, clock: runner, random }, step)
    return { child, done: child.done }
  }
  const setWallClock = (ms: number) => {
    start += ms
  }
  /** Those of GitHub and the service stay. */
  const setRunnerClock = (ms: number) => {
    aheadMs = ms
  }
  return { emulator, launch, setWallClock, setRunnerClock }
}

interface Surroundings {
  readonly emulator: Emulator
  readonly clock: SimulatedClock
  readonly random: () => number
}

class StepInProcess extends EventEmitter implements StepProcess {
  exitCode: number | null = null
  readonly done: Promise<StepResult>
  readonly #ended = Promise.withResolvers<NodeJS.Signals | null>()
  /** Aborted when the process ends: nothing that it does then reaches anything, and nothing that it waits for comes. */
  readonly #over = new AbortController()
  readonly #canceller = cancellation((ms) => this.#sleep(ms))
  readonly #clock: SimulatedClock
  #isRed = false

  constructor({ emulator, clock, random }: Surroundings, step: Step) {
    super()
    const { script, event, env, masks, debug, onLog } = step
    this.#clock = clock
    const log = new RunnerLog({ masks, debug, show: onLog })
    const left = { outputs: {}, state: {}, summary: '' }
    const deps: Deps = {
      core: this.#core(env, log, left),
      fetch: (url, init) => this.#alive(emulator.fetch(url, init)),
      cancellation: this.#canceller,
      now: clock.now,
      monotonic: clock.passed,
      sleep: (ms, signal) => this.#sleep(ms, signal),
      random,
    }
    const run = STEPS[basename(script)]
    if (run === undefined) throw new Error(`${script} runs as a process only`)
    this.done = this.#ended.promise.then((signal) => {
      this.exitCode = signal === null ? Number(this.#isRed) : null
      this.emit('exit', this.exitCode, signal)
      const { annotations, commands } = log
      const said = { log: log.text, rawLog: log.raw, annotations, commands, masks: [...log.masks] }
      return { exitCode: this.exitCode, signal, ...said, ...left, fileErrors: [] }
    })
    void currentStep
      .run(step, () => run(deps, async () => contextOf(env, event)))
      .catch((error: unknown) => deps.core.setFailed(explainError(deps.core, error)))
      .then(() => this.#end(null))
  }

  kill(signal: NodeJS.Signals): boolean {
    if (this.#over.signal.aborted) return false
    if (signal === 'SIGKILL') this.#end(signal)
    else this.#canceller.cancel()
    return true
  }

  #end(signal: NodeJS.Signals | null): void {
    this.#over.abort()
    this.#ended.resolve(signal)
  }

  async #alive<T>(result: Promise<T>): Promise<T> {
    try {
      return await result
    } finally {
      if (this.#over.signal.aborted) await forever()
    }
  }

  #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const signals = [this.#over.signal, ...(signal === undefined ? [] : [signal])]
    return this.#alive(this.#clock.sleep(ms, AbortSignal.any(signals)))
  }

  #core(
    env: Readonly<Record<string, string>>,
    log: RunnerLog,
    left: { outputs: Record<string, string>; state: Record<string, string>; summary: string },
  ): Core {
    const unlessOver = (act: () => void): void => {
      if (!this.#over.signal.aborted) act()
    }
    const print = (act: () => void): void =>
      unlessOver(() => {
        for (const line of linesOf(act)) log.line(line)
      })
    return {
      getInput: (name) => (env[`INPUT_${name.toUpperCase()}`] ?? '').trim(),
      getState: (name) => env[`STATE_${name}`] ?? '',
      isDebug: () => env.RUNNER_DEBUG === '1',
      setSecret: (secret) => print(() => toolkit.setSecret(secret)),
      info: (line) => print(() => toolkit.info(line)),
      debug: (message) => print(() => toolkit.debug(message)),
      warning: (message) => print(() => toolkit.warning(message)),
      error: (message) => print(() => toolkit.error(message)),
      setFailed: (message) => {
        this.#isRed = true
        print(() => toolkit.error(message))
      },
      setOutput: (name, value) => unlessOver(() => void Object.assign(left.outputs, { [name]: value })),
      saveState: (name, value) => unlessOver(() => void Object.assign(left.state, { [name]: value })),
      setSummary: async (summary) => unlessOver(() => void Object.assign(left, { summary })),
    }
  }
}

function contextOf(env: Readonly<Record<string, string>>, event: unknown): Runner {
  const payload: unknown = JSON.parse(JSON.stringify(event))
  if (!isObject(payload)) throw new Error('an event file without an object')
  const { GITHUB_REPOSITORY: repository = '', GITHUB_SERVER_URL: serverUrl = '' } = env
  const [owner = '', repo = ''] = repository.split('/')
  return {
    eventName: env.GITHUB_EVENT_NAME ?? '',
    payload,
    repository: { owner, repo },
    repositoryId: Number(env.GITHUB_REPOSITORY_ID),
    runId: Number(env.GITHUB_RUN_ID),
    runAttempt: Number(env.GITHUB_RUN_ATTEMPT),
    workflow: env.GITHUB_WORKFLOW ?? '',
    workflowJob: env.GITHUB_JOB ?? '',
    stepId: env.GITHUB_ACTION ?? '',
    branch: branchOf(env.GITHUB_REF ?? '') || defaultBranchOf({ payload }),
    actor: env.GITHUB_ACTOR ?? '',
    triggeringActor: env.GITHUB_TRIGGERING_ACTOR ?? '',
    workspace: env.GITHUB_WORKSPACE ?? '',
    serverUrl,
    apiUrl: env.GITHUB_API_URL ?? '',
  }
}
