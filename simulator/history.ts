import { TERMINAL } from '../emulator/service/turn.ts'
import type { RunContext } from './action.ts'
import type { Event } from './events.ts'
import type { Call, Life } from './life.ts'
import { CALL_HEADER } from './network.ts'
import { type Remembered, recordIn, unsignedRecordIn, wordsOf } from './records.ts'
import type { Ask } from './story.ts'
import { ACTION_LOGIN, PULL, REPOSITORY, scopeOf, threadsOf, type World } from './world.ts'

/** All that has happened so far: what the rules look at. */
export interface History {
  readonly world: World
  readonly requests: readonly Request[]
  readonly sweeps: readonly Life[]
}

/** One request of someone, with every run that served it (contract 5.2). */
export interface Request {
  readonly name: string
  readonly runId: number
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
  readonly context: RunContext
  /** What stood in all threads when it began. */
  readonly found: readonly Recorded[]
  post?: Life
}

export const livesOf = ({ runs }: Pick<Request, 'runs'>): Life[] =>
  runs.flatMap(({ main, post }) => (post === undefined ? [main] : [main, post]))

/** The request whose run the process belongs to. */
export const requestOf = ({ requests }: History, life: Life): Request | undefined =>
  requests.find((request) => livesOf(request).includes(life))

/** The request of a main step, with the run that it is of. */
export function runOf(history: History, life: Life): { request: Request; run: Run } | undefined {
  const request = requestOf(history, life)
  const run = request?.runs.find(({ main }) => main === life)
  return request && run && { request, run }
}

/** The main step of the run that the process belongs to: its outputs name the job, also for the post step. */
export const mainOf = (history: History, life: Life): Life | undefined =>
  requestOf(history, life)?.runs.find(({ main, post }) => main === life || post === life)?.main

/** A request that creates a job, or sends a message to one. */
export const isPrompt = ({ host, method, path }: Call): boolean =>
  host === 'service' && method === 'POST' && path.startsWith('/v2/agent/')

/** The thread that a run has looked up, because its event names none. */
export function locatedThread(runs: readonly Run[]): number | undefined {
  const numbers = runs.map(({ main }) => Number(main.footprint.outputs.get('issue-number') ?? ''))
  return numbers.findLast((number) => number > 0)
}

/** Not the request itself, but what failed of its pull request (4.12). */
export const isFix = ({ ask }: Request, call: Call): boolean =>
  isPrompt(call) && call.path.endsWith('/message') && !call.body.includes(`${ask.id};`)

/** What was sent to the agent and processed, whether or not the process heard of it; in order. */
export interface Sent {
  readonly run: Run
  readonly call: Call
}

export function sentFor(history: History, request: Request): Sent[] {
  return request.runs.flatMap((run) =>
    sentPrompts(history.world, run.main.calls)
      .filter((call) => !isFix(request, call))
      .map((call) => ({ run, call })),
  )
}

/** The prompts among these requests that the service has taken. */
export function sentPrompts(world: World, calls: readonly Call[]): readonly Call[] {
  const prompts = calls.filter(isPrompt)
  if (prompts.length === 0) return prompts
  const done = processedIn(world)
  return prompts.filter(({ id }) => done.has(id))
}

/** Ids of the calls that a server has done, whether or not the process heard of it. */
export const processedIn = ({ emulator }: World): ReadonlySet<string> =>
  new Set(
    emulator.requests
      .filter(({ processed }) => processed !== null && processed >= 200 && processed < 300)
      .map(({ headers }) => headers[CALL_HEADER] ?? ''),
  )

/** The job that a prompt went to; undefined where no answer names it. */
export function jobIdOf({ path, text = '' }: Call): string | undefined {
  const messaged = /\/job\/([^/]+)\/message$/.exec(path)?.[1]
  return messaged === undefined ? /"id":"([^"]+)"/.exec(text)?.[1] : decodeURIComponent(messaged)
}

export const isOfPull = ({ event }: Request): boolean => /^pull_request(_target)?$/.test(event.name)

/** No person used a command: the pull request of the code itself is the event. */
const isOfCode = (request: Request): boolean => isOfPull(request) && request.event.code !== undefined

/**
 * The request that a run goes on with in the place of its own: an event of the code that brings nothing new follows the job
 * that works on the same changes, or on those of a later event, where no other run does (3.13).
 */
export function takenUp(history: History, request: Request, life: Life): Request | undefined {
  const jobId = life.footprint.outputs.get('job-id') ?? ''
  if (!isOfCode(request) || jobId === '') return undefined
  if (life.footprint.outputs.get('job-action') !== 'resumed') return undefined
  const isNew = sentFor(history, request).length === 0
  const { code } = request.event
  const hasSame = (other: Request) =>
    isOfCode(other) &&
    (other.runId < request.runId
      ? other.event.code?.paths.join() === code?.paths.join()
      : other.ask.workflow === request.ask.workflow)
  return history.requests.findLast(
    (other) =>
      other.runId !== request.runId &&
      hasSame(other) &&
      sentFor(history, other).some(({ call }) => jobIdOf(call) === jobId) &&
      // A re-run goes on with its own job most often.
      (isNew || [...writtenIn(request)].some(([key, at]) => (writtenIn(other).get(key) ?? at) < at)),
  )
}

/** The keys under which the runs of a request have written, with the time of the first try, whether or not GitHub took it. */
function writtenIn(request: Request): ReadonlyMap<string, number> {
  const first = new Map<string, number>()
  for (const call of livesOf(request).flatMap(({ calls }) => calls)) {
    const key = changesEarlier(request, call) ? undefined : unsignedRecordIn(bodyOf(call))?.key
    if (key !== undefined && !first.has(key)) first.set(key, call.at)
  }
  return first
}

