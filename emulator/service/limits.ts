const HOUR_MS = 3_600_000

/** At most `most` times within `perMs` milliseconds. */
interface Limit {
  readonly most: number
  readonly perMs: number
}

const HOURLY: Limit = { most: 100, perMs: HOUR_MS }

/** Sliding-window limits. By default, 100 creations, 100 messages and 100 analytics requests per hour. */
export class Limits {
  readonly #taken = new Map<string, number[]>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Counts one more if it is allowed. @returns whether it was */
  take(bucket: string, { most, perMs }: Limit = HOURLY): boolean {
    const since = this.#now() - perMs
    const recent = (this.#taken.get(bucket) ?? []).filter((at) => at > since)
    this.#taken.set(bucket, recent)
    if (recent.length >= most) return false
    recent.push(this.#now())
    return true
  }
}
