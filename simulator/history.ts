import { type ActionRecord, verifyRecord } from '../src/request/record.ts'
import type { Event } from './events.ts'
import type { Life } from './life.ts'
import type { Call } from './network.ts'
import type { Ask } from './story.ts'
import { REPOSITORY, scopeOf, type World } from './world.ts'

/** All that has happened so far: what the invariants look at. */
export interface History {
  readonly world: World
  readonly requests: readonly Request[]
  readonly sweeps: readonly Life[]
}

/** One request of someone, with every run that served it (contract 5.2). */
export interface Request {
  readonly name: string
  readonly ask: Ask
  readonly event: Event
  readonly inputs: Readonly<Record<string, string>>
  /** Where it is answered; undefined where there is no thread. */
  readonly thread: number | undefined
  readonly runs: Run[]
}

export interface Run {
  readonly attempt: number
  readonly main: Life
  post?: Life
}

export const livesOf = ({ runs }: Request): Life[] =>
  runs.flatMap(({ main, post }) => (post === undefined ? [main] : [main, post]))

/** The request whose run the process belongs to. */
export const requestOf = ({ requests }: History, life: Life): Request | undefined =>
  requests.find((request) => livesOf(request).includes(life))

/** A request that creates a job, or sends a message to one. */
export const isPrompt = ({ host, method, path }: Call): boolean =>
  host === 'service' && method === 'POST' && path.startsWith('/v2/agent/')

/** What a process has read when it decides: later it reads the thread only to see whether its comment is there. */
export function beforeWriting(calls: readonly Call[]): readonly Call[] {
  const first = calls.findIndex(
    ({ method, path }) => method === 'POST' && /\/issues\/\d+\/comments$/.test(path),
  )
  return first < 0 ? calls : calls.slice(0, first)
}

/** The thread that a run has looked up, because its event names none. */
export function locatedThread(runs: readonly Run[]): number | undefined {
  const numbers = runs.map(({ main }) => Number(main.footprint.outputs.get('issue-number') ?? ''))
  return numbers.findLast((number) => number > 0)
}

/** What was sent to the agent and processed, whether or not the process heard of it; in order. */
export interface Sent {
  readonly run: Run
  readonly call: Call
}

export function sentFor(history: History, request: Request): Sent[] {
  return request.runs.flatMap((run) =>
    sentPrompts(history.world, run.main.calls).map((call) => ({ run, call })),
  )
}

/** The prompts among these requests that the service has taken. */
export function sentPrompts(world: World, calls: readonly Call[]): readonly Call[] {
  const processed = processedCalls(world)
  return calls.filter((call) => isPrompt(call) && processed.has(call.id))
}

/** Ids of the requests that a server has done what they ask for. */
export function processedCalls({ emulator }: World): ReadonlySet<string> {
  return new Set(
    emulator.requests
      .filter(({ processed }) => processed !== null && processed >= 200 && processed < 300)
      .map(({ headers }) => headers['x-call'] ?? ''),
  )
}

export interface Recorded {
  readonly id: number
  readonly thread: number
  readonly author: string
  readonly body: string
  readonly record: ActionRecord
}

/** Comments of a thread with a record that holds, by any account. */
export function recordedIn(world: World, thread: number): Recorded[] {
  return world.emulator.github.comments(thread).flatMap(({ id, body, user }) => {
    const record = verifyRecord(body, scopeOf(world, thread))
    return record === undefined ? [] : [{ id, thread, author: user.login, body, record }]
  })
}

/** The job that the request of a record went to, or may have gone to; '' for none. */
export const jobIdIn = (record: ActionRecord): string =>
  'job' in record ? record.job.id : 'jobId' in record ? record.jobId : ''

/** Keys under which the request's runs have written, or tried to write, comments. */
export function keysOf({ world }: History, request: Request): ReadonlySet<string> {
  const { thread } = request
  if (thread === undefined) return new Set()
  const bodies = livesOf(request).flatMap(({ calls }) => calls.map(bodyOf))
  return new Set(
    bodies.flatMap((body) => {
      const record = verifyRecord(body, scopeOf(world, thread))
      return record === undefined ? [] : [record.key]
    }),
  )
}

/** The text of a comment that a call writes; '' for every other call. */
export function bodyOf({ host, body }: Call): string {
  if (host !== 'github' || body === '') return ''
  const parsed = JSON.parse(body) as { readonly body?: unknown }
  return typeof parsed.body === 'string' ? parsed.body : ''
}

/** Every thread of the workflow's repository. */
export const threadsOf = ({ emulator }: World): number[] => [
  ...(emulator.github.repository(REPOSITORY)?.issues.keys() ?? []),
]

export const outcomeOf = (life: Life | undefined): string => life?.footprint.outputs.get('outcome') ?? ''
export const reasonOf = (life: Life | undefined): string => life?.footprint.outputs.get('reason') ?? ''
