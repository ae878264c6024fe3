import { isRecord } from '../emulator/http.ts'
import { isTerminal, type Turn } from '../emulator/service/turn.ts'
import type { Event } from './events.ts'
import type { Call, Life } from './life.ts'
import { CALL_HEADER } from './network.ts'
import { mayAsk } from './people.ts'
import { toldBy } from './records.ts'
import { type Ask, PATHS } from './story.ts'
import { agentPulls, PULL, REPOSITORY, threadsOf, type World } from './world.ts'

/** All that has happened so far, and what is true of it: what the rules look at. */
export interface History {
  readonly world: World
  readonly requests: readonly Request[]
  readonly sweeps: readonly Life[]
  /** Of the sweeps that an event woke which names pull requests: those that it names here. */
  readonly namedBySweeps: ReadonlyMap<Life, readonly number[]>
}

/** One request of someone, with every run that served it. */
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
  post?: Life
}

export const livesOf = ({ runs }: Pick<Request, 'runs'>): Life[] =>
  runs.flatMap(({ main, post }) => (post === undefined ? [main] : [main, post]))

/** The request whose run the process belongs to. */
export const requestOf = ({ requests }: Pick<History, 'requests'>, life: Life): Request | undefined =>
  requests.find((request) => livesOf(request).includes(life))

/** The thread that a run has looked up, because its event names none. */
export function locatedThread(runs: readonly Run[]): number | undefined {
  const numbers = runs.map(({ main }) => Number(main.footprint.outputs.get('issue-number') ?? ''))
  return numbers.findLast((number) => number > 0)
}

export const outcomeOf = (life: Life | undefined): string => life?.footprint.outputs.get('outcome') ?? ''
export const reasonOf = (life: Life | undefined): string => life?.footprint.outputs.get('reason') ?? ''
export const jobOf = (life: Life | undefined): string => life?.footprint.outputs.get('job-id') ?? ''

/** A request that creates a job, or sends a message to one. */
export const isPrompt = ({ host, method, path }: Call): boolean =>
  host === 'service' && method === 'POST' && path.startsWith('/v2/agent/')

export const promptIn = (call: Call): string => textOf(fieldsOf(call.body).prompt)

/** The prompt holds what was asked, and not what failed of a pull request. */
export const isWordsOf = ({ ask }: Request, prompt: string): boolean =>
  prompt.includes(/\(ask-\w+;\)/.exec(ask.words)?.[0] ?? ask.words)

/** What was sent to the agent and processed, whether or not the process heard of it. */
export interface Sent {
  readonly request: Request
  readonly run: Run
  readonly call: Call
  readonly jobId: string
  /** Where the run answers; undefined where there is no thread. */
  readonly thread: number | undefined
  readonly at: number
  /** What the pull request of the code changed as the run had read it, or changed then, as far as the request is about it. */
  readonly files: string
  /** The job's id came back to a process that lived to tell it. */
  readonly isKnown: boolean
  /** Not the request itself, but what failed of its pull request. */
  readonly isFix: boolean
  /** What the agent made of it, or makes yet. */
  readonly turn: Turn
}

/** In order; without the failures that went back. */
export const sentBy = (history: History, requests: readonly Request[]): readonly Sent[] =>
  allSentBy(history, requests).filter(({ isFix }) => !isFix)

export const allSentBy = ({ world }: History, requests: readonly Request[]): readonly Sent[] =>
  world.messages.flatMap((message) => {
    const { life, call, jobId, at, turn } = message
    const request = requests.find((one) => livesOf(one).includes(life))
    const run = request?.runs.find(({ main, post }) => main === life || post === life)
    if (request === undefined || run === undefined) return []
    const { status = 500, text = '' } = call
    // Of a message the path names the job, and a refusal is one of the way.
    const isKnown =
      status < 300 &&
      textOf(fieldsOf(text).id) === jobId &&
      (run.main.killedAt === undefined || isTold(world, run, call, jobId))
    const files = countedFiles(request, filesRead(life, call) ?? message.files)
    const isFix = !isWordsOf(request, promptIn(call))
    const thread = request.event.thread ?? locatedThread([run]) ?? request.thread
    return [{ request, run, call, jobId, thread, at, files, turn, isKnown, isFix }]
  })

const FILES = new RegExp(`^/repos/${REPOSITORY}/pulls/${PULL}/files`)

/** Of the pull request of the code, before this call; undefined where the run has not read them. */
function filesRead({ calls }: Life, before: Call): string[] | undefined {
  const read = calls.slice(0, calls.indexOf(before)).findLast(({ path, text }) => FILES.test(path) && text)
  if (read?.status !== 200) return undefined
  const files: unknown = JSON.parse(read.text ?? '')
  return Array.isArray(files) ? files.map((file) => textOf(file?.filename)) : undefined
}

