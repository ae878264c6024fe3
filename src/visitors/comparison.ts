import type { Row } from './page.ts'
import { ranking } from './ranking.ts'

/** Visitors of one page in two periods. */
export interface Move {
  readonly path: string
  readonly before: number
  readonly now: number
}

/** All visitors of each page, by path. */
export type PathTotals = ReadonlyMap<string, number>

export function addTotals(totals: Map<string, number>, rows: readonly Row[]): void {
  for (const { path, total } of rows) totals.set(path, total)
}

/**
 * The pages whose visitors changed most, up or down, the largest change first.
 * @param whole both periods were read to their end: a page that is missing in one of them had no visitors
 */
export function movers(now: PathTotals, before: PathTotals, size: number, whole: boolean): readonly Move[] {
  const most = ranking<Move>(size, (move) => Math.abs(move.now - move.before))
  const add = (path: string) => {
    const move = { path, before: before.get(path) ?? 0, now: now.get(path) ?? 0 }
    if (move.now !== move.before && (whole || (now.has(path) && before.has(path)))) most.add(move)
  }
  for (const path of now.keys()) add(path)
  for (const path of before.keys()) if (!now.has(path)) add(path)
  return most.list()
}
