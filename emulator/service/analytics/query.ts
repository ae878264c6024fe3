const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const DAY_MS = 86_400_000

/** Milliseconds since the epoch; `to` is exclusive. */
export interface Period {
  readonly from: number
  readonly to: number
}

/** A parameter that the service refuses. */
export class BadQuery extends Error {}

export type Query = ReturnType<typeof queryOf>

/** The parameters of a request. Each throws `BadQuery` if it is not valid. */
export function queryOf(given: URLSearchParams, now: number) {
  /** `null` where it is not given. */
  function value<T>(name: string, parse: (text: string) => T | undefined): T | null {
    const text = given.get(name)
    if (text === null) return null
    const parsed = parse(text)
    if (parsed === undefined) throw new BadQuery(`${name} is invalid`)
    return parsed
  }
  return {
    value,
    period(): Period {
      const today = Math.floor(now / DAY_MS) * DAY_MS
      const from = value('dateFrom', dateOf) ?? today - 30 * DAY_MS
      const to = value('dateTo', dateOf) ?? today
      if (from >= to) throw new BadQuery('dateFrom must be before dateTo')
      return { from, to }
    },
    limit: (missing: number, most: number): number =>
      value('limit', (text) => wholeOf(text, 1, most)) ?? missing,
    offset: (): number => value('offset', (text) => wholeOf(text, 0, Number.MAX_SAFE_INTEGER)) ?? 0,
  }
}

function dateOf(given: string): number | undefined {
  const ms = Date.parse(given)
  return DATE.test(given) && Number.isFinite(ms) ? ms : undefined
}

function wholeOf(given: string, least: number, most: number): number | undefined {
  const value = Number(given)
  return /^\d+$/.test(given) && value >= least && value <= most ? value : undefined
}
