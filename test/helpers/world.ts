import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { type Emulator, startEmulatorAtOnce } from '../../emulator/emulator.ts'
import type { Fault, FaultMatch } from '../../emulator/faults.ts'
import type { NewPullRequest } from '../../emulator/github/new.ts'
import type { EmulatorOptions } from '../../emulator/options.ts'
import { hash } from '../../emulator/random.ts'
import type { RequestEntry } from '../../emulator/requests.ts'
import { type ActionRun, type RunResult, runAction, startAction } from '../../emulator/runner.ts'
import type { ActionRecord } from '../../src/record/record.ts'
import { type SigningScope, signingKey } from '../../src/record/signed-record.ts'
import { OUTPUTS } from '../../src/story/step-outputs.ts'
import { emulateInProcess } from './step-in-process.ts'
import { verifyRecord } from './verify-record.ts'

export const ACTION = fileURLToPath(new URL('../../action.yml', import.meta.url))
const COLLECT = fileURLToPath(new URL('../../collect/action.yml', import.meta.url))
export const ISSUE = 12
export const BOT = 'github-actions[bot]'
export const DAY_MS = 86_400_000

/** A job that works for a minute, and rests for so long before it begins another turn that each run that waits sees it. */
export const RESTING = { durationMs: 60_000, pauseMs: 20_000 } as const

/** What signs the records of each run that says nothing else. `sound` looks for it in what a run shows. */
export const MEMORY_KEY = 'test-key-of-the-memory'
const KEYS = { 'project-id': 'docs', 'api-key': 'test-key', 'memory-key': MEMORY_KEY }

export const CREATE = { host: 'service', method: 'POST', path: /\/job$/ } as const
export const READ = { host: 'service', method: 'GET', path: /\/job\/[^/]+$/ } as const

/** How a dry run tries the key. */
export const KEY_READ = `GET /v2/agent/docs/job/${'0'.repeat(24)}`

/** Events without a thread. */
export const DISPATCH = { name: 'workflow_dispatch', payload: { sender: { login: 'alice', type: 'User' } } }
export const SCHEDULE = { name: 'schedule', payload: { schedule: '17 6 * * 1' } }

/** What a run has that differs from `given`. */
export type More = Partial<ActionRun>

interface Saying extends More {
  readonly by?: string
  readonly sender?: string
  readonly on?: number
  /** Of the event. */
  readonly action?: string
  readonly type?: 'User' | 'Bot'
  /** It answers one of GitHub's mails. */
  readonly isMail?: boolean
}

export interface Said {
  readonly name: string
  readonly payload: Readonly<Record<string, unknown>>
  /** Of the comment. */
  readonly id: number
}

/** An emulator, with what tests do in front of it and see in it. */
export type World = ReturnType<typeof peopled>

/** What only a process shows runs then alone. */
export const IN_BUNDLE = process.env.PART === 'bundle'

/**
 * An emulator, and how steps start in front of it: those of `src/` in this process, on a clock on which an hour takes no
 * time. `npm run test:bundle` runs what is tagged `bundle` with the bundle instead, over sockets and in real time.
 */
export function emulated(options: EmulatorOptions) {
  if (!IN_BUNDLE) return emulateInProcess(options)
  const emulator = startEmulatorAtOnce(options)
  onTestFinished(() => emulator.close())
  const setWallClock = (_: number): never => {
    throw new Error('a process has the clock of the machine')
  }
  return { emulator, launch: undefined, setWallClock, setRunnerClock: setWallClock }
}

/** octo/app with issue 12; alice may write, bob is an admin, everybody else only reads. */
export function world(options: EmulatorOptions = {}) {
  const { emulator, launch, ...clocks } = emulated(options)
  expectEachFault(emulator)
  return Object.assign(peopled(emulator, launch === undefined ? BUNDLE : { launch }), clocks)
}

/** A fault that strikes nothing proves nothing: the test does not say what its name says. */
const expectEachFault = ({ faults }: Emulator): void =>
  onTestFinished(() => expect(faults.idle, 'faults that struck nothing').toEqual([]))

/** The same with the agent's pull requests in the repository of the workflow. */
export const ownWorld = (options: EmulatorOptions = {}) => world({ docsRepository: 'octo/app', ...options })

