import type { EmulatedRequest } from '../http.ts'
import { Limits } from '../limits.ts'
import { ApiError } from './errors.ts'

/** GitHub's limits for the token of a workflow, by its documentation. Off unless the option is given; `{}` is GitHub's. */
export interface RateLimitOptions {
  /** How the secondary limits answer; default 403. */
  readonly status?: 403 | 429
  /** Seconds of `Retry-After` of the secondary limits; without it they name no time. */
  readonly retryAfter?: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const MOST_AT_ONCE = 100
/** Requests of any kind. */
const PRIMARY = { most: 1000, perMs: HOUR_MS }
/** A read is one point, a write five. */
const POINTS = { most: 900, perMs: MINUTE_MS }
const CONTENT_A_MINUTE = { most: 80, perMs: MINUTE_MS }
const CONTENT_AN_HOUR = { most: 500, perMs: HOUR_MS }

export const SECONDARY_LIMIT =
  'You have exceeded a secondary rate limit. Please wait a few minutes before you try again. For more on scraping GitHub and how it may affect your rights, please review our Terms of Service (https://docs.github.com/en/site-policy/github-terms/github-terms-of-service)'
const CONTENT_LIMIT =
  'You have exceeded a secondary rate limit and have been temporarily blocked from content creation. Please retry your request again later.'
const PRIMARY_LIMIT = 'API rate limit exceeded for installation ID 1.'

export class RateLimits {
  readonly #options: RateLimitOptions | undefined
  readonly #now: () => number
  readonly #limits: Limits
  #atOnce = 0

  constructor(options: RateLimitOptions | undefined, now: () => number) {
    this.#options = options
    this.#now = now
    this.#limits = new Limits(now)
  }

  /** Counts a request while it is under way. */
  async during<T>(act: () => Promise<T>): Promise<T> {
    this.#atOnce += 1
    try {
      return await act()
    } finally {
      this.#atOnce -= 1
    }
  }

  /** Counts a request. Throws GitHub's refusal where it is one too many. */
  take({ method, path }: EmulatedRequest): void {
    if (this.#options === undefined) return
    const isRead = method === 'GET'
    const isContent = !isRead && method !== 'DELETE' && path !== '/markdown'
    if (!this.#limits.take('primary', PRIMARY)) throw new ApiError(403, PRIMARY_LIMIT, {}, this.headers())
    if (this.#atOnce > MOST_AT_ONCE) throw this.#refusal(SECONDARY_LIMIT)
    if (!this.#limits.take('points', POINTS, isRead ? 1 : 5)) throw this.#refusal(SECONDARY_LIMIT)
    if (!isContent) return
    const isAllowed =
      this.#limits.take('content a minute', CONTENT_A_MINUTE) &&
      this.#limits.take('content an hour', CONTENT_AN_HOUR)
    if (!isAllowed) throw this.#refusal(CONTENT_LIMIT)
  }

  /** A 304 does not count against the hour; it does against the secondary limits. */
  forgive(): void {
    this.#limits.untake('primary')
  }

  /** Of every answer. */
  headers(): Record<string, string> {
    const { most } = PRIMARY
    const used = this.#limits.used('primary', PRIMARY)
    return {
      'x-ratelimit-limit': String(most),
      'x-ratelimit-remaining': String(most - used),
      'x-ratelimit-used': String(used),
      'x-ratelimit-reset': String(Math.ceil((this.#now() + HOUR_MS) / 1000)),
      'x-ratelimit-resource': 'core',
    }
  }

  #refusal(message: string): ApiError {
    const { status = 403, retryAfter } = this.#options ?? {}
    const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
    return new ApiError(status, message, {}, headers)
  }
}
