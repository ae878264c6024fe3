const HOUR_MS = 3_600_000

/** How often something is allowed within so many milliseconds. */
interface Limit {
  readonly most: number
  readonly perMs: number
}

const HOURLY: Limit = { most: 100, perMs: HOUR_MS }

/** Sliding limits. By default an hour's: 100 creations, 100 messages, 100 analytics requests an organisation. */
export class Limits {
  readonly #taken = new Map<string, number[]>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Whether one more is allowed within the time; if so, it counts. */
  take(bucket: string, { most, perMs }: Limit = HOURLY): boolean {
    const since = this.#now() - perMs
    const recent = (this.#taken.get(bucket) ?? []).filter((at) => at > since)
    this.#taken.set(bucket, recent)
    if (recent.length >= most) return false
    recent.push(this.#now())
    return true
  }
}
