import { simulatedClock } from '../../emulator/clock.ts'
import { createEmulator, type Emulator } from '../../emulator/emulator.ts'
import { type Canceller, cancellation } from '../../src/cancellation.ts'
import type { Deps } from '../../src/deps.ts'
import type { RunContext } from '../../src/event/run-context.ts'
import { postStep } from '../../src/finish/post-step.ts'
import { mainStep } from '../../src/start/main-step.ts'

const THREAD = 12

/** What a step leaves. */
export interface Step {
  readonly outputs: Record<string, string>
  readonly state: Record<string, string>
  readonly log: string[]
  summary: string
  readonly canceller: Canceller
  /** From now on nothing that the process does reaches anything, and nothing that it waits for comes. */
  kill(): void
  readonly done: Promise<Step>
}

export interface World {
  readonly emulator: Emulator
  /** Sets the wall clocks of all runners, in ms. */
  set(ms: number): void
  pause(ms: number): Promise<void>
  /** Milliseconds since the start, on the clock that cannot be set. */
  passed(): number
  /** An attempt of the run that alice's comment triggers. */
  start(attempt: number, inputs?: Readonly<Record<string, string>>): Step
  post(main: Step, attempt: number): Step
  comments(): readonly string[]
  reactions(): readonly string[]
  serviceCalls(): readonly string[]
}

/** The steps of the root action in this process, on a clock that takes no time: octo/app, where alice may write. */
export function openWorld(request: string): World {
  const { passed, sleep } = simulatedClock(0)
  let offset = Date.UTC(2026, 0, 1)
  const now = () => Math.floor(offset + passed())
  const emulator = createEmulator({ now, sleep, docsRepository: 'octo/app' })
  emulator.github.setPermission('alice', 'write')
  emulator.github.addIssue({ number: THREAD, title: 'Retries' })
  const { id } = emulator.github.addComment(THREAD, { login: 'alice', body: request })
  const alice = { login: 'alice', type: 'User' }
  const contextOf = (runAttempt: number): RunContext => ({
    eventName: 'issue_comment',
    payload: {
      action: 'created',
      issue: {
        number: THREAD,
        title: 'Retries',
        body: '',
        html_url: 'https://github.com/octo/app/issues/12',
      },
      comment: { id, body: request, user: alice },
      sender: alice,
    },
    repository: { owner: 'octo', repo: 'app' },
    repositoryId: 7,
    runId: 900,
    runAttempt,
    branch: 'main',
    ...{ workflow: 'Docs', job: 'docs', step: 'docs', actor: 'alice', workspace: '.' },
    serverUrl: 'https://github.com',
    apiUrl: emulator.githubUrl,
  })

  function begin(
    step: typeof mainStep,
    attempt: number,
    given: Readonly<Record<string, string>>,
    saved: Readonly<Record<string, string>>,
  ): Step {
    let dead = false
    const alive = async <T>(result: Promise<T>): Promise<T> => {
      const value = await result.catch((error: unknown) => ({ error }))
      if (dead) return await new Promise<never>(() => {})
      if (typeof value === 'object' && value !== null && 'error' in value) throw value.error
      return value as T
    }
    const inputs: Readonly<Record<string, string>> = {
      'project-id': 'docs',
      'api-key': 'test-key',
      'github-token': 'test-token',
      'base-url': emulator.serviceUrl,
      ...given,
    }
    const canceller = cancellation((ms) => alive(sleep(ms)))
    const { promise: done, resolve, reject } = Promise.withResolvers<Step>()
    const running: Step = {
      outputs: {},
      state: {},
      log: [],
      summary: '',
      canceller,
      kill: () => {
        dead = true
      },
      done,
    }
    const unlessDead = (act: () => void): void => {
      if (!dead) act()
    }
    const say = (line: string): void => unlessDead(() => running.log.push(line))
    const deps: Deps = {
      core: {
        getInput: (name) => (inputs[name] ?? '').trim(),
        getState: (name) => saved[name] ?? '',
        setSecret: () => {},
        ...{ info: say, debug: () => {}, warning: say, error: say, setFailed: say, isDebug: () => false },
        setOutput: (name, value) =>
          unlessDead(() => {
            running.outputs[name] = value
          }),
        saveState: (name, value) =>
          unlessDead(() => {
            running.state[name] = value
          }),
        setSummary: async (markdown) =>
          unlessDead(() => {
            running.summary += markdown
          }),
      },
      fetch: (url, init) => alive(emulator.fetch(url, init)),
      cancellation: canceller,
      now,
      monotonic: passed,
      sleep: (ms, signal) => alive(sleep(ms, signal)),
      random: () => 0.5,
    }
    step(deps, async () => contextOf(attempt)).then(() => resolve(running), reject)
    return running
  }

  return {
    emulator,
    passed,
    pause: (ms) => sleep(ms),
    set: (ms) => {
      offset += ms
    },
    start: (attempt, inputs = {}) => begin(mainStep, attempt, inputs, {}),
    post: (main, attempt) => begin(postStep, attempt, {}, main.state),
    comments: () =>
      emulator.github
        .comments(THREAD)
        .filter(({ user }) => user.login === 'github-actions[bot]')
        .map(({ body }) => body),
    reactions: () => emulator.github.reactions('issue', id).map(({ content }) => content),
    serviceCalls: () =>
      emulator.requests
        .filter(({ host }) => host === 'service')
        .map(({ method, path }) => `${method} ${path}`),
  }
}
