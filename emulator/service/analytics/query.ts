import { type EmulatedRequest, type EmulatedResponse, json } from '../../http.ts'

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/
const DAY_MS = 86_400_000

/** Milliseconds since the epoch; `to` is exclusive. */
export interface Period {
  readonly from: number
  readonly to: number
}

/** `read` parses the parameters; its result is called only if all of them are valid. */
export function checked(
  request: EmulatedRequest,
  now: number,
  read: (query: Query) => () => unknown,
): EmulatedResponse {
  const query = new Query(request.query, now)
  const answer = read(query)
  if (query.problems.length === 0) return json(200, answer())
  return json(400, { error: 'Invalid query parameters', details: query.problems })
}

/** The parameters of a request, and what is wrong with those that were read. */
export class Query {
  readonly problems: { readonly message: string }[] = []
  readonly #given: URLSearchParams
  readonly #now: number

  constructor(given: URLSearchParams, now: number) {
    this.#given = given
    this.#now = now
  }

  period(): Period {
    const today = Math.floor(this.#now / DAY_MS) * DAY_MS
    const from = this.#date('dateFrom', today - 30 * DAY_MS)
    const to = this.#date('dateTo', today)
    if (from >= to) this.#problem('dateFrom must be before dateTo')
    return { from, to }
  }

  limit(missing: number, most: number): number {
    return this.#whole('limit', missing, 1, most)
  }

  offset(): number {
    return this.#whole('offset', 0, 0, Number.MAX_SAFE_INTEGER)
  }

  /** `null` where it is not given. */
  value<T>(name: string, parse: (given: string) => T | undefined): T | null {
    const given = this.#given.get(name)
    if (given === null) return null
    const value = parse(given)
    if (value === undefined) this.#problem(`${name} is invalid`)
    return value ?? null
  }

  #date(name: string, missing: number): number {
    const given = this.#given.get(name)
    if (given === null) return missing
    const ms = Date.parse(given)
    if (DATE.test(given) && Number.isFinite(ms)) return ms
    this.#problem(`${name} must be an ISO 8601 date`)
    return missing
  }

  #whole(name: string, missing: number, least: number, most: number): number {
    const given = this.#given.get(name)
    if (given === null) return missing
    const value = Number(given)
    if (/^\d+$/.test(given) && value >= least && value <= most) return value
    this.#problem(`${name} must be a whole number from ${least} to ${most}`)
    return missing
  }

  #problem(message: string): void {
    this.problems.push({ message })
  }
}