/** Files that the input `paths` names; where it names none, a command is still about all of them. */
export function countedFiles({ inputs: { paths } }: Request, files: readonly string[]): string {
  const counted = files.filter((file) => isNamed(paths, file))
  return (counted.length > 0 ? counted : files).join()
}

export const isNamed = (paths: string | undefined, file: string): boolean =>
  paths === undefined || PATHS[paths]?.(file) === true

/** A killed process told the job to its outputs, and to a post step or GitHub: what a lost runner knows is lost with it. */
function isTold({ emulator }: World, { main, post }: Run, prompt: Call, jobId: string): boolean {
  if (jobOf(main) !== jobId) return false
  const isDone = ({ id }: Call) =>
    emulator.requests.some(
      ({ headers, processed }) =>
        headers[CALL_HEADER] === id && processed !== null && processed >= 200 && processed < 300,
    )
  const isWritten = (call: Call) => toldBy(bodyOf(call)).includes(jobId) && isDone(call)
  return post !== undefined || main.calls.slice(main.calls.indexOf(prompt) + 1).some(isWritten)
}

/** The text of a comment that a call writes; '' for every other call. */
export const bodyOf = ({ host, body }: Call): string => (host === 'github' ? textOf(fieldsOf(body).body) : '')

export const isOfPull = ({ event }: Request): boolean => /^pull_request(_target)?$/.test(event.name)

/** No person used a command: the pull request of the code itself is the event. */
export const isOfCode = (request: Request): boolean => isOfPull(request) && request.event.head !== undefined

/** The thread can remember: there is one, comments are wanted and allowed, and people left them alone. */
export function canRemember(
  { world }: History,
  { thread, inputs }: Pick<Request, 'thread' | 'inputs'>,
): boolean {
  if (thread === undefined || inputs.comment === 'off') return false
  const { issues, pull_requests } = world.story.permissions
  const mayWrite = issues === 'write' && pull_requests === 'write'
  return mayWrite && threadsOf(world).includes(thread) && !world.touched.has(thread)
}

/** Accounts of the event that may not ask. @param hasLeft see `mayAsk` */
export function strangersOf({ event, inputs }: Request, hasLeft = false): string[] {
  const bots = allowedBots(inputs)
  return event.accounts.filter((login) => !mayAsk(login, inputs['min-permission'] ?? 'write', bots, hasLeft))
}

export const allowedBots = (inputs: Request['inputs']): string[] =>
  (inputs['allowed-bots'] ?? '').split(/[,\s]+/).filter(Boolean)

/** The pull request of a link on the emulated GitHub. */
export function pullOf({ emulator }: World, link: string) {
  const [, repository = '', number] = /^https:\/\/github\.com\/([^/]+\/[^/]+)\/pull\/(\d+)$/.exec(link) ?? []
  const issue = emulator.github.repository(repository)?.issues.get(Number(number))
  return issue?.isPullRequest ? { repository, number: Number(number), issue } : undefined
}

/** The event is of a pull request that the agent has opened, under whichever account. */
export const isAgents = (world: World, thread: number | undefined): boolean =>
  thread !== undefined && world.story.docsRepository === REPOSITORY && agentPulls(world).includes(thread)

/** The host did not serve the process as it should. */
export const metTrouble = ({ calls }: Life, host: Call['host']): boolean =>
  calls.some((call) => call.host === host && (call.fault !== undefined || (call.status ?? 0) >= 500))

/** Something went wrong with the process. */
export const isHit = ({ killedAt, cancelledAt, calls }: Life): boolean =>
  killedAt !== undefined || cancelledAt !== undefined || calls.some(({ fault }) => fault !== undefined)

const WRITES = /\/issues\/\d+\/comments$/

/**
 * The job got another request than the one of this time, no earlier, or a process was lost that had written that it sends one: the
 * end that it tells may be of that.
 */
export const mayHaveLaterTurn = ({ messages, lives }: World, jobId: string, at: number): boolean =>
  messages.filter((one) => one.jobId === jobId && one.at >= at).length > 1 ||
  lives.some(
    (life) =>
      isHit(life) &&
      (life.endedAt === 0 || life.endedAt > at) &&
      life.calls.some((call) => isPrompt(call) || (call.method === 'POST' && WRITES.test(call.path))),
  )

/** It has not come to the end of all that it got. */
export function isAtWork({ emulator: { service } }: World, jobId: string): boolean {
  const { status = 'archived' } = service.job(jobId) ?? {}
  return !isTerminal(status) || service.openTurns(jobId).length > 0
}

/** The fields of a JSON object; none of anything else. */
export function fieldsOf(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What a run, or its post step, says where the agent may have got its request. */
export const UNCERTAIN = /not known whether (a job was started|the job \S+ got the request)/
