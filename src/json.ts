/** Guards for JSON from outside: everything is `unknown` until one of these narrows it. */

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {})

export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The text, or '' in its place. Half a surrogate pair becomes U+FFFD. */
export const asString = (value: unknown): string => (typeof value === 'string' ? value.toWellFormed() : '')

/** A positive whole number such as an id, or undefined. */
export function asId(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}

/** A date-time in ms since the epoch, of UTC where it names no zone; 0 for everything else. */
export function asTime(value: unknown): number {
  const text = asString(value)
  // Node takes it for one of the runner's own zone.
  return Date.parse(LACKS_ZONE.test(text) ? `${text}Z` : text) || 0
}

const LACKS_ZONE = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?$/

export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
