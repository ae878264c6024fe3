import type { Job } from './job.ts'
import type { CheckState, Part, Reported, RequestState, Running, StateName } from './record.ts'

export type RequestEvent =
  | { readonly type: 'send'; readonly jobId: string }
  /** The service did not process the request. */
  | { readonly type: 'notSent' }
  | { readonly type: 'noAnswer' }
  | { readonly type: 'accepted'; readonly job: Job; readonly messagedAt: number }
  | { readonly type: 'read'; readonly job: Job }
  /** The thread is about to show how the job ended. */
  | {
      readonly type: 'report'
      readonly openParts: readonly Part[]
      readonly replacedId: number
      readonly isLinked: boolean
    }
  /** @param follows whether the run goes on with them */
  | { readonly type: 'check'; readonly checks: CheckState; readonly follows: boolean }
  | { readonly type: 'link' }
  | { readonly type: 'close'; readonly part: Part }
  /** From now on the record alone says what is open, whatever the result replaces. */
  | { readonly type: 'forgetReplaced' }
  /** A sweep says that no answer came. */
  | { readonly type: 'tell' }
  /** The run stops waiting for an answer. */
  | { readonly type: 'stop' }

type EventType = RequestEvent['type']
type EventOf<E extends EventType> = Extract<RequestEvent, { type: E }>
type StateOf<S extends StateName> = Extract<RequestState, { state: S }>
type Cell<S extends StateName, E extends EventType> = (state: StateOf<S>, event: EventOf<E>) => RequestState

/** An event that a state lacks cannot happen in it; a run can stop in each. */
type Table = { readonly [E in EventType]: { readonly [S in StateName]?: Cell<S, E> } } & {
  readonly stop: { readonly [S in StateName]: Cell<S, 'stop'> }
}

const send = (_: RequestState, { jobId }: EventOf<'send'>): RequestState => ({
  state: 'sending',
  jobId,
  isTold: false,
})
const unknown = ({ jobId }: StateOf<'sending'>): RequestState => ({ state: 'unknown', jobId })
const stay = (state: RequestState): RequestState => state
const reread = (state: Running | Reported, { job }: EventOf<'read'>): RequestState => ({ ...state, job })
const report = (
  known: Running | Reported,
  { type: _, openParts, ...shown }: EventOf<'report'>,
): RequestState => ({
  ...known,
  ...shown,
  state: 'reported',
  openParts: [...openParts],
})

const without = (parts: readonly Part[], part: Part): Part[] => parts.filter((one) => one !== part)

const TRANSITIONS: Table = {
  send: { idle: send, unknown: send, notSent: send },
  notSent: { sending: () => ({ state: 'notSent' }) },
  noAnswer: { sending: unknown },
  accepted: { sending: (_, { job, messagedAt }) => ({ state: 'running', job, messagedAt }) },
  read: { running: reread, reported: reread },
  report: { running: report, reported: report },
  check: {
    reported: (state, { checks, follows }) => ({
      ...state,
      checks,
      openParts: [...without(state.openParts, 'checks'), ...(follows ? (['checks'] as const) : [])],
    }),
  },
  link: { reported: (state) => ({ ...state, isLinked: true }) },
  close: { reported: (state, { part }) => ({ ...state, openParts: without(state.openParts, part) }) },
  forgetReplaced: { reported: (state) => ({ ...state, replacedId: 0 }) },
  tell: { sending: (state) => ({ ...state, isTold: true }) },
  stop: {
    idle: stay,
    sending: (state) => (state.isTold ? state : unknown(state)),
    unknown: stay,
    notSent: stay,
    running: stay,
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

/** The request is with the agent, or may be. */
export const mayBeWithAgent = (state: RequestState): boolean => 'job' in state || state.state === 'sending'

export const jobOf = (state: RequestState): Job | undefined => ('job' in state ? state.job : undefined)

/** In ms since the epoch; 0 where the job got none. */
export const lastMessagedAt = (state: Running | Reported): number =>
  Math.max(state.messagedAt, 'checks' in state ? (state.checks?.messagedAt ?? 0) : 0)
