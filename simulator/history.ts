import { type Marker, readMarker } from '../src/core/marker.ts'
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

/** What was sent to the agent and processed, whether or not the process heard of it; in order. */
export interface Sent {
  readonly run: Run
  readonly call: Call
}

export function sentFor(history: History, request: Request): Sent[] {
  const processed = processedCalls(history.world)
  return request.runs.flatMap((run) =>
    run.main.calls
      .filter((call) => call.host === 'service' && call.method === 'POST' && processed.has(call.id))
      .map((call) => ({ run, call })),
  )
}

/** Ids of the requests that a server has done what they ask for. */
export function processedCalls({ emulator }: World): ReadonlySet<string> {
  return new Set(
    emulator.requests
      .filter(({ processed }) => processed !== null && processed >= 200 && processed < 300)
      .map(({ headers }) => headers['x-call'] ?? ''),
  )
}

export interface Marked {
  readonly id: number
  readonly thread: number
  readonly author: string
  readonly body: string
  readonly marker: Marker
}

/** Comments of a thread with a marker that holds, whoever posted them. */
export function markedIn({ emulator }: World, thread: number): Marked[] {
  return emulator.github.comments(thread).flatMap(({ id, body, user }) => {
    const marker = readMarker(body, scopeOf(thread))
    return marker === undefined ? [] : [{ id, thread, author: user.login, body, marker }]
  })
}

/** Keys under which the request's runs have written, or tried to write, comments. */
export function keysOf(request: Request): ReadonlySet<string> {
  const { thread } = request
  if (thread === undefined) return new Set()
  const bodies = livesOf(request).flatMap(({ calls }) => calls.map(bodyOf))
  return new Set(
    bodies.flatMap((body) => {
      const marker = readMarker(body, scopeOf(thread))
      return marker === undefined ? [] : [marker.key]
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
