import { mayChange } from './check-results.ts'
import { type Job, reread } from './job.ts'
import { type Ending, ending, isJobOutcome } from './outcome.ts'
import {
  type ActionRecord,
  type CheckState,
  NO_CHECKS,
  type RequestRecord,
  type RequestState,
  type Running,
} from './record.ts'

// How the record of a request changes: a function for each transition, which takes the state that it leaves. A new attempt of a
// request that ended, or was closed, begins as `idle`; no comment says that.

type State<Name extends RequestState['state']> = Extract<RequestState, { readonly state: Name }>
/** Nothing went out: it was not tried, or the service surely did not get it. Only the runner keeps it. */
export type Idle = State<'idle'>
/** The request goes out, or went out without an answer: in doubt, once no run holds it, or a process has said so. */
export type Sending = State<'sending'>
/** Its job ended, and the thread says how. */
export type Ended = State<'ended'>
/** It ended without a job that is known, and the thread says why. */
export type Closed = State<'closed'>

export const IDLE: Idle = { state: 'idle' }

/** Before the agent is asked, and again where the plan changes. @param to undefined for a new job */
export const toSending = (_: Idle | Sending, to: Job | undefined): Sending => ({
  state: 'sending',
  to,
  ending: undefined,
})

/** The request surely did not go out. */
export const toIdle = (_: Idle | Sending): Idle => IDLE

/** A sweep says that it is not known whether the agent has it. */
export const markInDoubt = (state: Sending, ending: Ending): Sending => ({ ...state, ending: { ...ending } })

type Acceptance = Omit<Running, 'state' | 'ending'>

/** The service took the request. */
export const accept = (_: Sending, accepted: Acceptance): Running => ({
  state: 'running',
  ...accepted,
  ending: undefined,
})

/** The job was read once more. */
export const noteJob = (state: Running, job: Job): Running => ({ ...state, job: reread(state.job, job) })

/** A run waits for it again: what another one said of its own end holds no longer. */
export const withoutRunEnding = (state: Running): Running => ({ ...state, ending: undefined })

/** The run stops waiting, and its job goes on. */
export const stopWaiting = (state: Running, ending: Ending): Running => ({ ...state, ending: { ...ending } })

/** @param checks of its pull request, to be followed unless a later request has read them; undefined where they are not asked for */
export const toEnded = (
  { ending: _, ...state }: Running,
  said: Ending,
  checks: Pick<CheckState, 'isWatched'> | Pick<CheckState, 'isWatched' | 'status'> | undefined,
): Ended => ({
  ...state,
  state: 'ended',
  ending: { ...said },
  effectsDone: false,
  checks: checks && { ...NO_CHECKS, ...checks },
})

/** The request ends without a job that is known. @param why of `/docs skip` */
export const close = (state: Idle | Sending, ending: Ending, why?: string): Closed => ({
  state: 'closed',
  to: state.state === 'sending' ? state.to : undefined,
  ending: { ...ending },
  effectsDone: false,
  ...(why !== undefined && { why }),
})

/** A re-run has the checks read again, unless they pass; so has an event about them. */
export const watch = (state: Ended): Ended => {
  const { checks } = state
  return checks === undefined || isWatched(state)
    ? state
    : { ...state, checks: { ...checks, isWatched: mayChange(checks.status) } }
}

/** The service named the pull request after the end was said. */
export const nameLink = (state: Ended, job: Job): Ended => ({
  ...state,
  job,
  ending: ending('pull-request'),
  effectsDone: false,
})

/** What was read of the checks, and the job as it is after a fix. */
export const noteChecks = (state: Ended, job: Job, checks: CheckState): Ended => ({ ...state, job, checks })

/** Whether all is done that follows the end. */
export const noteEffects = <S extends Ended | Closed>(state: S, effectsDone: boolean): S => ({
  ...state,
  effectsDone,
})

// What a state tells.

export const jobOf = (record: ActionRecord | RequestState): Job | undefined =>
  'job' in record ? record.job : undefined

/** The job failed, or is gone: it does nothing more. */
export const hasJobFailed = (state: RequestState): boolean =>
  state.state === 'ended' && (state.ending.outcome === 'failed' || state.ending.reason === 'job-not-found')

/** The job went on with a later request before the end of this one was read. */
export const isEndUncertain = (state: RequestState): boolean =>
  state.state === 'ended' && state.ending.reason === 'end-uncertain'

/** The agent has what the request asked for, or works on it. */
export const isWithAgent = (state: RequestState): boolean =>
  state.state === 'running' ||
  isEndUncertain(state) ||
  (state.state === 'ended' && isJobOutcome(state.ending.outcome) && !hasJobFailed(state))

/** The agent did what the request asked for: no later one asks for it again. */
export const hasJobCompleted = (state: RequestState): boolean =>
  state.state === 'ended' && ['pull-request', 'no-pull-request'].includes(state.ending.outcome)

/** A person said in it that the changes need no documentation. */
export const saysSkip = (record: ActionRecord): boolean =>
  record.state === 'closed' && record.ending.reason === 'docs-skipped'

/** The agent may have it: it goes out now, or it is not known what became of it. */
export const isInDoubt = (state: RequestState): boolean =>
  state.state === 'sending' || (state.state === 'closed' && state.ending.reason === 'creation-uncertain')

/** The request went to the agent, or may have, whatever became of it. */
export const wasAsked = (record: RequestRecord): boolean =>
  record.asks.length > 0 || record.state === 'sending'

/** All that follows an end was done; before an end, nothing follows. */
export const areEffectsDone = (state: RequestState): boolean => !('effectsDone' in state) || state.effectsDone

/** The checks of its pull request are followed: by the run that holds it, else by the next sweep. */
export const isWatched = (state: RequestState): boolean =>
  state.state === 'ended' && state.checks?.isWatched === true

/** A run waits for its job, or for the checks of its pull request. */
export const isWaitedFor = (state: RequestState): boolean => {
  const hasEnding = 'ending' in state && state.ending !== undefined
  return !hasEnding || isWatched(state)
}

/** The request goes out, or its job works. */
export const isAtWork = (state: RequestState): boolean =>
  state.state === 'running' || (state.state === 'sending' && state.ending === undefined)

/** A sweep has said in the thread that it is not known whether the agent has it. */
export const isMarkedInDoubt = (state: RequestState): boolean =>
  state.state === 'sending' && state.ending !== undefined

export const isFinal = (state: RequestState): state is Ended | Closed =>
  state.state === 'ended' || state.state === 'closed'
