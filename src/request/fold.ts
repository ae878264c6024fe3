import type { ChecksStatus } from './checks-report.ts'
import type { Job } from './job.ts'
import { type Ending, failsStatus } from './outcome.ts'
import {
  type ActionRecord,
  type Covered,
  hasFailed,
  isCompleted,
  isOfPullRequestEvent,
  isRequestRecord,
  jobOf,
  type RequestRecord,
} from './record.ts'
import { digestOfText } from './request-key.ts'

/** A record, and the address of its comment. */
export interface Told {
  readonly url: string
  readonly record: ActionRecord
}

/** What the records of a thread tell together. */
export interface Known {
  /** The job to continue, with its newest pull request. */
  readonly job: Job | undefined
  /** The code as the agent has it, by the step that brought it; '' for commands. */
  readonly code: readonly RequestRecord['head'][]
  /** A person said that the changes need no documentation, and no request came after that. */
  readonly skip: { readonly requestedBy: string; readonly why: string; readonly url: string } | undefined
  /** How the requests about some changes ended, the newest request first. */
  readonly verdicts: readonly ChangesVerdict[]
  readonly covered: Covered
  /** SHAs of commits whose failed checks went back to the agent. */
  readonly sentFor: readonly string[]
  /** Links to the agent's pull requests of which a head had a check. */
  readonly hadChecks: readonly string[]
  /** Links to the agent's pull requests that got reviewers and labels: what people take away stays away. */
  readonly setUp: readonly string[]
}

/** How the request about some changes ended. */
export interface ChangesVerdict extends Pick<Ending, 'outcome' | 'reason'> {
  /** Of the request. */
  readonly key: string
  /** Of the changes. */
  readonly digest: string
  readonly requestedAt: number
  /** The name of the commit status that says it, as a digest; '' for none. */
  readonly status: string
  readonly checks: ChecksStatus | undefined
}

/**
 * What a thread knows: a fold over its records, of each request the newest. What the agent has (`job`, `code`) is told by the record
 * whose job accepted last; what people are told (`skip`, `verdicts`) by the request that was asked last. All else is a union.
 */
export function foldThread(told: readonly Told[]): Known {
  const records = told.map(({ record }) => record)
  const requests = records.filter(isRequestRecord)
  return {
    job: jobIn(records),
    code: codeIn(requests),
    skip: skipIn(told),
    verdicts: requests.flatMap(verdictIn).toSorted((a, b) => b.requestedAt - a.requestedAt),
    covered: coveredIn(records),
    sentFor: requests.flatMap((record) => ('checks' in record && record.checks?.sentFor) || []),
    hadChecks: requests.flatMap((record) =>
      'checks' in record && record.checks?.hadAny ? record.job.prLink : [],
    ),
    setUp: records.flatMap(({ setUp }) => setUp),
  }
}

interface Accepted {
  readonly job: Job
  readonly acceptedAt: number
}

const lastFirst = (a: Pick<Accepted, 'acceptedAt'>, b: Pick<Accepted, 'acceptedAt'>): number =>
  b.acceptedAt - a.acceptedAt

function jobIn(records: readonly ActionRecord[]): Job | undefined {
  const accepted = records.flatMap(acceptedBy).toSorted(lastFirst)
  const job = accepted[0]?.job
  // Where a job worked on two requests at once, perhaps only the other one learned of its pull request.
  const { prLink = '' } = accepted.find((one) => one.job.id === job?.id && one.job.prLink !== '')?.job ?? {}
  return job && (job.prLink === '' ? { ...job, prLink } : job)
}

function acceptedBy(record: ActionRecord): readonly Accepted[] {
  const earlier = record.earlier ?? []
  // It may have gone there, and counts where nothing is known to have been accepted.
  if (record.state === 'sending') return [earlier, record.to ? { job: record.to, acceptedAt: 0 } : []].flat()
  const job = jobOf(record)
  return [earlier, job && 'acceptedAt' in record ? { job, acceptedAt: record.acceptedAt } : []].flat()
}

function codeIn(requests: readonly RequestRecord[]): Known['code'] {
  const accepted = requests
    .flatMap((record) => ('acceptedAt' in record && record.head.sha !== '' ? record : []))
    .toSorted(lastFirst)
  const last = [...Map.groupBy(accepted, ({ head }) => head.step).values()].flatMap(([first]) => first ?? [])
  // What failed goes to the agent once more, and whole.
  return last.flatMap((record) => (hasFailed(record) ? [] : record.head))
}

function skipIn(told: readonly Told[]): Known['skip'] {
  const skips = told.flatMap(({ record, url }) => {
    if (record.state !== 'notSent' || record.why === undefined) return []
    const { requestedAt, requestedBy, why } = record
    return [{ requestedAt, skip: { requestedBy, why, url } }]
  })
  const last = skips.toSorted((a, b) => b.requestedAt - a.requestedAt)[0]
  const isOver = told.some(({ record }) => record.requestedAt > (last?.requestedAt ?? 0) && endsSkip(record))
  return isOver ? undefined : last?.skip
}

/** The agent has it, or it is what a person asked, and it has decided the status: no event makes that green again. */
function endsSkip(record: ActionRecord): boolean {
  if (record.state === 'running' || record.state === 'reported') return true
  const { commitStatus } = record
  return (
    record.state === 'notSent' &&
    commitStatus.name !== '' &&
    !isOfPullRequestEvent(record) &&
    failsStatus(record.ending)
  )
}

function verdictIn(record: RequestRecord): readonly ChangesVerdict[] {
  const { key, requestedAt, head, commitStatus } = record
  const { digest } = head
  const isDecided = record.state === 'reported' || (record.state === 'notSent' && failsStatus(record.ending))
  if (!isDecided || digest === '') return []
  const { outcome, reason } = record.ending
  const checks = record.state === 'reported' ? record.checks?.status : undefined
  return [{ key, digest, requestedAt, status: digestOfText(commitStatus.name), outcome, reason, checks }]
}

function coveredIn(records: readonly ActionRecord[]): Covered {
  const all = records.flatMap((record): readonly Covered[] => {
    if (record.state === 'tracking') return [record.covered]
    return isRequestRecord(record) && isCompleted(record)
      ? [{ until: record.coversUntil, merged: record.merged }]
      : []
  })
  return {
    until: Math.max(0, ...all.map(({ until }) => until)),
    merged: [...new Set(all.flatMap(({ merged }) => merged))],
  }
}

/** What is known of a thread without records. */
export const NOTHING_KNOWN = foldThread([])
