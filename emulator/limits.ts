const HOUR_MS = 3_600_000

/** At most `most` within `perMs` milliseconds. */
export interface Limit {
  readonly most: number
  readonly perMs: number
}

const HOURLY: Limit = { most: 100, perMs: HOUR_MS }

/** Sliding windows; by default 100 an hour, as the service counts creations, messages and analytics requests. */
export class Limits {
  readonly #taken = new Map<string, number[]>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** How much of the window is used. */
  used(bucket: string, { perMs }: Limit = HOURLY): number {
    const since = this.#now() - perMs
    const recent = (this.#taken.get(bucket) ?? []).filter((at) => at > since)
    this.#taken.set(bucket, recent)
    return recent.length
  }

  /** Counts one more, or `points`, if that is allowed. @returns whether it was */
  take(bucket: string, limit: Limit = HOURLY, points = 1): boolean {
    if (this.used(bucket, limit) + points > limit.most) return false
    for (let n = 0; n < points; n += 1) this.#taken.get(bucket)?.push(this.#now())
    return true
  }

  /** Takes back what was counted last. */
  untake(bucket: string): void {
    this.#taken.get(bucket)?.pop()
  }
}
