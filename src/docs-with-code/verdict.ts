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

/** What is decided beside the request that a process serves; nothing where the thread is not known. */
export const decisionsOf = (history: History | undefined): Decisions => ({
  requests: history?.others.map(({ record }) => record) ?? [],
  skip: history && skipOf(history),
})

/** What was said last, where no later request takes it back; undefined for nothing. */
function skipOf({ own, others, skips }: History): SkipComment | undefined {
  const [skip] = skips
  if (skip === undefined) return undefined
  const isLater = ({ record: { state, requestedAt } }: RequestComment) =>
    state !== 'idle' && requestedAt > skip.record.writtenAt
  return [...others, ...(own === undefined ? [] : [own])].some(isLater) ? undefined : skip
}

/**
 * What the commit status says of a head (contract 3.13, 4.13): the verdict belongs to the changes, so it is that of the
 * latest request for the same ones, never that of a request for others; or that they need no documentation (3.2).
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

/** What the thread says of the head of a request without this one. */
export const verdictBefore = (request: Pick<Request, 'identity' | 'history'>): Verdict | undefined =>
  verdictOf(decisionsOf(request.history), headOf(request))

/** Something later decides the head, also where an earlier request comes back. */
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

/** With another base, one commit has other changes, so a SHA counts only where no digest is known. */
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
