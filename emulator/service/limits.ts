const HOUR_MS = 3_600_000
const PER_HOUR = 100

/** Sliding hourly limits: 100 creations and 100 messages a project, 100 analytics requests an organisation. */
export class Limits {
  readonly #taken = new Map<string, number[]>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Whether one more is allowed within the hour; if so, it counts. */
  take(bucket: string): boolean {
    const since = this.#now() - HOUR_MS
    const recent = (this.#taken.get(bucket) ?? []).filter((at) => at > since)
    this.#taken.set(bucket, recent)
    if (recent.length >= PER_HOUR) return false
    recent.push(this.#now())
    return true
  }
}
