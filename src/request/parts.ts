import { isInRepository, pullRequestOf, type RepositoryName } from '../link.ts'
import { namedLink } from './job.ts'
import { appearanceOf, type Ending, endsJob, isJobOutcome, type Reaction } from './outcome.ts'
import { PARTS, type Part, type RequestIdentity, type RequestState } from './record.ts'
import { jobOf } from './states.ts'

// Which parts follow the end of a request (contract 5.6), which of them a process can do by now, and which it leaves.

/** What is known around a request, beside its record. */
export interface Surroundings {
  readonly serverUrl: string
  readonly repository: RepositoryName
  /** The number of the thread; undefined for none, and where the action writes no comments. */
  readonly thread: number | undefined
  /** A comment on the job's pull request leads back to the thread. */
  readonly isLinked: boolean
  /** The end decides a commit status. */
  readonly decidesStatus: boolean
  /** The thread has comments of earlier events of the same step. */
  readonly hasEarlier: boolean
  /** No earlier run can have left anything of the request. */
  readonly isFirstRun: boolean
}

/** The eyes stay where the job goes on without this run. */
export const reactionTo = ({ outcome, reason }: Ending): Reaction =>
  appearanceOf(outcome, reason).reaction ?? 'eyes'

/** What follows the end of a request. A run that follows the checks opens those itself. */
export function partsAfter(
  end: Ending,
  { comment, settings, tracking, saysCodeEnd }: RequestIdentity,
  state: RequestState,
  around: Surroundings,
): Part[] {
  const link = jobOf(state)?.prLink ?? ''
  const pull = pullRequestOf(namedLink(jobOf(state)), around.serverUrl)
  // The pull request of an earlier turn stays the job's, and the run of that turn may not have seen it.
  const ofJob = pullRequestOf(link, around.serverUrl)
  const isThread =
    ofJob !== undefined && isInRepository(around.repository, ofJob) && ofJob.number === around.thread
  const leadsBack = isThread || around.isLinked
  // A turn that goes on may still change the pull request.
  const isFinal = pull !== undefined && isJobOutcome(end.outcome)
  const parts = {
    // A first run has just added the eyes that are to stay.
    reaction: comment !== '' && !(around.isFirstRun && reactionTo(end) === 'eyes'),
    link: ofJob !== undefined && around.thread !== undefined && !leadsBack,
    reviewers: isFinal && settings.reviewers.length > 0,
    labels: isFinal && settings.labels.length > 0,
    issue: tracking && end.outcome !== 'skipped',
    end: saysCodeEnd && around.thread !== undefined && endsJob(end) && link !== '',
    lines: around.hasEarlier,
    preview: end.outcome === 'pull-request' && settings.preview,
    checks: false,
    status: around.decidesStatus,
  } satisfies Readonly<Record<Part, boolean>>
  return PARTS.filter((part) => parts[part])
}

/** What shows how a request ended, beside its comment: who does it last decides what people see. */
export const partsThatShow = ({ comment, tracking, commitStatus }: RequestIdentity): readonly Part[] => {
  const shows: Readonly<Partial<Record<Part, boolean>>> = {
    reaction: comment !== '',
    issue: tracking,
    status: commitStatus.name !== '',
  }
  return PARTS.filter((part) => shows[part] === true)
}

/** The checks that a run follows, and the commit status, which waits for them. */
const isOfChecks = (part: Part, open: readonly Part[]): boolean =>
  part === 'checks' || (part === 'status' && open.includes('checks'))

/** A part that a process can do at once, beside `lines`. The preview and the checks need a process that waits. */
export type DuePart = Exclude<Part, 'lines' | 'preview' | 'checks'>

/**
 * What a process can do now.
 * @param hasStrayEyes eyes of the process, or of its main step, may stand beside the end that another run said
 */
export function dueParts({ ending, openParts }: RequestState, hasStrayEyes: boolean): readonly DuePart[] {
  const due = openParts.filter(
    (part): part is DuePart => part !== 'lines' && part !== 'preview' && !isOfChecks(part, openParts),
  )
  return hasStrayEyes && ending !== undefined ? [...new Set([...due, 'reaction' as const])] : due
}

/** A run follows the checks of the pull request, or was cut off while it did. */
export const followsChecks = ({ openParts }: Pick<RequestState, 'openParts'>): boolean =>
  openParts.includes('checks')

/** The agent works on the request, or its checks are followed: more is to be said of it. */
export const isAtWork = (state: RequestState): boolean =>
  state.state === 'running' || state.state === 'sending' || followsChecks(state)

/** Whether anything is open, the checks included: for a process that knows of no run that follows them. */
export const hasOpenParts = ({ openParts }: RequestState): boolean => openParts.length > 0

/** The request got no answer, and the thread may not say so yet. */
export const isUnsaid = ({ state, ending }: RequestState): boolean =>
  state === 'sending' && ending === undefined

/** Something is left for the next process. Checks do not count: at the end of a run they are open only for another one. */
export const isLeftOpen = ({ openParts }: RequestState): boolean =>
  openParts.some((part) => !isOfChecks(part, openParts))
