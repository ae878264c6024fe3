import { type Ending, isJobOutcome } from './outcome.ts'
import { mayTell, type Teller } from './precedence.ts'
import type { Part, RequestIdentity, RequestRecord, RequestState } from './record.ts'
import { type RequestEvent, transition } from './states.ts'

/** The processes that settle a request. A re-run is a main step, and `no-wait` is one with the input `wait: false`. */
export type Process = 'main' | 'no-wait' | 'post' | 'sweep'

/** What a process finds once it knows how a request ended. */
export interface Found {
  readonly process: Process
  /** It waits for the preview of a pull request, and for checks where failures may go back. */
  readonly waits: boolean
  readonly fixAttempts: number
  readonly identity: Pick<RequestIdentity, 'round' | 'run' | 'settings'>
  readonly state: RequestState
  /** It sent the request or followed its job, and goes on from no record since. */
  readonly hasServed: boolean
  readonly end: Ending
  /** The record that the thread shows. */
  readonly shown: RequestRecord | undefined
  /** What follows this end, where it is the first to be said. */
  readonly follows: readonly Part[]
  readonly isLinked: boolean
}

/** All that is decided about a request that ended. */
export interface SettlePlan {
  /** What the record says from now on: the ending, and all that is open. */
  readonly state: RequestState
  /** The job ended, and the record did not say so yet. */
  readonly isResult: boolean
  /** The words that the thread has stay. */
  readonly isTheirs: boolean
  /** What decides that, also of words that another process writes later. */
  readonly teller: Teller
  /** What of its pull request the process waits for, once the result is said. */
  readonly awaits: 'checks' | 'preview' | undefined
}

/** Decides, once for each process that comes to the end of a request, what it says and what follows. */
export function planSettle(found: Found): SettlePlan {
  const { process, identity, end, shown } = found
  const isOver = found.state.state === 'sending' && process !== 'sweep'
  // A sweep leaves a request whose answer is missing to a re-run.
  const state = isOver ? transition(found.state, { type: 'noAnswer' }) : found.state
  const isResult = state.state === 'running' && (isJobOutcome(end.outcome) || end.reason === 'job-not-found')
  const wanted = awaitedIn(found, isResult)
  // How a run ended takes back nothing of a result.
  const continues =
    !isResult && isJobOutcome(end.outcome) && (wanted !== undefined || state.openParts.includes('checks'))
  const reached = { state: isResult ? 'reported' : state.state, round: identity.round, ending: end } as const
  const teller = { ...reached, hasServed: speaksFor(found), continues }
  const isTheirs = shown !== undefined && !mayTell(teller, shown)
  const awaits = isTheirs ? undefined : wanted
  const event = eventOf({ ...found, state }, isResult, isTheirs)
  const noted = event === undefined ? state : transition(state, event)
  // No run goes on with the checks that an earlier one followed, unless it follows them itself.
  const next = transition(
    noted,
    awaits === 'checks' ? { type: 'followChecks' } : { type: 'close', part: 'checks' },
  )
  return { state: next, isResult, isTheirs, teller, awaits }
}

function awaitedIn({ waits, fixAttempts, identity, state, end }: Found, isResult: boolean) {
  if (!waits || end.outcome !== 'pull-request') return undefined
  const hasPendingChecks = state.state === 'reported' && state.checks?.status === 'pending'
  if (fixAttempts > 0 && (isResult || hasPendingChecks)) return 'checks'
  const isOpen = isResult ? identity.settings.preview : state.openParts.includes('preview')
  return isOpen ? 'preview' : undefined
}

/** Whether the process knows more of the request than its record says. */
function speaksFor({ process, identity, state, hasServed, shown }: Found): boolean {
  // For the main step, as long as the thread shows no end, and nothing of an earlier attempt.
  if (process === 'post') return shown === undefined || (!shown.ending && shown.run === identity.run)
  // Each attempt answers anew what asks the agent nothing.
  return hasServed || (process !== 'sweep' && state.state === 'idle')
}

/** The record says what the thread is about to show; where the words there stay, it goes on to say what they do. */
function eventOf(
  { state, end, shown, follows, isLinked }: Found,
  isResult: boolean,
  isTheirs: boolean,
): RequestEvent | undefined {
  if (isResult) return { type: 'report', ending: end, openParts: follows, isLinked }
  if (state.state === 'reported') return undefined
  if (isTheirs) return { type: 'end', ending: shown?.ending, openParts: shown?.openParts ?? [] }
  // What only repeats the record opens nothing again; a process that ends in the same way has left its eyes.
  return end === state.ending ? undefined : { type: 'end', ending: end, openParts: follows }
}
