import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'vitest'
import type { FaultMatch } from '../../emulator/faults.ts'
import type { RequestEntry } from '../../emulator/requests.ts'
import { type ActionRun, type RunResult, runAction, startAction } from '../../emulator/runner.ts'
import { expectOutcome, ISSUE, ownWorld, type Said, type World } from '../helpers/world.ts'

const THREAD = new RegExp(`/issues/${ISSUE}/comments$`)

/** The status comment of a first command: the thread knows of the request, and the service does not yet. */
export const STATUS_COMMENT = { host: 'github', method: 'POST', path: THREAD } as const satisfies FaultMatch

/** SIGKILL at a request of a run, before or after the server has processed it. */
export interface Kill {
  /** Which request; every one, if not given. */
  readonly match?: FaultMatch
  /** The nth of those, from 0, in the order of arrival, which varies where requests go out together. */
  readonly at: number
  readonly when: 'before' | 'after'
  /** Whether the runner is still there to run the post step. */
  readonly post: boolean
  /** The post step is killed as well, at one of its own requests. */
  readonly postAt?: number
}

/** Whom a test kills: the witness of a thread in which the run in question is the next one. */
export type Setting = (then: (witness: Witness) => Promise<void>) => Promise<void>

/**
 * Every way to kill the setting's next run: it is run once undisturbed, to learn its requests. What only reads leaves
 * the same behind whether the server has processed it or not, so one moment is enough. Requests that go out together
 * arrive in any order, so each is found by what it asks for.
 */
export async function killsIn(setting: Setting): Promise<(Kill & { readonly what: string })[]> {
  let requests: readonly RequestEntry[] = []
  await setting(async (witness) => {
    witness.emulator.clearRequests()
    await witness.undisturbed()
    requests = [...witness.emulator.requests]
  })
  expect(requests.length).toBeGreaterThan(3)
  const seen = new Map<string, number>()
  return requests.flatMap(({ host, method, path }) => {
    const what = `${method} ${path.replace(/j_[\da-f]+|\d+/g, '…')}`
    const at = seen.get(what) ?? 0
    seen.set(what, at + 1)
    const match = { host, method, path: new RegExp(`^${path.replace(/j_[\da-f]+|\d+/g, '[\\w]+')}$`) }
    const moments = method === 'GET' ? (['after'] as const) : (['before', 'after'] as const)
    return moments.flatMap((when) => [true, false].map((post) => ({ what, match, at, when, post })))
  })
}

export interface KilledRun {
  readonly result: RunResult
  /** How many requests the post step made. */
  readonly postRequests: number
}

/** Where the server does not process the request, it breaks off. */
export async function runKilled(emulator: World, run: ActionRun, kill: Kill): Promise<KilledRun> {
  const { match = {}, at, when, post, postAt } = kill
  const running = startAction({ ...run, post })
  let [struck, sentByMain] = [0, 0]
  const strike = (skip: number, of: FaultMatch) => {
    const call = async () => {
      struck += 1
      // A request takes a while to arrive; the process goes on until then.
      await nextTurn()
      running.kill('SIGKILL')
    }
    emulator.faults.add({ match: of, skip, fault: { kind: 'call', when, call } })
    if (when === 'before') emulator.faults.add({ match: of, skip, fault: { kind: 'reset' } })
  }
  strike(at, match)
  running.child.once('exit', () => {
    sentByMain = emulator.requests.length
    if (postAt !== undefined) strike(postAt, {})
  })
  const result = await running.done
  expect(struck, `the run has a request ${at}`).toBe(postAt === undefined ? 1 : 2)
  expect(result.signal).toBe('SIGKILL')
  if (postAt !== undefined) expect(result.post?.signal).toBe('SIGKILL')
  return { result, postRequests: emulator.requests.length - sentByMain }
}

export const UNCERTAIN = 'It is not known whether a job was started'

/** Runs the same event again and again, as people would, and watches what every attempt does. */
export class Witness {
  readonly emulator: World
  readonly said: Said
  readonly on: number
  attempt = 0
  /** The thread has told people, before this attempt, that the request may have been processed. */
  told = false
  #sent: number

  constructor(emulator: World, said: Said, on: number) {
    this.emulator = emulator
    this.said = said
    this.on = on
    this.#sent = this.sent()
  }

  /** Creations and messages that the service has processed, all requests together. */
  sent(): number {
    return this.emulator.service.jobs().reduce((sum, { prompts }) => sum + prompts.length, 0)
  }

  next(): ActionRun {
    this.attempt += 1
    return this.emulator.given(this.said, { attempt: this.attempt, runId: this.said.id })
  }

  /** 5.2: what was sent once is sent again only after people have read that it may have been. */
  check(log: string): void {
    const now = this.sent()
    const since = now - this.#sent
    expect(since, log).toBeLessThanOrEqual(this.told ? 2 : 1)
    this.told ||= this.emulator.bodies(this.on).some((body) => body.includes(UNCERTAIN))
  }

  async killed(kill: Kill): Promise<RunResult> {
    const { result } = await runKilled(this.emulator, this.next(), kill)
    this.check(result.log)
    return result
  }

  /** One attempt that nobody disturbs. */
  async undisturbed(): Promise<RunResult> {
    const result = await runAction(this.next())
    this.check(result.log)
    return result
  }

  /** Re-runs until the request has its pull request; one re-run may end as `creation-uncertain`, and sends nothing. */
  async toTheEnd(): Promise<RunResult> {
    const before = this.sent()
    const first = await this.undisturbed()
    if (first.outputs.reason !== 'creation-uncertain') return first
    expect(this.sent(), 'an uncertain attempt sends nothing').toBe(before)
    expect(this.emulator.reactions(this.said.id)).toEqual(['confused'])
    return await this.undisturbed()
  }

  /** What people see while nobody runs, the post step having had its say. */
  expectClosed({ post }: RunResult): void {
    expect(post?.exitCode, post?.log).toBe(0)
    expect(this.emulator.reactions(this.said.id), post?.log).not.toContain('eyes')
    expect(this.emulator.bodies(this.on).join('\n')).not.toContain('is working')
  }

  /** The run came further than its first look at GitHub: it asked the service, or wrote to GitHub. */
  hasActed(): boolean {
    return this.emulator.requests.some(({ host, method }) => host === 'service' || method !== 'GET')
  }

  /** One result, one reaction, nothing left over. @param results comments of the action in the thread, all told */
  expectTold(result: RunResult, results: number): void {
    expectOutcome(result, 'pull-request')
    expect(this.emulator.bodies(this.on), result.log).toHaveLength(results)
    const own = this.emulator.records(this.on).filter(({ comment }) => comment === `issue:${this.said.id}`)
    expect(own).toMatchObject([{ state: 'reported', job: { id: result.outputs['job-id'] } }])
    expect(this.emulator.reactions(this.said.id)).toEqual(['rocket'])
  }
}

/** Alice's first command in the thread. */
export const firstCommand: Setting = async (then) => {
  const emulator = ownWorld()
  await then(new Witness(emulator, emulator.say('/docs explain'), ISSUE))
}

/** Alice has a pull request already; then someone comments again. */
export const after =
  (body: string, by = 'alice'): Setting =>
  async (then) => {
    const emulator = ownWorld()
    await emulator.ask('/docs explain')
    emulator.clearRequests()
    await then(new Witness(emulator, emulator.say(body, { by }), ISSUE))
  }
