import type { Job } from './job.ts'

/**
 * What is known of a request to the agent. Main step, post step, re-run and `collect` go on from it, and every write
 * to the thread leaves it true.
 */
export type RequestState =
  /** Nothing is under way: the request was answered without the agent, or the service refused it. */
  | { readonly state: 'idle' }
  /** The request is about to go out, or went out; only its answer can tell. A new job has the id ''. */
  | { readonly state: 'sending'; readonly jobId: string }
  /** The service may have processed the request, and people were asked to look. */
  | { readonly state: 'unknown'; readonly jobId: string }
  | Running
  | Reported

/** The job works, or goes on while no run waits for it. */
export interface Running extends WithJob {
  readonly state: 'running'
  /** Until when a run waits for the job, in ms since the epoch; 0 when none does. */
  readonly waitsUntil: number
}

/** The thread shows how the job ended: no other run reports it again. */
export interface Reported extends WithJob {
  readonly state: 'reported'
}

interface WithJob {
  readonly job: Job
  /** When the job got this request as a message, in ms since the epoch; 0 for a new job (contract 4.8). */
  readonly messagedAt: number
  readonly checks?: CheckState
}

export interface CheckState {
  readonly status: ChecksStatus
  /** SHAs of the commits whose failures the job may have got, in order. */
  readonly sentFor: readonly string[]
  /** When the job may have got the last of them, in ms since the epoch; 0 for never. */
  readonly messagedAt: number
}

export const CHECKS_STATUSES = ['success', 'failure', 'pending', 'none', 'unavailable'] as const
export type ChecksStatus = (typeof CHECKS_STATUSES)[number]

export type StateName = RequestState['state']

export type RequestEvent =
  | { readonly type: 'send'; readonly jobId: string }
  /** The service did not process the request. */
  | { readonly type: 'notSent' }
  | { readonly type: 'noAnswer' }
  | { readonly type: 'accepted'; readonly job: Job; readonly messagedAt: number }
  /** For the job, or the checks of its pull request. @param until in ms since the epoch */
  | { readonly type: 'wait'; readonly until: number }
  | { readonly type: 'read'; readonly job: Job }
  | { readonly type: 'check'; readonly checks: CheckState }
  | { readonly type: 'report' }
  /** The run stops: it no longer waits for an answer, nor for the job. */
  | { readonly type: 'stop' }

type EventType = RequestEvent['type']
type EventOf<E extends EventType> = Extract<RequestEvent, { type: E }>
type StateOf<S extends StateName> = Extract<RequestState, { state: S }>
type Cell<S extends StateName, E extends EventType> = (state: StateOf<S>, event: EventOf<E>) => RequestState

/** An event that a state lacks cannot happen in it. */
type Table = { readonly [E in EventType]: { readonly [S in StateName]?: Cell<S, E> } }

const send = (_: RequestState, { jobId }: EventOf<'send'>): RequestState => ({ state: 'sending', jobId })
const unknown = ({ jobId }: StateOf<'sending'>): RequestState => ({ state: 'unknown', jobId })
const stay = (state: RequestState): RequestState => state
const reread = (state: Running | Reported, { job }: EventOf<'read'>): RequestState => ({ ...state, job })
const wait = ({ state: _, ...known }: Running | Reported, { until }: EventOf<'wait'>): RequestState => ({
  ...known,
  state: 'running',
  waitsUntil: until,
})

const TRANSITIONS: Table = {
  send: { idle: send },
  notSent: { sending: () => ({ state: 'idle' }) },
  noAnswer: { sending: unknown },
  accepted: {
    sending: (_, { job, messagedAt }) => ({ state: 'running', job, messagedAt, waitsUntil: 0 }),
  },
  wait: { running: wait, reported: wait },
  read: { running: reread, reported: reread },
  check: { running: (state, { checks }) => ({ ...state, checks }) },
  report: { running: ({ waitsUntil: _, ...known }) => ({ ...known, state: 'reported' }), reported: stay },
  stop: {
    idle: stay,
    sending: unknown,
    unknown: stay,
    running: (state) => ({ ...state, waitsUntil: 0 }),
    reported: stay,
  },
}

/** @throws {Error} for an event that cannot happen in the state: the caller has a bug */
export function transition(state: RequestState, event: RequestEvent): RequestState {
  const cell = TRANSITIONS[event.type][state.state] as
    | ((state: RequestState, event: RequestEvent) => RequestState)
    | undefined
  if (cell === undefined) throw new Error(`the event ${event.type} cannot happen in the state ${state.state}`)
  return cell(state, event)
}

export const jobOf = (state: RequestState): Job | undefined => ('job' in state ? state.job : undefined)

/** In ms since the epoch; 0 where the job got none. */
export const lastMessagedAt = (state: RequestState): number =>
  'job' in state ? Math.max(state.messagedAt, state.checks?.messagedAt ?? 0) : 0
