import { createHash } from 'node:crypto'

/** What asks, as far as a re-run shares it: the attempt is none of it, so that a re-run finds its own record. */
export interface RequestOrigin {
  readonly runId: number
  readonly workflow: string
  readonly job: string
  /** Place of the job in a matrix, from 0; '' where it is not known. */
  readonly matrixIndex: string
  readonly step: string
  readonly projectId: string
  /** `issue:123` for a comment, '' for every other event. */
  readonly comment: string
}

/** Of a step in a workflow, whichever run it belongs to. */
const stepParts = ({ workflow, job, matrixIndex, step, projectId }: RequestOrigin): readonly string[] => [
  ...[workflow, job, Number(matrixIndex) > 0 ? matrixIndex : '', step, projectId],
]

const askedBy = ({ comment, runId }: RequestOrigin): string => (comment === '' ? `run:${runId}` : comment)

/** @param inputs all that makes two requests of one step differ: two calls of a reusable workflow are two requests */
export const requestKey = (origin: RequestOrigin, inputs: unknown): string =>
  digestOf(['request', askedBy(origin), stepParts(origin), inputs])

/** The same changes of a pull request are the same request, whichever event and run bring them. @param changes their digest */
export const changesKey = (origin: RequestOrigin, inputs: unknown, pull: number, changes: string): string =>
  digestOf(['changes', pull, changes, stepParts(origin), inputs])

/** Two attempts with this key belong to the same step of one run, whatever their prompts. */
export const originKey = (origin: RequestOrigin): string =>
  digestOf(['attempts', origin.runId, askedBy(origin), stepParts(origin)])

/**
 * Of a step in a workflow: what one of its runs brought to the agent, another one can compare with.
 * @param inputs as the workflow gives them: two calls of a reusable workflow are two steps
 */
export const stepKey = (origin: RequestOrigin, inputs: unknown): string =>
  digestOf(['step', stepParts(origin), inputs])

export const digestOfText = (text: string): string => (text === '' ? '' : digestOf(text))

/** Records name their project by it, which tells one of another project from one of another key. */
export const digestOfProject = (projectId: string): string => digestOf(['project', projectId])

/** More than 128 bits. */
const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)
