/** The few that weigh most of however many are added; of two that weigh the same, the first one comes first. */
export interface Ranking<T> {
  add(item: T): void
  /** Heaviest first. */
  list(): readonly T[]
}

/** Holds `size` items at most. */
export function ranking<T>(size: number, weightOf: (item: T) => number): Ranking<T> {
  const items: { readonly item: T; readonly weight: number }[] = []
  return {
    add(item) {
      const weight = weightOf(item)
      const last = items.at(-1)
      if (items.length >= size && (last === undefined || weight <= last.weight)) return
      const place = items.findIndex((other) => other.weight < weight)
      items.splice(place < 0 ? items.length : place, 0, { item, weight })
      if (items.length > size) items.pop()
    },
    list: () => items.map(({ item }) => item),
  }
}
