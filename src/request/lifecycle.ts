import type { ErrorReason } from '../errors.ts'
import type { Job } from './job.ts'
import { type Outcome, outcomeOf, type Reason, type SkipReason } from './outcome.ts'

/**
 * The life of a request, as one state machine without I/O. Main step, post step, re-run and `collect` drive it: they
 * apply an event, carry out the effects, and report the ending if there is one.
 */
export type RequestState =
  /** The run knows the request and has sent nothing. */
  | { readonly state: 'received' }
  /** The request is about to go out, or went out; only its answer can tell. `jobId` is '' for a new job. */
  | { readonly state: 'sending'; readonly jobId: string }
  /** The service may have processed the request, and people were asked to look. */
  | { readonly state: 'unknown'; readonly jobId: string }
  /** The service surely did not process the request. */
  | { readonly state: 'notSent' }
  | ({ readonly state: 'running' } & Running)
  /** The job goes on, and the run that waited for it reported that it no longer does. */
  | ({ readonly state: 'detached' } & Running)
  /** The end of the job is reported: nothing is ever written over it. */
  | ({ readonly state: 'reported' } & Running)
  /** The request needed no job: help, status, a dry run, or a skip. */
  | { readonly state: 'answered' }

export interface Running {
  readonly job: Job
  /** When the job got this request as a message, in ms since the epoch; 0 for a new job (4.8). */
  readonly messagedAt: number
  /** Until when a run waits for the job, in ms since the epoch; 0 when none does. */
  readonly waitsUntil: number
}

export type StateName = RequestState['state']
type StateOf<S extends StateName> = Extract<RequestState, { state: S }>

export type RequestEvent =
  /** The plan is to create a job ('' for its id), or to send the job a message. */
  | { readonly type: 'send'; readonly jobId: string }
  /** The job that was to get the message no longer exists, so nothing was processed. */
  | { readonly type: 'jobGone' }
  | { readonly type: 'accepted'; readonly job: Job; readonly messagedAt: number }
  | { readonly type: 'noAnswer'; readonly message: string }
  /** An attempt finds what an earlier one left. */
  | { readonly type: 'resume' }
  | { readonly type: 'wait'; readonly until: number }
  /** `wait: false`. */
  | { readonly type: 'leave' }
  | { readonly type: 'read'; readonly job: Job }
  /** The job ended, and with it this request (4.8). */
  | { readonly type: 'ended'; readonly job: Job }
  | { readonly type: 'failed'; readonly reason: ErrorReason; readonly message: string }
  | { readonly type: 'answered'; readonly reason: SkipReason; readonly message: string }
  | { readonly type: 'deadline'; readonly message: string }
  | { readonly type: 'cancelled' }
  /** The process of the main step is gone. */
  | { readonly type: 'killed' }

export type EventType = RequestEvent['type']
type EventOf<E extends EventType> = Extract<RequestEvent, { type: E }>

/** `saveState`: for the post step; `writeStatus`: the status comment with its record, before anything else happens. */
export type Effect = 'saveState' | 'setOutputs' | 'writeStatus'

/** How the run ends: the driver reports it in thread, log, summary and outputs. */
export interface Ending {
  readonly outcome: Outcome
  readonly reason: Reason
  /** For `error` and some `skipped`: what failed, why, and the next step; inline Markdown, at most three sentences. */
  readonly message: string
}

export interface Transition {
  readonly state: RequestState
  readonly effects: readonly Effect[]
  readonly ending: Ending | undefined
}

export const ending = (outcome: Outcome, reason: Reason = '', message = ''): Ending => ({
  outcome,
  reason,
  message,
})

const EARLIER_UNANSWERED =
  'An earlier attempt of this run ended before its request was answered. Look at the dashboard first; a re-run may start a second job.'
const KILLED_UNANSWERED =
  'The run ended before its request was answered. Look at the dashboard first; a re-run may start a second job.'

type Cell<S extends StateName, E extends EventType> = (state: StateOf<S>, event: EventOf<E>) => Transition
type AnyCell = (state: RequestState, event: RequestEvent) => Transition

/** Every event in every state: a new event or state does not compile until it has its answers. */
type Table = { readonly [E in EventType]: { readonly [S in StateName]: Cell<S, E> } }

const to = (state: RequestState, effects: readonly Effect[] = [], end?: Ending): Transition => ({
  state,
  effects,
  ending: end,
})

/** The driver has a bug when it applies the event here. */
const impossible = (state: RequestState, event: RequestEvent): never => {
  throw new Error(`the event ${event.type} cannot happen in the state ${state.state}`)
}

/** The record of an earlier attempt, or of this one, already says what there is to say. */
const stay = (state: RequestState): Transition => to(state)

const send = (_: RequestState, { jobId }: EventOf<'send'>): Transition =>
  to({ state: 'sending', jobId }, ['saveState', 'writeStatus'])

const unanswered = ({ jobId }: StateOf<'sending'>, message: string): Transition =>
  to({ state: 'unknown', jobId }, [], ending('error', 'creation-uncertain', message))

type Known = StateOf<'running' | 'detached' | 'reported'>
const read = (state: Known, { job }: EventOf<'read'>): Transition => to({ ...state, job }, ['setOutputs'])

