import { type Ending, endsJob, isJobOutcome, isSameEnding } from './outcome.ts'
import { followsChecks, partsAfter, type Surroundings } from './parts.ts'
import { areTheirs, cameFurther, type Teller } from './precedence.ts'
import type { RequestIdentity, RequestRecord, RequestState } from './record.ts'
import { afterEvents, type RequestEvent } from './states.ts'

/** What the plan has to know of the process that settles a request. */
export interface Role {
  /** What of a pull request the process may wait for, once the result is said: the first that is open, checks first. */
  readonly waitsFor: readonly Wait[]
  /**
   * The next sweep tries again, so this one leaves three things. A missing answer is left to a re-run. Where GitHub does not
   * take the result, what follows is left to the next sweep. A request that another process takes up is left to that.
   */
  readonly isRepeated: boolean
  /** Whose knowledge it has: its own, that of the main step before it, or only that of the record. */
  readonly speaksFor: 'itself' | 'main step' | 'record'
}

type Wait = 'checks' | 'preview'

/** What a process finds once it knows how a request ended. */
export interface Found {
  readonly role: Role
  readonly identity: RequestIdentity
  readonly state: RequestState
  /** It sent the request or followed its job, and goes on from no record since. */
  readonly knowsFirsthand: boolean
  readonly end: Ending
  /** The record that the thread shows. */
  readonly shown: RequestRecord | undefined
  /** Another run waits for the request. */
  readonly isHeldByOther: boolean
  readonly around: Surroundings
}

/** What is decided once, when a process has learned what it can. The reporter judges the words again as the thread changes. */
export interface SettlePlan {
  /** What becomes of the record, in this order: that no answer came, how it ended with all that follows, and the checks. */
  readonly events: readonly RequestEvent[]
  /** The job ended, and the record did not say so yet. */
  readonly isResult: boolean
  /** Decides whether the words in the thread stay, also words that another process writes later. */
  readonly teller: Teller
  /** What of its pull request the process waits for, once the result is said. */
  readonly awaits: Wait | undefined
}

/** Decides, once for each process that comes to the end of a request, what follows, and by what its words are judged. */
export function planSettle(found: Found): SettlePlan {
  const { role, identity, end, shown } = found
  // A run that is skipped, as a dry run is, learns nothing of what an attempt before it sent.
  const lacksAnswer = found.state.state === 'sending' && !role.isRepeated && end.outcome !== 'skipped'
  const over: readonly RequestEvent[] = lacksAnswer ? [{ type: 'noAnswer' }] : []
  const state = afterEvents(found.state, over)
  const at = { ...found, state }
  const isResult = state.state === 'running' && endsJob(end)
  const wanted = awaitedIn(at, isResult)
  const reached = { state: isResult ? 'reported' : state.state, round: identity.round } as const
  // The record that the runner kept can be further than the thread: the kill may have come before GitHub took it.
  const isShown = shown !== undefined && !cameFurther(reached, shown)
  // The run that followed the checks may have closed them, and GitHub did not take what it said of them.
  const isOpen = followsChecks(state) || (shown !== undefined && followsChecks(shown))
  const areAbandoned = isOpen && !found.isHeldByOther
  // Only an end of the job can be added to: a run that was cut short leaves the result as it is.
  const addsToResult =
    !isResult && isShown && isJobOutcome(end.outcome) && (wanted !== undefined || areAbandoned)
  const teller = { ...reached, outcome: end.outcome, knowsMore: knowsMore(at), addsToResult }
  const theirs = areTheirs(teller, shown) ? shown : undefined
  const awaits = theirs === undefined ? wanted : undefined
  const events = [...over, ...endIn(at, isResult, theirs), ...checksIn(at, awaits, theirs)]
  return { events, isResult, teller, awaits }
}

function awaitedIn({ role, identity, state, end }: Found, isResult: boolean): Wait | undefined {
  if (end.outcome !== 'pull-request') return undefined
  const hasPendingChecks = state.state === 'reported' && state.checks?.status === 'pending'
  const isOpen = {
    checks: isResult || hasPendingChecks,
    preview: isResult ? identity.settings.preview : state.openParts.includes('preview'),
  } satisfies Readonly<Record<Wait, boolean>>
  return role.waitsFor.find((one) => isOpen[one])
}

/** Whether the process knows more of the request than its record says. */
function knowsMore({ role, identity, state, knowsFirsthand, shown }: Found): boolean {
  switch (role.speaksFor) {
    case 'itself':
      // Each attempt answers anew what asks the agent nothing.
      return knowsFirsthand || state.state === 'idle'
    case 'main step':
      // As long as the thread shows no end, and nothing of an earlier attempt.
      return shown === undefined || (!shown.ending && shown.run === identity.run)
    case 'record':
      return false
  }
}

/** A run follows the checks from now on, or none does. Words of others that say that one does keep the part open. */
function checksIn(
  { around }: Found,
  awaits: Wait | undefined,
  theirs: RequestRecord | undefined,
): readonly RequestEvent[] {
  if (awaits === 'checks') return [{ type: 'followChecks', decidesStatus: around.decidesStatus }]
  return theirs !== undefined && followsChecks(theirs) ? [] : [{ type: 'close', part: 'checks' }]
}

/** The record says what the thread is about to show. If the words there stay, it repeats the end that they say. */
function endIn(
  { state, identity, end, around }: Found,
  isResult: boolean,
  theirs: RequestRecord | undefined,
): readonly RequestEvent[] {
  const openParts = partsAfter(end, identity, state, around)
  if (isResult) return [{ type: 'report', ending: end, openParts, isLinked: around.isLinked }]
  if (state.state === 'reported') return []
  if (theirs !== undefined) return [{ type: 'end', ending: theirs.ending, openParts: theirs.openParts }]
  // What the record says already keeps the parts that are open.
  return isSameEnding(end, state.ending) ? [] : [{ type: 'end', ending: end, openParts }]
}
