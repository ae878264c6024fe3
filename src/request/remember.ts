import { type Job, jobWithId } from './job.ts'
import { type ChangesVerdict, EMPTY_MEMORY, type Growing, type Latest } from './memory.ts'
import {
  hasFailed,
  isCompleted,
  jobOf,
  type RequestIdentity,
  type RequestRecord,
  type RequestState,
} from './record.ts'
import { digestOfText } from './request-key.ts'

/** What the newest request makes of what the thread knew when it was asked. */
export function latestAfter(
  latest: Latest,
  { head }: Pick<RequestIdentity, 'head'>,
  state: RequestState,
): Latest {
  switch (state.state) {
    // Nothing was asked, so what was known before stays.
    case 'idle':
    case 'notSent':
      return latest
    // Perhaps nothing was asked.
    case 'sending':
      return state.jobId === '' ? latest : { ...latest, job: withLinkOf(latest.job, jobWithId(state.jobId)) }
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
  }
}

function verdictsOf(record: RequestRecord): ChangesVerdict[] {
  const { key, requestedAt, head, commitStatus } = record
  const { digest } = head
  const isDecided =
    record.state === 'reported' || (record.state === 'notSent' && record.ending.outcome === 'error')
  if (!isDecided || digest === '') return []
  const { outcome, reason } = record.ending
  const checks = record.state === 'reported' ? record.checks?.status : undefined
  return [{ key, digest, requestedAt, status: digestOfText(commitStatus.name), outcome, reason, checks }]
}