const BUNDLE: More = {
  // Runs take the bundle from there once it is compiled, which is a third of what they take to start.
  env: { NODE_COMPILE_CACHE: join(tmpdir(), 'docs-agent-compiled') },
  inputs: { 'poll-interval-seconds': '0.05' },
}

/** @param usual of each run in front of this emulator */
function peopled(emulator: Emulator, { env = {}, inputs = {}, launch }: More) {
  const { github, settings, service, shown } = emulator
  github.setPermission('alice', 'write')
  github.setPermission('bob', 'admin')
  github.addIssue({ number: ISSUE, title: 'Retries', body: 'Nobody explains them.', user: 'carol' })

  /** A run as a workflow would have it. A fault without an end is for one run: a test that goes on ends it. */
  const given = (event: ActionRun['event'], more: More = {}): ActionRun => {
    expect(emulator.faults.endless, 'faults of an earlier run that never end').toEqual([])
    return {
      ...{ action: ACTION, emulator, event, post: 'if-needed' },
      ...(launch && { launch }),
      ...more,
      env: { ...env, ...more.env },
      inputs: { ...KEYS, ...inputs, ...more.inputs },
    }
  }

  const act = async (event: ActionRun['event'], more: More = {}): Promise<RunResult> =>
    sound(await runAction(given(event, more)), emulator)

  /** A sweep of `collect`. */
  const sweepGiven = (inputs: ActionRun['inputs'] = {}, more: More = {}): ActionRun =>
    given(SCHEDULE, { action: COLLECT, workflow: 'Collect', runId: 9_100_001, ...more, inputs })

  /** Writes the comment, and gives the event that GitHub makes of it. */
  function say(body: string, saying: Saying = {}): Said {
    const { by = 'alice', sender = by, on = ISSUE, action = 'created', type, isMail = false } = saying
    const comment = github.addComment(on, {
      login: by,
      body,
      isMail,
      ...(type === undefined ? {} : { type }),
    })
    const payload = {
      action,
      issue: shown.issue(on),
      comment: shown.comment(comment),
      sender: { ...shown.user(sender), ...(sender === by && type !== undefined && { type }) },
      repository: shown.repository(),
    }
    return { name: 'issue_comment', payload, id: comment.id }
  }

  /** What the action has written in a thread. */
  const written = (on = ISSUE) => github.comments(on).filter(({ user }) => user.login === BOT)
  /** What people see of it: GitHub folds away what is outdated. */
  const inSight = (on = ISSUE) => written(on).filter(({ minimized }) => minimized === undefined)
  const bodies = (on = ISSUE): string[] => inSight(on).map(({ body }) => body)
  const daysAgo = (days: number): number => settings.now() - days * DAY_MS

  return Object.assign(emulator, {
    ...{ given, act, say, written, inSight, bodies, daysAgo },

    /** Lets time pass. */
    pass: (ms: number): Promise<void> => settings.sleep(ms),

    /** alice writes, unless it says otherwise, and the action runs to its end. */
    async ask(body: string, { by, sender, on, action, type, isMail, ...more }: Saying = {}) {
      const said = say(body, JSON.parse(JSON.stringify({ by, sender, on, action, type, isMail })))
      return { said, ...(await act(said, more)) }
    },

    /** An event without a thread. */
    dispatch: ({ event = DISPATCH, ...more }: More = {}): Promise<RunResult> =>
      act(event, { ...more, inputs: { prompt: 'Explain retries', ...more.inputs } }),

    /** A scheduled run; each has an id of its own. */
    refresh: (runId: number, inputs: ActionRun['inputs'] = {}, more: More = {}): Promise<RunResult> =>
      act(SCHEDULE, { runId, ...more, inputs: { prompt: 'Refresh the docs.', ...inputs } }),

    sweepGiven,
    collect: (inputs?: ActionRun['inputs'], more?: More): Promise<RunResult> =>
      runAction(sweepGiven(inputs, more)),

    /**
     * A run that gets the signal when such a request comes in, which then meets the fault.
     * @param when of the signal: before the request is processed, or after it
     */
    async interrupted(
      run: ActionRun,
      match: FaultMatch,
      { signal = 'SIGKILL', fault, skip = 0, when = 'before' }: Interruption = {},
    ): Promise<RunResult> {
      const running = startAction(run)
      const call = () => void running.kill(signal)
      emulator.faults.add({ match, skip, fault: { kind: 'call', when, call } })
      if (fault !== undefined) emulator.faults.add({ match, skip, fault })
      const result = await running.done
      return run.action === ACTION ? sound(result, emulator) : result
    },

    /** A pull request that was merged so many days ago; its number and the SHA of the merge. */
    merge({ days = 1, ...pull }: NewPullRequest & { readonly days?: number } = {}) {
      const { number } = github.addPullRequest({ user: 'alice', ...pull })
      github.closePullRequest(number, { merged: true, at: daysAgo(days) })
      return { number, sha: github.pull(number).mergeCommitSha ?? '' }
    },

    /** The thread's last words of the action; '' for none. */
    lastWords: (on = ISSUE): string => bodies(on).at(-1) ?? '',
    records: (on = ISSUE): ActionRecord[] =>
      written(on).flatMap(({ body }) => verifyRecord(body, signingOf(on)) ?? []),
    reactions: (id: number, kind: 'issue' | 'review' = 'issue'): string[] =>
      github.reactions(kind, id).map(({ content }) => content),
    calls: (host?: RequestEntry['host']): string[] =>
      emulator.requests
        .filter((entry) => host === undefined || entry.host === host)
        .map(({ method, path }) => `${method} ${path}`),
    /** Prompts as the service has received them. */
    prompts: (): string[] =>
      emulator.requests
        .filter(({ host, method }) => host === 'service' && method === 'POST')
        .map(({ body }) => String((body as { prompt?: unknown }).prompt)),
    /** How many prompts each job got. */
    promptCounts: (): number[] => service.jobs().map(({ prompts }) => prompts.length),
  })
}

