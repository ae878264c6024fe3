const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const DAY_MS = 86_400_000

/** Milliseconds since the epoch; `to` is exclusive. */
export interface Period {
  readonly from: number
  readonly to: number
}

/** A parameter that the service refuses. */
export class BadQuery extends Error {}

/** The parameters of a request. Each throws `BadQuery` if it is not valid. */
export class Query {
  readonly #given: URLSearchParams
  readonly #now: number

  constructor(given: URLSearchParams, now: number) {
    this.#given = given
    this.#now = now
  }

  period(): Period {
    const today = Math.floor(this.#now / DAY_MS) * DAY_MS
    const from = this.value('dateFrom', dateOf) ?? today - 30 * DAY_MS
    const to = this.value('dateTo', dateOf) ?? today
    if (from >= to) throw new BadQuery('dateFrom must be before dateTo')
    return { from, to }
  }

  limit(missing: number, most: number): number {
    const parse = (given: string) => wholeOf(given, 1, most)
    return this.value('limit', parse) ?? missing
  }

  offset(): number {
    return this.value('offset', (given) => wholeOf(given, 0, Number.MAX_SAFE_INTEGER)) ?? 0
  }

  /** `null` where it is not given. */
  value<T>(name: string, parse: (given: string) => T | undefined): T | null {
    const given = this.#given.get(name)
    if (given === null) return null
    const value = parse(given)
    if (value === undefined) throw new BadQuery(`${name} is invalid`)
    return value
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
