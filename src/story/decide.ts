import type { ChecksStatus } from '../record/check-results.ts'
import { type Ending, endingOf, endsJob, isSameEnding, isTerminal } from '../record/outcome.ts'
import type { RequestState } from '../record/record.ts'
import {
  areChecksFollowed,
  areEffectsDone,
  close,
  endingIn,
  markInDoubt,
  stopWaiting,
  toEnded,
  watch,
} from '../record/states.ts'
import { uncertainEnd } from '../thread/ending-after.ts'

/** What a process knows as it comes to the end of a request. */
interface Situation {
  /** The state of the request, as this process knows it. */
  readonly state: RequestState
  /** How the job ended, as this process read it, or why this process stops. */
  readonly ending: Ending
  /** What the record in the thread says, and whether it says that a run holds the request; undefined for none. */
  readonly shown: (RequestState & { readonly leaseMs?: number }) | undefined
  /** This process wrote down that it sends the request. */
  readonly isAnnounced: boolean
  /** A sweep only marks what is in doubt: the run that sent it may still tell more. */
  readonly isSweep: boolean
  /** This is the main step, not a process that ends what a main step left. */
  readonly isMain: boolean
  /** The checks of a pull request are to be followed. */
  readonly watchesChecks: boolean
  /** This process follows them. */
  readonly followsChecks: boolean
  /** What a later request read of them; undefined for nothing. */
  readonly checks?: ChecksStatus | undefined
}

export interface Decision {
  /** What the run says of itself: its outputs, and the words. */
  readonly ending: Ending
  /** What the record becomes. */
  readonly state: RequestState
  /** The comment gets new words. */
  readonly hasNewWords: boolean
  /** Something is left to do for the request. */
  readonly isOpen: boolean
}

/**
 * Which ending counts, what the record becomes, whose words stand, and whether anything is left to do:
 *
 *   record            this process             record becomes         words
 *   idle              any end                  closed                 new
 *   idle              not announced, and       that of the thread     kept
 *                     the thread has a record
 *   sending           any end                  closed, uncertain      new
 *   sending           a sweep                  sending, uncertain     new
 *   running           the job ended            ended                  new
 *   running           the run ended            running, with that     new; edited if it does not wait
 *   ended             any end                  itself, watched or not  that of the record; edited if only its checks differ
 *   closed            any end                  itself                 new
 *
 * Words that the comment says already are kept.
 */
export function decide(situation: Situation): Decision {
  const { state: before, ending, shown, isAnnounced } = situation
  // This attempt asked nothing: the record of an earlier one stays as it is.
  if (before.state === 'idle' && shown !== undefined && !isAnnounced)
    return { ending, state: shown, hasNewWords: false, isOpen: false }
  const [said, state] = stateAfter(situation)
  const isLeft = areChecksFollowed(state) && !situation.followsChecks
  // The words say that a run follows the checks.
  const isReleased = isLeft && (shown?.leaseMs ?? 0) > 0
  const hasNewWords = before.state === 'idle' || isReleased || !isAlreadyShown(said, state, shown)
  const isOpen = hasNewWords || !areEffectsDone(state) || (areChecksFollowed(state) && !isLeft)
  return { ending: said, state, hasNewWords, isOpen }
}

/** The end that the run says, and the state that the record gets. */
function stateAfter(situation: Situation): readonly [Ending, RequestState] {
  const { state, ending, isSweep, isMain, watchesChecks, checks: status } = situation
  switch (state.state) {
    case 'idle':
      return [ending, close(state, ending)]
    case 'sending': {
      // However the process ended, it is not known whether the agent got the request.
      const uncertain = ending.reason === 'creation-uncertain' ? ending : uncertainEnd(state.to?.id ?? '')
      return [uncertain, isSweep ? markInDoubt(state, uncertain) : close(state, uncertain)]
    }
    case 'running': {
      // A job that goes on is not reported.
      if (!endsJob(ending)) return [ending, stopWaiting(state, ending)]
      const hasChecks = ending.outcome === 'pull-request' && watchesChecks
      const checks = status === undefined ? { isWatched: true } : { isWatched: false, status }
      return [ending, toEnded(state, ending, hasChecks ? checks : undefined)]
    }
    case 'ended':
      // The end in the thread counts, whatever this process found.
      return [state.ending, isMain ? watch(state) : state]
    case 'closed':
      return [ending, state]
  }
}

/** Whether the comment says it already. */
const isAlreadyShown = (ending: Ending, state: RequestState, shown: RequestState | undefined): boolean =>
  shown?.state === state.state &&
  isSameEnding(endingIn(state) ?? ending, endingIn(shown)) &&
  areChecksFollowed(state) === areChecksFollowed(shown)

/** Whether people are notified. An addition about the same job is no news, nor is a job that goes on without its run. */
export function isNews(ending: Ending, state: RequestState, shown: RequestState | undefined): boolean {
  if (shown === undefined) return true
  const isAddition = shown.state === 'ended' && state.state === 'ended' && shown.job.id === state.job.id
  return !isAddition && ending.outcome !== 'started' && !isAlreadyShown(ending, state, shown)
}

const CUT_OFF: Ending = { outcome: 'cancelled', reason: '', message: '' }

/** What a record says of the end to a process that does not look at the job. */
export function lastKnownEnding(state: RequestState): Ending {
  switch (state.state) {
    case 'idle':
      return CUT_OFF
    case 'sending':
      return uncertainEnd(state.to?.id ?? '')
    case 'running':
      // After a message, an end in the record may be that of the turn before: only a new read can tell.
      if (state.messagedAt === 0 && isTerminal(state.job)) return endingOf(state.job)
      return state.ending ?? CUT_OFF
    case 'ended':
    case 'closed':
      return state.ending
  }
}
