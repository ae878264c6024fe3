import { type Job, jobWithId } from './job.ts'
import { type ChangesVerdict, EMPTY_MEMORY, type Growing, type Latest, type Memory, union } from './memory.ts'
import { failsStatus } from './outcome.ts'
import {
  type ActionRecord,
  hasFailed,
  isCompleted,
  isOfPullRequestEvent,
  isRequestRecord,
  jobOf,
  type RequestIdentity,
  type RequestRecord,
  type RequestState,
  saysSkip,
} from './record.ts'
import { digestOfText } from './request-key.ts'

interface Recorded {
  readonly url: string
  readonly record: ActionRecord
}

/** @param asked the latest request first @param first what the thread knew before its first comment */
export const memoryOf = (asked: readonly Recorded[], first: Memory): Memory => ({
  latest: latestOf(asked, first.latest),
  grows: union([
    ...asked.flatMap(({ record }) => (isRequestRecord(record) ? growthOf(record) : [])),
    ...asked.flatMap(({ record }) => record.memory?.grows ?? []),
    first.grows,
  ]),
})

/**
 * The newest request that the agent answered tells it: by what it remembers, and by its own state. Newer requests add only what
 * they say themselves, because they may have read the thread before that one had its job.
 *
 * Of A (`reported`, job 1), B (`notSent`) and C (`sending`), asked in this order, A decides: the thread goes on with job 1, also
 * where B and C remember none. Where none is answered, C remembers what was before them all.
 */
function latestOf(asked: readonly Recorded[], first: Latest): Latest {
  const remembers = ({ record }: Recorded) => record.memory !== undefined
  const answered = asked.findIndex((one) => remembers(one) && hasAnswer(one.record))
  const decisive = answered < 0 ? asked.findIndex(remembers) : answered
  const latest = asked
    .slice(0, decisive < 0 ? asked.length : decisive + 1)
    .reduceRight((known, comment, index) => latestIn(comment, known, index === decisive), first)
  const isLater = (one: Recorded) =>
    latest.job === undefined || madeAnother(one, latest.job.id, asked[decisive])
  const ofReRun = asked.filter(isLater).flatMap((one) => latestIn(one, first, true).job ?? [])[0]
  return { ...latest, job: ofReRun ?? latest.job }
}

/**
 * Whether a re-run of an earlier request has made another job since: A (job 1) failed, B was asked and knows job 1, and then A is
 * re-run, with job 2. B is the newest request, and A was written after it.
 */
const madeAnother = ({ record }: Recorded, jobId: string, newest: Recorded | undefined): boolean =>
  newest !== undefined &&
  record.writtenAt > newest.record.writtenAt &&
  record.memory?.latest.job?.id === jobId &&
  (jobOf(record)?.id ?? jobId) !== jobId

/** The agent answered it, or it leads to a job. */
const hasAnswer = ({ state }: ActionRecord): boolean => state !== 'sending' && state !== 'notSent'

/** @param isFirst its memory tells what was before it */
function latestIn({ record, url }: Recorded, before: Latest, isFirst: boolean): Latest {
  const { memory } = record
  const isOwn = memory !== undefined && (isFirst || hasAnswer(record))
  const skipped = memory && saysSkip(record) ? { skip: memory.latest.skip } : {}
  const known = isOwn ? memory.latest : { ...before, ...skipped }
  // The comment that says a skip cannot know its own address.
  const skip = known.skip && { ...known.skip, url: known.skip.url || url }
  if (isRequestRecord(record)) return latestAfter({ ...known, skip }, record, record, memory?.latest.job)
  return record.state === 'backlink' ? { ...known, skip, job: record.job } : known
}

/** What the newest request makes of what the thread knew when it was asked. @param intended the job that it was to go to */
export function latestAfter(
  latest: Latest,
  identity: Pick<RequestIdentity, 'head' | 'commitStatus'>,
  state: RequestState,
  intended?: Job,
): Latest {
  const { head, commitStatus } = identity
  switch (state.state) {
    // Nothing was asked, so what was known before stays.
    case 'idle':
      return latest
    case 'notSent': {
      // What a person asked after a skip has decided the status, and no event makes that green again.
      const isDecided =
        commitStatus.name !== '' && !isOfPullRequestEvent(identity) && failsStatus(state.ending)
      return isDecided ? { ...latest, skip: undefined } : latest
    }
    // Perhaps nothing was asked.
    case 'sending':
      return state.jobId === '' || state.jobId === intended?.id
        ? latest
        : { ...latest, job: withLinkOf(latest.job, jobWithId(state.jobId)) }
    case 'running':
    case 'reported':
      return {
        job: withLinkOf(latest.job, state.job),
        code: codeAfter(latest.code, head, state),
        skip: undefined,
      }
  }
}

/** Where a job worked on two requests at once, perhaps only the other one learned of its pull request. */
const withLinkOf = (known: Job | undefined, job: Job): Job =>
  job.prLink === '' && known?.id === job.id ? { ...job, prLink: known.prLink } : job

/** What failed goes to the agent once more, and whole. */
function codeAfter(code: Latest['code'], head: RequestIdentity['head'], state: RequestState): Latest['code'] {
  if (head.sha === '') return code
  const others = code.filter(({ step }) => step !== head.step)
  return hasFailed(state) ? others : [...others, { ...head }]
}

/** What a request adds to what only grows. */
export function growthOf(record: RequestRecord): Growing {
  const { key, coversUntil, merged, writtenAt } = record
  const checks = record.state === 'reported' ? record.checks : undefined
  const hasEnded = record.state === 'reported' || record.state === 'notSent'
  return {
    ...EMPTY_MEMORY.grows,
    sentFor: checks?.sentFor ?? [],
    hadChecks: checks?.hadAny === true ? (jobOf(record)?.prLink ?? '') : '',
    verdicts: verdictsOf(record),
    covered: isCompleted(record) ? { until: coversUntil, merged: [...merged] } : EMPTY_MEMORY.grows.covered,
    ended: hasEnded ? [{ key, writtenAt }] : [],
    asks: [...record.asks],
  }
}

function verdictsOf(record: RequestRecord): ChangesVerdict[] {
  const { key, requestedAt, head, commitStatus } = record
  const { digest } = head
  const isDecided = record.state === 'reported' || (record.state === 'notSent' && failsStatus(record.ending))
  if (!isDecided || digest === '') return []
  const { outcome, reason } = record.ending
  const checks = record.state === 'reported' ? record.checks?.status : undefined
  return [{ key, digest, requestedAt, status: digestOfText(commitStatus.name), outcome, reason, checks }]
}
