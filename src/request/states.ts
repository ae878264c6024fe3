import { type CheckState, NO_CHECKS } from './check-state.ts'
import { type Job, reread } from './job.ts'
import { type Ending, ending, isTerminal, type Outcome, outcomeOf } from './outcome.ts'
import type { Part, PlanNote, Reported, RequestState, Running, StateName } from './record.ts'

export type RequestEvent =
  /** A re-run begins: it says anew how it ends, and drops how an earlier attempt stopped. */
  | { readonly type: 'retry' }
  | { readonly type: 'send'; readonly jobId: string }
  /** The service did not process the request. */
  | { readonly type: 'notSent' }
  | { readonly type: 'noAnswer' }
  | {
      readonly type: 'accepted'
      readonly job: Job
      readonly note: PlanNote
      readonly messagedAt: number
      readonly headBefore?: string | undefined
      readonly wasBusy: boolean
    }
  | { readonly type: 'read'; readonly job: Job }
  /** The run begins to wait for the job. */
  | { readonly type: 'follow' }
  /** It is about to wait for the checks of the job's pull request. */
  | { readonly type: 'followChecks'; readonly decidesStatus: boolean }
  /** The thread is about to show how the job ended; `openParts` follow. */
  | {
      readonly type: 'report'
      readonly ending: Ending
      readonly openParts: readonly Part[]
      readonly isLinked: boolean
    }
  /** The thread is about to show an ending that is not the job's. */
  | { readonly type: 'end'; readonly ending: Ending | undefined; readonly openParts: readonly Part[] }
  | { readonly type: 'check'; readonly checks: CheckState }
  | { readonly type: 'link' }
  /** The part is done, or never will be. */
  | { readonly type: 'close'; readonly part: Part }
  /** It was done for an end that another one replaced. */
  | { readonly type: 'reopen'; readonly part: Part }

type EventType = RequestEvent['type']
type EventOf<E extends EventType> = Extract<RequestEvent, { type: E }>
type StateOf<S extends StateName> = Extract<RequestState, { state: S }>
type Cell<S extends StateName, E extends EventType> = (state: StateOf<S>, event: EventOf<E>) => RequestState

/** An event that a state lacks cannot happen in it. */
type Table = { readonly [E in EventType]: { readonly [S in StateName]?: Cell<S, E> } } & {
  readonly [E in 'close' | 'reopen']: { readonly [S in StateName]: Cell<S, E> }
}

/** What a request that goes on has of its end. */
const NO_END = { ending: undefined, openParts: [] as Part[] }

const send = (_: RequestState, { jobId }: EventOf<'send'>): RequestState => ({
  state: 'sending',
  jobId,
  ...NO_END,
})
const unknown = ({ jobId, ending, openParts }: StateOf<'sending'>): RequestState => ({
  state: 'unknown',
  jobId,
  ending,
  openParts,
})
const read = <S extends Running | Reported>(state: S, { job }: EventOf<'read'>): S => ({
  ...state,
  job: reread(state.job, job),
})
/** A turn after the result can answer with another pull request, which does not lead back yet. */
const readReported = (state: Reported, event: EventOf<'read'>): RequestState => {
  const next = read(state, event)
  return { ...next, isLinked: state.isLinked && next.job.prLink === state.job.prLink }
}
const report = (state: Running, { type: _, ...shown }: EventOf<'report'>): RequestState => ({
  ...state,
  ...shown,
  state: 'reported',
  openParts: [...shown.openParts],
})
const end = (state: RequestState, { ending, openParts }: EventOf<'end'>): RequestState => ({
  ...state,
  ending,
  openParts: [...openParts],
})
const followChecks = (state: Reported, { decidesStatus }: EventOf<'followChecks'>): RequestState => ({
  ...state,
  checks: { ...NO_CHECKS, ...state.checks, status: 'pending' },
  // The status waits for them, also where an earlier run had set it before they ended.
  openParts: [
    ...new Set([...state.openParts, 'checks' as const, ...(decidesStatus ? (['status'] as const) : [])]),
  ],
})
const close = (state: RequestState, { part }: EventOf<'close'>): RequestState => ({
  ...state,
  openParts: state.openParts.filter((one) => one !== part),
})
const goOn = <S extends RequestState>(state: S): S => ({ ...state, ...NO_END })
const reopen = (state: RequestState, { part }: EventOf<'reopen'>): RequestState => ({
  ...state,
  openParts: [...new Set([...state.openParts, part])],
})
const stay = (state: RequestState): RequestState => state
const inEachState = <C>(cell: C): Readonly<Record<StateName, C>> => ({
  idle: cell,
  sending: cell,
  unknown: cell,
  notSent: cell,
  running: cell,
  reported: cell,
})

