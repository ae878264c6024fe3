/**
 * How long the server asks us to wait, in ms from `now`, or undefined when it does not say. `Retry-After` as seconds
 * or as a date (RFC 9110, 10.2.3); without it, the reset time of a spent `X-RateLimit-*` budget (epoch seconds).
 */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after') ?? ''
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value) * 1000
  const date = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(date)) return Math.max(0, date - now)
  const reset = headers.get('x-ratelimit-reset') ?? ''
  if (headers.get('x-ratelimit-remaining') === '0' && /^\d{9,11}$/.test(reset)) {
    return Math.max(0, Number(reset) * 1000 - now)
  }
  return undefined
}

/** All three forms start with the day's name and hold the time; `Date.parse` alone would take "-1" for a year. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/