/** A comment that remembers something, by any account. */
export interface Recorded {
  readonly id: number
  readonly thread: number
  readonly author: string
  readonly body: string
  readonly record: Remembered
}

export function recordedIn(world: World, thread: number): Recorded[] {
  return world.emulator.github.comments(thread).flatMap(({ id, body, user }) => {
    const record = recordIn(body, scopeOf(world, thread))
    return record === undefined ? [] : [{ id, thread, author: user.login, body, record }]
  })
}

export const allRecorded = (world: World): Recorded[] =>
  threadsOf(world).flatMap((thread) => recordedIn(world, thread))

/** What the action itself has written of this request, and what still stands of it. */
export function ownRecords(history: History, request: Request): Recorded[] {
  const keys = keysOf(history, request)
  return recordedIn(history.world, request.thread ?? 0).filter(
    ({ author, record }) => author === ACTION_LOGIN && keys.has(record.key) && isResult(record),
  )
}

const isResult = ({ kind }: Remembered): boolean => kind !== 'refusal' && kind !== 'link'

/**
 * When the request of a record came to the thread first, on the true clock: with the first attempt that left a comment
 * there, because no later one can know of an earlier one. -Infinity for a key that no request has. A link tells when its
 * request came, wherever that was.
 */
export function cameFirstAt(
  { world, requests }: History,
  { thread, record }: Pick<Recorded, 'thread' | 'record'>,
): number {
  const done = processedIn(world)
  // Who is refused has not asked yet.
  const isOfRecord = (left: Remembered | undefined) => left?.key === record.key && left.kind !== 'refusal'
  const left = ({ calls }: Life) =>
    calls.some(
      (call) =>
        call.method === 'POST' &&
        call.path.endsWith(record.kind === 'link' ? '/comments' : `/issues/${thread}/comments`) &&
        done.has(call.id) &&
        isOfRecord(unsignedRecordIn(bodyOf(call))),
    )
  const runs = requests.flatMap((request) => request.runs)
  const first = runs.find((run) => livesOf({ runs: [run] }).some(left))
  return first?.main.bornAt ?? Number.NEGATIVE_INFINITY
}

/** Keys under which the request's runs have written, or tried to write, comments. */
export function keysOf(history: History, request: Request): ReadonlySet<string> {
  const { world } = history
  const { thread } = request
  if (thread === undefined) return new Set()
  const calls = livesOf(request).flatMap((life) =>
    life.calls.filter((call) => !changesEarlier(request, call)),
  )
  const bodies = calls.map(bodyOf)
  const keys = new Set(bodies.flatMap((body) => recordIn(body, scopeOf(world, thread))?.key ?? []))
  // Of two requests whose runs took each other's place, each has the keys that it wrote first.
  const own = writtenIn(request)
  const others = request.runs.flatMap(({ main }) => takenUp(history, request, main) ?? []).map(writtenIn)
  const isTaken = (key: string) => others.some((other) => (other.get(key) ?? Infinity) < (own.get(key) ?? 0))
  return new Set([...keys].filter((key) => !isTaken(key)))
}

/** The run that first asked what a record is about, which two calls of one reusable workflow share; its key where nobody knows. */
export const askedBy = (history: History, { thread, record }: Recorded): number | string =>
  history.requests.find((request) => request.thread === thread && keysOf(history, request).has(record.key))
    ?.runId ?? record.key

/** The record is a result that says that the job failed. */
export const saysFailed = ({ kind, jobStatus, payload }: Remembered): boolean =>
  kind === 'reported' && jobStatus === 'failed' && payload.checks === undefined

/** A re-run found that the job of an earlier attempt had failed, so it asks again (5.2). */
export function asksAgain(history: History, request: Request, { attempt, found }: Run): boolean {
  const keys = keysOf(history, request)
  return attempt > 1 && found.some(({ record }) => keys.has(record.key) && saysFailed(record))
}

/** The text of a comment that a call writes; '' for every other call. */
export function bodyOf({ host, body }: Call): string {
  if (host !== 'github' || body === '') return ''
  const parsed = JSON.parse(body) as { readonly body?: unknown }
  return typeof parsed.body === 'string' ? parsed.body : ''
}

/** It notes in the record of an earlier event a head that brings nothing new, the end of the code, or a later result (3.13). */
export function changesEarlier({ runId }: Request, call: Call): boolean {
  if (call.method !== 'PATCH') return false
  const body = bodyOf(call)
  const record = unsignedRecordIn(body)
  // Two calls of one reusable workflow have the same run.
  const isOfOtherRun = record !== undefined && !String(record.payload.run).startsWith(`${runId}.`)
  return isOfOtherRun || replacingId(body) !== undefined
}

const QUIET_LINE = /^Replaced by \[the result of a later push\]\(\S+#issuecomment-(\d+)\)\./

/** The comment that a line in the place of an earlier result leads to (3.13); undefined for every other text. */
export function replacingId(body: string): number | undefined {
  const id = QUIET_LINE.exec(body)?.[1]
  return id === undefined ? undefined : Number(id)
}

/** The answer of the service is about a job that has ended. */
export const ENDED = new RegExp(`"status":"(${TERMINAL.join('|')})"`)

export const outcomeOf = (life: Life | undefined): string => life?.footprint.outputs.get('outcome') ?? ''
export const reasonOf = (life: Life | undefined): string => life?.footprint.outputs.get('reason') ?? ''

/** The comment says that the code's pull request is merged or closed. */
export const tellsOfEnd = (body: string): boolean => ENDS.test(wordsOf(body))

const ENDS = new RegExp(`${REPOSITORY}#${PULL} (is merged|was closed)`)
