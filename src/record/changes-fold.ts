import { failsStatus } from './outcome.ts'
import { type ActionRecord, isRequestRecord, type RequestRecord } from './record.ts'
import { wasAskedByPullRequestEvent } from './request-identity.ts'
import { hasJobFailed, isInDoubt } from './states.ts'

interface CommentOfRecord {
  readonly url: string
  readonly record: ActionRecord
}

/** A person said that the changes need no documentation. */
export interface SaidSkip {
  readonly requestedBy: string
  readonly why: string
  readonly requestedAt: number
  /** Of the comment that says so. */
  readonly url: string
}

/** A head as a job has it. */
export type AcceptedChanges = RequestRecord['head'] & { readonly jobId: string }

/** The code as each job has it, by the step that brought it; '' for commands. */
export function acceptedChangesIn(requests: readonly RequestRecord[]): readonly AcceptedChanges[] {
  const accepted = requests
    .flatMap((record) => ('acceptedAt' in record && record.head.sha !== '' ? record : []))
    .toSorted((a, b) => b.acceptedAt - a.acceptedAt)
  const last = [
    ...Map.groupBy(accepted, ({ head, job }) => JSON.stringify([job.id, head.workflowStep])).values(),
  ].flatMap(([first]) => first ?? [])
  // What failed goes to the agent once more, and whole.
  return last.flatMap((record) => (hasJobFailed(record) ? [] : { ...record.head, jobId: record.job.id }))
}

/** Unless a request came after it. */
export function skipIn(comments: readonly CommentOfRecord[]): SaidSkip | undefined {
  const skips = comments.flatMap(({ record, url }) => {
    if (record.state !== 'closed' || record.why === undefined) return []
    const { requestedAt, requestedBy, why } = record
    return [{ requestedAt, requestedBy, why, url }]
  })
  const [last] = skips.toSorted((a, b) => b.requestedAt - a.requestedAt)
  const isOver = comments.some(
    ({ record }) => record.requestedAt > (last?.requestedAt ?? 0) && endsSkip(record),
  )
  return isOver ? undefined : last
}

/**
 * The agent may have it, whichever workflow asked; or a person asked it, and it decides the status: no event makes that green again.
 */
function endsSkip(record: ActionRecord): boolean {
  if (!isRequestRecord(record)) return false
  if (record.state === 'running' || record.state === 'ended' || isInDoubt(record)) return true
  return record.commitStatus.name !== '' && !wasAskedByPullRequestEvent(record) && decidesStatus(record)
}

/** The request was to reach the agent, whatever became of it. */
export const decidesStatus = (record: ActionRecord): boolean =>
  record.state === 'closed'
    ? record.ending.outcome !== 'skipped' || failsStatus(record.ending)
    : isRequestRecord(record) && record.state !== 'idle'
