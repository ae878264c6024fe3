import * as v from 'valibot'

// Guards for JSON from outside: everything is `unknown` until one of these narrows it.

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

// Fields of what is read as far as it goes: a value of another type is '', 0, `false` or the entries that fit.

const wellFormed = v.transform((value: string) => value.toWellFormed())
export const text = v.fallback(v.pipe(v.string(), wellFormed), '')
export const whole = v.fallback(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0)
/** Of an issue or a pull request: GitHub has no greater ones. */
export const issueNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(2 ** 31 - 1))
/** Undefined for a value of another type. */
export const optional = <T extends v.GenericSchema>(schema: T) => v.fallback(v.optional(schema), undefined)
export const flag = v.fallback(v.boolean(), false)
export const name = v.pipe(v.string(), wellFormed, v.nonEmpty())

/** For what has to fit into a comment: what is longer counts as missing. @param most bytes of it in JSON */
const upTo = (most: number) =>
  v.check((value: string) => Buffer.byteLength(JSON.stringify(value)) <= most + 2)
export const textUpTo = (most: number) => v.fallback(v.pipe(v.string(), wellFormed, upTo(most)), '')
export const nameUpTo = (most: number) => v.pipe(name, upTo(most))

/** @param most entries: the first ones stay */
export const listOf = <T extends v.GenericSchema>(item: T, most = Number.POSITIVE_INFINITY) =>
  v.fallback(
    v.pipe(
      v.array(v.unknown()),
      v.transform((all) => all.flatMap((one) => outputOf(item, one)).slice(0, most)),
    ),
    [],
  )

function outputOf<T extends v.GenericSchema>(item: T, one: unknown): v.InferOutput<T>[] {
  const { success, output } = v.safeParse(item, one)
  return success ? [output] : []
}
