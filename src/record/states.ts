import { mayChange } from './check-results.ts'
import { type Job, reread } from './job.ts'
import { type Ending, ending, type Outcome, type Reason } from './outcome.ts'
import { type ActionRecord, type CheckState, NO_CHECKS, type RequestState, type Running } from './record.ts'

// How the record of a request changes: a function for each transition, which takes the state that it leaves. A new attempt of a
// request that ended, or was closed, begins as `idle`; no comment says that.

type State<Name extends RequestState['state']> = Extract<RequestState, { readonly state: Name }>
/** Nothing went out: it was not tried, or the service surely did not get it. Only the runner keeps it. */
export type Idle = State<'idle'>
/** The request goes out, or went out without an answer: in doubt, once no run holds it, or a process has said so. */
type Sending = State<'sending'>
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
  return checks === undefined || areChecksFollowed(state)
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

/** What a record says of the end; undefined for nothing. */
export const endingIn = (record: ActionRecord | RequestState): Ending | undefined =>
  'ending' in record ? record.ending : undefined

/** What a record tells of its request. */
type Property =
  /** A run waits for the end; whether that run still lives, its lease tells. */
  | 'waitedFor'
  /** The message goes out, or the job works. */
  | 'inProgress'
  /** The agent may have it: it goes out now, or it is not known what became of it. */
  | 'inDoubt'
  /** The agent has what it asks for, or works on it. */
  | 'withAgent'
  /** A re-run asks the agent once more. */
  | 'askedAgain'
  /** The agent did what it asks for: no later request asks for it again. */
  | 'completed'
  /** The job failed, or is gone: it does nothing more. */
  | 'jobFailed'
  /** The job went on with a later request before the end of this one was read. */
  | 'endUncertain'
  /** A person said in it that the changes need no documentation. */
  | 'docsSkipped'

/** By the reason of the ending in the record, else by its outcome, else `other`; `none` without an ending. */
type ByEnding = Readonly<Partial<Record<Reason | Outcome | 'none' | 'other', readonly Property[]>>>

const PROPERTIES: Readonly<Record<RequestState['state'], ByEnding>> = {
  idle: { none: ['waitedFor'] },
  sending: {
    none: ['waitedFor', 'inProgress', 'inDoubt'],
    // A sweep has said so in the thread.
    other: ['inDoubt', 'askedAgain'],
  },
  running: {
    none: ['waitedFor', 'inProgress', 'withAgent'],
    // Its run stopped waiting.
    other: ['inProgress', 'withAgent'],
  },
  ended: {
    'pull-request': ['withAgent', 'completed'],
    'no-pull-request': ['withAgent', 'completed'],
    archived: ['withAgent'],
    failed: ['jobFailed', 'askedAgain'],
    'job-not-found': ['jobFailed', 'askedAgain'],
    'end-uncertain': ['withAgent', 'endUncertain'],
  },
  closed: {
    'creation-uncertain': ['inDoubt', 'askedAgain'],
    'docs-skipped': ['docsSkipped', 'askedAgain'],
    other: ['askedAgain'],
  },
}

function has(property: Property): (state: RequestState) => boolean {
  return (state) => {
    const rows = PROPERTIES[state.state]
    const said = endingIn(state)
    const row = said === undefined ? rows.none : (rows[said.reason] ?? rows[said.outcome] ?? rows.other)
    return row?.includes(property) === true
  }
}

export const isWaitedFor = has('waitedFor')
export const isInProgress = has('inProgress')
export const isInDoubt = has('inDoubt')
export const isWithAgent = has('withAgent')
export const isAskedAgain = has('askedAgain')
export const isCompleted = has('completed')
export const hasJobFailed = has('jobFailed')
export const isEndUncertain = has('endUncertain')
export const isDocsSkipped = has('docsSkipped')

/** All that follows an end was done; before an end, nothing follows. */
export const areEffectsDone = (state: RequestState): boolean => !('effectsDone' in state) || state.effectsDone

/** The checks of its pull request are followed: by the run that holds it, else by the next sweep. */
export const areChecksFollowed = (state: RequestState): boolean =>
  state.state === 'ended' && state.checks?.isWatched === true

/** The end of the request, or of its checks, is not known. */
export const isUnfinished = (state: RequestState): boolean => isInProgress(state) || areChecksFollowed(state)
