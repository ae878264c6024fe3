import type { Job } from '../../core/job.ts'
import { type Ending, failsStatus } from '../../core/outcome.ts'
import {
  type ActionRecord,
  type CheckState,
  hasFailed,
  isOfPullRequestEvent,
  jobOf,
  type RequestRecord,
} from '../../core/record.ts'
import { digestOfText } from '../../core/request-key.ts'

interface Comment {
  readonly url: string
  readonly record: ActionRecord
}

/** A person said that the changes need no documentation. */
export interface SaidSkip {
  readonly requestedBy: string
  readonly why: string
  /** Of the comment that says so. */
  readonly url: string
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
  readonly checks: CheckState['status'] | undefined
  /** Of the request; undefined for none that is known. */
  readonly job: Job | undefined
}

/** A head as a job has it. */
export type KnownCode = RequestRecord['head'] & { readonly jobId: string }

/** The code as each job has it, by the step that brought it; '' for commands. */
export function codeIn(requests: readonly RequestRecord[]): readonly KnownCode[] {
  const accepted = requests
    .flatMap((record) => ('acceptedAt' in record && record.head.sha !== '' ? record : []))
    .toSorted((a, b) => b.acceptedAt - a.acceptedAt)
  const last = [
    ...Map.groupBy(accepted, ({ head, job }) => JSON.stringify([job.id, head.step])).values(),
  ].flatMap(([first]) => first ?? [])
  // What failed goes to the agent once more, and whole.
  return last.flatMap((record) => (hasFailed(record) ? [] : { ...record.head, jobId: record.job.id }))
}

/** Unless a request came after it. */
export function skipIn(comments: readonly Comment[]): SaidSkip | undefined {
  const skips = comments.flatMap(({ record, url }) => {
    if (record.state !== 'closed' || record.why === undefined) return []
    const { requestedAt, requestedBy, why } = record
    return [{ requestedAt, skip: { requestedBy, why, url } }]
  })
  const last = skips.toSorted((a, b) => b.requestedAt - a.requestedAt)[0]
  const isOver = comments.some(
    ({ record }) => record.requestedAt > (last?.requestedAt ?? 0) && endsSkip(record),
  )
  return isOver ? undefined : last?.skip
}

/** The agent has it, or it is what a person asked, and it decides the status: no event makes that green again. */
function endsSkip(record: ActionRecord): boolean {
  if (record.state === 'running' || record.state === 'ended') return true
  if (record.commitStatus.name === '' || isOfPullRequestEvent(record)) return false
  return record.state === 'sending' || (record.state === 'closed' && failsStatus(record.ending))
}

/** The latest request first. */
export const verdictsIn = (requests: readonly RequestRecord[]): readonly ChangesVerdict[] =>
  requests.flatMap(verdictIn).toSorted((a, b) => b.requestedAt - a.requestedAt)

function verdictIn(record: RequestRecord): readonly ChangesVerdict[] {
  const { key, requestedAt, head, commitStatus } = record
  const { digest } = head
  if (record.state === 'idle' || record.state === 'running' || record.ending === undefined) return []
  const isDecided = record.state === 'ended' || failsStatus(record.ending)
  if (!isDecided || digest === '') return []
  const { outcome, reason } = record.ending
  const checks = record.state === 'ended' ? record.checks?.status : undefined
  const status = digestOfText(commitStatus.name)
  return [{ key, digest, requestedAt, status, outcome, reason, checks, job: jobOf(record) }]
}
