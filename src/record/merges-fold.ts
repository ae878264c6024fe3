import type { RequestRecord } from './record.ts'
import { isCompleted } from './states.ts'

/** What completed requests covered. */
export interface Covered {
  /** The newest of their merges, in ms since the epoch; 0 for none. */
  readonly until: number
  /** Numbers of the merged pull requests. */
  readonly merged: readonly number[]
}

export function coveredIn(requests: readonly RequestRecord[]): Covered {
  const completed = requests.filter(isCompleted)
  return {
    until: Math.max(0, ...completed.map(({ coversUntil }) => coversUntil)),
    merged: [...new Set(completed.flatMap(({ merged }) => merged))],
  }
}
