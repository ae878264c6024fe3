import type { Row } from './rows.ts'

/** Visitors of one page in two periods. */
export interface Change {
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
export function largestChanges(
  now: PathTotals,
  before: PathTotals,
  size: number,
  whole: boolean,
): readonly Change[] {
  const largest = ranking<Change>(size, (change) => Math.abs(change.now - change.before))
  const add = (path: string) => {
    const change = { path, before: before.get(path) ?? 0, now: now.get(path) ?? 0 }
    if (change.now !== change.before && (whole || (now.has(path) && before.has(path)))) largest.add(change)
  }
  for (const path of now.keys()) add(path)
  for (const path of before.keys()) if (!now.has(path)) add(path)
  return largest.list()
}

/** The heaviest few of any number of items; of two with the same weight, the first one comes first. */
export interface Ranking<T> {
  add(item: T): void
  /** Heaviest first. */
  list(): readonly T[]
}

/** Holds `size` items at most, so that memory does not grow with what is added. */
export function ranking<T>(size: number, weightOf: (item: T) => number): Ranking<T> {
  const items: { readonly item: T; readonly weight: number }[] = []
  return {
    add(item) {
      const weight = weightOf(item)
      const last = items.at(-1)
      if (items.length >= size && (last === undefined || weight <= last.weight)) return
      const at = items.findIndex((other) => other.weight < weight)
      items.splice(at < 0 ? items.length : at, 0, { item, weight })
      if (items.length > size) items.pop()
    },
    list: () => items.map(({ item }) => item),
  }
}
