import { createHash } from 'node:crypto'

/** What the keys of a request are made of (contract 5.2). The attempt is none of it, so that a re-run finds its own. */
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

/** Two runs with this key serve the same request. */
export const requestKey = (origin: RequestOrigin, request: string): string => digest(origin, [], [request])

/** Two attempts with this key belong to the same step of one run, whatever their prompts. */
export const originKey = (origin: RequestOrigin): string => digest(origin, [`run:${origin.runId}`], [])

/** Records name their project by it, which tells one of another project from one of another key. */
export const digestOfProject = (projectId: string): string => digestOf(['project', projectId])

function digest(
  { runId, workflow, job, matrixIndex, step, projectId, comment }: RequestOrigin,
  before: readonly string[],
  behind: readonly string[],
): string {
  // The first job of a matrix has the key of a job without one, as in version 1.1.
  const matrix = Number(matrixIndex) > 0 ? [`matrix:${matrixIndex}`] : []
  const asked = comment === '' ? `run:${runId}` : comment
  const parts = [...before, asked, workflow, job, step, projectId, ...matrix, ...behind]
  return digestOf(parts)
}

/** More than 128 bits. */
const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)