const report = (state: Running, { job }: EventOf<'ended'>): Transition => {
  const outcome = outcomeOf(job)
  if (outcome === undefined) throw new Error(`a job that is ${job.status} has not ended`)
  return to({ ...state, state: 'reported', job, waitsUntil: 0 }, ['setOutputs'], ending(outcome))
}

const skip = (state: RequestState, { reason, message }: EventOf<'answered'>): Transition =>
  to(state, [], ending('skipped', reason, message))

const answer = (_: RequestState, event: EventOf<'answered'>): Transition => skip({ state: 'answered' }, event)

const cancel = (state: RequestState): Transition => to(interrupted(state), [], ending('cancelled'))

/** What a run that ends early leaves of its request. */
function interrupted(state: RequestState): RequestState {
  switch (state.state) {
    case 'received':
    // Whether a request went out that could have been processed is the event `noAnswer`.
    case 'sending':
    case 'notSent':
    case 'answered':
      return { state: 'notSent' }
    case 'running':
    case 'detached':
      return { ...state, state: 'detached', waitsUntil: 0 }
    case 'unknown':
    case 'reported':
      return state
  }
}

function failed(state: RequestState, reason: ErrorReason): RequestState {
  const left = interrupted(state)
  // Where the thread cannot be read, an earlier attempt may have sent the request.
  if (left.state === 'notSent' && reason === 'creation-uncertain') return { state: 'unknown', jobId: '' }
  // A job that the service no longer knows has ended; any other trouble says nothing about it.
  if (left.state === 'detached' && reason === 'job-not-found') return { ...left, state: 'reported' }
  return left
}

/** Nothing is under way. */
const idle = <C>(cell: C) => ({ received: cell, unknown: cell, notSent: cell, answered: cell })
const withJob = <C>(cell: C) => ({ running: cell, detached: cell, reported: cell })

const inEveryState = <E extends RequestEvent>(cell: (state: RequestState, event: E) => Transition) =>
  ({ ...idle(cell), sending: cell, ...withJob(cell) }) satisfies Readonly<Record<StateName, typeof cell>>

/** For events of a few states only. */
const IMPOSSIBLE = inEveryState(impossible)

const TRANSITIONS: Table = {
  // Where the request is unknown, people were asked to look, and a person started the re-run.
  send: { ...IMPOSSIBLE, ...idle(send) },
  jobGone: { ...IMPOSSIBLE, sending: () => to({ state: 'received' }) },
  accepted: {
    ...IMPOSSIBLE,
    sending: (_, { job, messagedAt }) =>
      to({ state: 'running', job, messagedAt, waitsUntil: 0 }, ['setOutputs', 'saveState']),
  },
  noAnswer: { ...IMPOSSIBLE, sending: (state, { message }) => unanswered(state, message) },
  resume: {
    ...idle(stay),
    sending: (state) => unanswered(state, EARLIER_UNANSWERED),
    running: (state) => to(state, ['setOutputs', 'saveState']),
    detached: (state) => to({ ...state, state: 'running' }, ['setOutputs', 'saveState']),
    reported: (state) => to(state, ['setOutputs']),
  },
  wait: {
    ...IMPOSSIBLE,
    running: (state, { until }) => to({ ...state, waitsUntil: until }, ['saveState', 'writeStatus']),
  },
  leave: {
    ...IMPOSSIBLE,
    running: (state) => to({ ...state, waitsUntil: 0 }, ['saveState'], ending('started')),
  },
  read: { ...IMPOSSIBLE, ...withJob(read) },
  ended: { ...IMPOSSIBLE, ...withJob(report) },
  answered: { ...idle(answer), sending: skip, ...withJob(skip) },
  failed: inEveryState((state, { reason, message }) =>
    to(failed(state, reason), [], ending('error', reason, message)),
  ),
  deadline: inEveryState((state, { message }) =>
    to(interrupted(state), [], ending('timed-out', '', message)),
  ),
  cancelled: inEveryState(cancel),
  killed: {
    ...idle(stay),
    ...withJob(stay),
    received: cancel,
    running: cancel,
    sending: (state) => unanswered(state, KILLED_UNANSWERED),
  },
}

/**
 * The next state, what the driver has to do, and the ending if the run ends with it.
 * @throws {Error} for an event that cannot happen in the state
 */
export function transition(state: RequestState, event: RequestEvent): Transition {
  const cell = TRANSITIONS[event.type][state.state] as AnyCell
  return cell(state, event)
}

export const jobOf = (state: RequestState): Job | undefined => ('job' in state ? state.job : undefined)

/**
 * Whether what an earlier attempt left stays as it is: a reported result always does, and so does everything that an
 * earlier attempt sent, or may have sent, when this run sent nothing.
 */
export function existingRecordStands(
  existing: RequestState & { readonly run: string },
  next: RequestState,
  run: string,
): boolean {
  if (existing.state === 'reported') return true
  const sentNothing = next.state === 'notSent' || next.state === 'answered'
  const sentEarlier = jobOf(existing) !== undefined || (existing.state === 'sending' && existing.run !== run)
  return sentNothing && sentEarlier
}
