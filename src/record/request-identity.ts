import { createHash } from 'node:crypto'
import type { RequestIdentity } from './record.ts'

/** What asks, as far as a re-run shares it: the attempt is none of it, so that a re-run finds its own record. */
export interface RequestSource {
  readonly runId: number
  readonly workflow: string
  readonly workflowJob: string
  /** Place of the job in a matrix, from 0; '' where it is not known. */
  readonly matrixIndex: string
  readonly stepId: string
  readonly projectId: string
  /** `issue:123` for a comment, '' for every other event. */
  readonly comment: string
}

/** Of a step in a workflow, whichever run it belongs to. */
const stepParts = ({
  workflow,
  workflowJob,
  matrixIndex,
  stepId,
  projectId,
}: RequestSource): readonly string[] => [
  ...[workflow, workflowJob, Number(matrixIndex) > 0 ? matrixIndex : '', stepId, projectId],
]

const askedBy = ({ comment, runId }: RequestSource): string => (comment === '' ? `run:${runId}` : comment)

/** @param inputs all that makes two requests of one step differ: two calls of a reusable workflow are two requests */
export const digestOfRequest = (origin: RequestSource, inputs: unknown): string =>
  digestOf(['request', askedBy(origin), stepParts(origin), inputs])

/** The same changes of a pull request are the same request, whichever event and run bring them. @param changes their digest */
export const digestOfChanges = (
  origin: RequestSource,
  inputs: unknown,
  pull: number,
  changes: string,
): string => digestOf(['changes', pull, changes, stepParts(origin), inputs])

/** Two attempts with this key belong to the same step of one run, whatever their prompts. */
export const digestOfAttempts = (origin: RequestSource): string =>
  digestOf(['attempts', origin.runId, askedBy(origin), stepParts(origin)])

/**
 * Of a step in a workflow: what one of its runs brought to the agent, another one can compare with.
 * @param inputs as the workflow gives them: two calls of a reusable workflow are two steps
 */
export const digestOfWorkflowStep = (origin: RequestSource, inputs: unknown): string =>
  digestOf(['step', stepParts(origin), inputs])

export const digestOfText = (text: string): string => (text === '' ? '' : digestOf(text))

/** Records name their project by it, which tells one of another project from one of another key. */
export const digestOfProject = (projectId: string): string => digestOf(['project', projectId])

/** More than 128 bits. */
const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)

// Which request a record is of.

/** Attempts of one run do not run at the same time. */
export const runOf = ({ attempt }: Pick<RequestIdentity, 'attempt'>): string => attempt.split('.')[0] ?? ''

export const isOfSameRun = (
  one: Pick<RequestIdentity, 'attempt'>,
  other: Pick<RequestIdentity, 'attempt'>,
): boolean => runOf(one) === runOf(other)

/** A `pull_request` event asked, and no person. */
export const wasAskedByPullRequestEvent = ({ head }: Pick<RequestIdentity, 'head'>): boolean =>
  head.workflowStep !== ''

/**
 * A run asks about the merge of the pull request of its own thread, whichever event brought it: its push, or its `closed`.
 * @param thread number
 */
const isOfMerge = ({ merged, head }: Pick<RequestIdentity, 'merged' | 'head'>, thread: number): boolean =>
  merged.length === 1 && merged[0] === thread && head.sha !== ''

/**
 * A record of the thread is of the request that a run asks: they have one digest, or one of them asks about the merge of changes that
 * the other one is about, in whichever workflow. A command is no merge, whatever its head: it asks for what a person wrote. Steps of
 * one run ask each for itself. @param own of the run @param thread number
 */
export const isSameRequest = (record: RequestIdentity, own: RequestIdentity, thread: number): boolean =>
  record.requestDigest === own.requestDigest ||
  (record.head.sha === own.head.sha &&
    (isOfMerge(own, thread) || (isOfMerge(record, thread) && wasAskedByPullRequestEvent(own))) &&
    !isOfSameRun(record, own))

/** A login; '' for none: what an event of a pull request brings notifies no one. */
export const mentionOf = (identity: Pick<RequestIdentity, 'head' | 'requestedBy'>): string =>
  wasAskedByPullRequestEvent(identity) ? '' : identity.requestedBy