interface Interruption {
  readonly signal?: NodeJS.Signals
  readonly fault?: Fault
  readonly skip?: number
  readonly when?: 'before' | 'after'
}

/** How often the service took the request with each of these words. */
export const askedTimes = ({ service }: World, ...words: readonly string[]): number[] => {
  // The conversation, in the fence, has the requests of others.
  const prompts = service
    .jobs()
    .flatMap((job) => job.prompts.map((prompt) => prompt.split('=== begin')[0] ?? ''))
  return words.map((word) => prompts.filter((prompt) => prompt.includes(word)).length)
}

export const signingOf = (thread = ISSUE, repository = 'octo/app'): SigningScope => ({
  key: signingKey(MEMORY_KEY),
  projectId: 'docs',
  repositoryId: hash('repository', repository),
  thread,
})

export function expectOutcome(result: RunResult, outcome: string, reason = ''): void {
  const { outputs, log } = result
  expect({ outcome: outputs.outcome, reason: outputs.reason }, log).toEqual({ outcome, reason })
}

export const errorsOf = ({ annotations }: RunResult): string[] =>
  annotations.filter(({ level }) => level === 'error').map(({ message }) => message)

/** What holds however a run of the root action ends: 2.4, 6.3, and the names and forms of the outputs (2). */
function sound(result: RunResult, { github }: Emulator): RunResult {
  for (const step of [result, ...(result.post === undefined ? [] : [result.post])]) {
    const { log, outputs, summary, state, annotations, commands, fileErrors } = step
    expect(JSON.stringify([log, outputs, summary, state, annotations])).not.toMatch(/test-key|test-token/)
    expect(log, 'no stack').not.toMatch(/^\s+at .*\d+:\d+\)?$/m)
    expect(fileErrors).toEqual([])
    for (const { name } of commands) expect(name).toMatch(/^(add-mask|error|warning|debug)$/)
    for (const name of Object.keys(outputs)) expect([...OUTPUTS, 'result']).toContain(name)
    for (const value of Object.values(outputs)) expect(value).not.toMatch(/[\r\n]/)
  }
  // The colour of the job is the main step's (6.2).
  expect(result.post?.exitCode ?? 0, result.post?.log).toBe(0)
  const { result: all, ...rest } = result.outputs
  if (all !== undefined) expect(JSON.parse(all)).toEqual(rest)
  expect(
    github
      .comments(ISSUE)
      .map(({ user, body }) => (user.login === BOT ? body : ''))
      .join(),
  ).not.toMatch(/test-key|test-token/)
  return result
}
