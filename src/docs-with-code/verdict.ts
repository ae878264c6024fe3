import {
  commitVerdictOf,
  skipVerdict,
  type Verdict,
  type VerdictFacts,
  WORKING,
} from '../messages/commit-verdict.ts'
import type { History } from '../request/history.ts'
import { ending } from '../request/outcome.ts'
import { isAtWork } from '../request/parts.ts'
import type { RequestComment, SkipComment } from '../request/precedence.ts'
import type { RequestRecord, RequestState } from '../request/record.ts'
import { jobOf, recordedEnding } from '../request/states.ts'
import type { Request } from '../thread/request.ts'

/** A head of a pull request, as one step of a workflow decides it. */
export interface DecidedHead {
  /** Of the commit status. */
  readonly name: string
  /** Digest of the step, as a record has it. */
  readonly step: string
  readonly sha: string
  /** Of the changes; '' where it is not known. */
  readonly digest: string
}

/** What the records of a thread decide. */
export interface Decisions {
  /** The latest first. */
  readonly requests: readonly RequestRecord[]
  /** In force: no later request takes it back. */
  readonly skip: SkipComment | undefined
}

/** What the other requests of the thread decide, and its skip; nothing where the thread is not known. */
export const decisionsOf = (history: History | undefined): Decisions => ({
  requests: history?.others.map(({ record }) => record) ?? [],
  skip: history && skipOf(history),
})

/** The last skip; undefined if there is none, or if a later request takes it back. */
function skipOf({ own, others, skips }: History): SkipComment | undefined {
  const [skip] = skips
  if (skip === undefined) return undefined
  const isLater = ({ record: { state, requestedAt } }: RequestComment) =>
    state !== 'idle' && requestedAt > skip.record.writtenAt
  return [...others, ...(own === undefined ? [] : [own])].some(isLater) ? undefined : skip
}

/**
 * What the commit status says of a head (contract 3.13, 4.13). A skip goes first: the changes need no documentation
 * (3.2). Else the latest request for the same changes decides, and never a request for other changes.
 * @returns undefined where nothing decides these changes
 */
export function verdictOf({ requests, skip }: Decisions, head: DecidedHead): Verdict | undefined {
  if (skip !== undefined) return skipVerdict(skip.record, skip.url)
  const record = requests.find((one) => isAbout(one, head))
  if (record === undefined) return undefined
  if (isAtWork(record)) return WORKING
  const checks = record.state === 'reported' ? record.checks : undefined
  const end = recordedEnding(record) ?? ending('error')
  return verdictOfEnd(record, { ...end, job: jobOf(record), checks, command: record.command }) ?? WORKING
}

/** The verdict of an end; undefined while the job works, or where nothing was decided. */
export function verdictOfEnd({ state }: Pick<RequestState, 'state'>, end: VerdictFacts): Verdict | undefined {
  // Nobody works on a request that was not sent.
  const isUnsent = state === 'notSent' && end.outcome !== 'error'
  return commitVerdictOf(isUnsent ? { ...end, outcome: 'error', reason: '' } : end)
}

/** The head that a request is about. */
export const headOf = ({ identity: { commitStatus, head } }: Pick<Request, 'identity'>): DecidedHead => ({
  name: commitStatus.name,
  step: head.step,
  digest: head.digest,
  sha: commitStatus.sha || head.sha,
})

/** What the other requests of the thread, or a skip, decide about the head of a request. */
export const verdictBefore = (request: Pick<Request, 'identity' | 'history'>): Verdict | undefined =>
  verdictOf(decisionsOf(request.history), headOf(request))

/** A later request or skip decides the head, even if a re-run takes up the earlier request. */
export const isDecidedAfter = (
  { requests, skip }: Decisions,
  requestedAt: number,
  head: DecidedHead,
): boolean =>
  (skip !== undefined && skip.record.writtenAt > requestedAt) ||
  requests.some(
    (record) =>
      record.requestedAt > requestedAt &&
      (isAbout(record, head) || (isOfStatus(record, head) && record.commitStatus.sha === head.sha)),
  )

/** The digest that a request has of a head. @returns '' for none */
export const knownDigest = ({ requests }: Decisions, sha: string): string =>
  requests.find(({ head }) => head.sha === sha && head.digest !== '')?.head.digest ?? ''

/** The base of a commit decides what it changes, so its SHA counts only where a digest is not known. */
function isAbout(record: RequestRecord, { digest, ...head }: DecidedHead): boolean {
  if (!isOfStatus(record, head)) return false
  if (digest !== '' && record.head.digest !== '') return record.head.digest === digest
  return record.head.sha === head.sha || record.commitStatus.sha === head.sha
}

/** A request from before the workflow had a commit status counts for the step that asked it. */
const isOfStatus = (
  { state, commitStatus, head }: RequestRecord,
  { name, step }: Pick<DecidedHead, 'name' | 'step'>,
): boolean => state !== 'idle' && (commitStatus.name === '' ? head.step === step : commitStatus.name === name)