const TRANSITIONS: Table = {
  // A request that is still being sent, and a result, stay as they are.
  retry: { idle: goOn, sending: stay, unknown: goOn, notSent: goOn, running: goOn, reported: stay },
  send: { idle: send, unknown: send, notSent: send },
  notSent: { sending: () => ({ state: 'notSent', ...NO_END }) },
  noAnswer: { sending: unknown },
  accepted: { sending: (_, { type, ...accepted }) => ({ state: 'running', ...accepted, ...NO_END }) },
  read: { running: read, reported: readReported },
  follow: { running: goOn },
  followChecks: { reported: followChecks },
  report: { running: report },
  end: { idle: end, sending: end, unknown: end, notSent: end, running: end },
  check: { reported: (state, { checks }) => ({ ...state, checks }) },
  link: { reported: (state) => ({ ...state, isLinked: true }) },
  close: inEachState(close),
  reopen: inEachState(reopen),
}

/** @throws {Error} for an event that cannot happen in the state: the caller has a bug */
export function transition(state: RequestState, event: RequestEvent): RequestState {
  const cell = TRANSITIONS[event.type][state.state] as
    | ((state: RequestState, event: RequestEvent) => RequestState)
    | undefined
  if (cell === undefined) throw new Error(`the event ${event.type} cannot happen in the state ${state.state}`)
  return cell(state, event)
}

/** @throws {Error} as `transition` does */
export const afterEvents = (state: RequestState, events: readonly RequestEvent[]): RequestState =>
  events.reduce(transition, state)

/** The agent has the request, or may have it: the next run asks nothing. */
export const mayBeWithAgent = (state: RequestState): boolean => 'job' in state || state.state === 'sending'

export const jobOf = (state: RequestState): Job | undefined => ('job' in state ? state.job : undefined)

/**
 * How the request ended, as its record says, or as it implies if an earlier version did not write it down.
 * @returns undefined where it goes on, or where nothing was sent
 */
export function recordedEnding(state: RequestState): Ending | undefined {
  // What a run said as it stopped waiting is not the end of the job.
  if (state.state === 'running') return undefined
  if (state.ending !== undefined) return state.ending
  if (state.state === 'sending' || state.state === 'unknown') return ending('error', 'creation-uncertain')
  if (state.state !== 'reported') return undefined
  const outcome = reportedOutcome(state)
  return outcome === undefined ? ending('error', 'job-not-found') : ending(outcome)
}

/** The outcome stays `pull-request`, whatever becomes of the checks (4.12). */
export const reportedOutcome = ({ job, checks }: Pick<Reported, 'job' | 'checks'>): Outcome | undefined =>
  checks === undefined ? outcomeOf(job) : 'pull-request'

/** The agent did what the request asked for. */
export const isCompleted = (reported: Reported): boolean => {
  const outcome = reportedOutcome(reported)
  return outcome === 'pull-request' || outcome === 'no-pull-request'
}

const neededOfChecks = (checks: CheckState | undefined) => [
  checks?.status,
  checks?.sentFor,
  checks?.messagedAt,
  checks?.wasBusy === true,
  checks?.hadAny === true,
]

/** What another process has to know at once. The rest, such as the job as last read, goes out with the next write. */
const neededOf = (state: RequestState): string =>
  JSON.stringify([
    state.state,
    state.ending?.outcome,
    state.openParts.toSorted(),
    // Between two turns, how long a job has been at rest counts from the first record that says so (contract 4.8).
    ...(state.state === 'running' && state.wasBusy ? [isTerminal(state.job)] : []),
    ...(state.state === 'reported' ? [state.isLinked, ...neededOfChecks(state.checks)] : []),
  ])

/** Whether the record tells other processes all that they have to know of the state. */
export const remembers = (record: RequestState, state: RequestState): boolean =>
  neededOf(record) === neededOf(state)
