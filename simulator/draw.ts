import fc from 'fast-check'

// How stories draw what happens in them. Of all that can be drawn the first is the plainest: a story that fails shrinks
// to it.

/** A whole number whose logarithm is spread evenly: as many of seconds as of hours. */
export const spread = (min: number, max: number): fc.Arbitrary<number> =>
  fc.nat(1000).map((n) => Math.round(min * (max / min) ** (n / 1000)))

/** One of these, by their weights. */
export const either = <T>(
  ...of: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<T>])[]
): fc.Arbitrary<T> =>
  fc.oneof({ withCrossShrink: true }, ...of.map(([weight, arbitrary]) => ({ weight, arbitrary })))

/** One of these names, by their weights. */
export const often = <K extends string>(weights: Readonly<Record<K, number>>): fc.Arbitrary<K> =>
  either(
    ...Object.entries<number>(weights).map(([name, weight]) => [weight, fc.constant(name as K)] as const),
  )

/** So many times in a hundred; else undefined. */
export const sometimes = <T>(percent: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  either<T | undefined>([100 - percent, fc.constant(undefined)], [percent, arbitrary])

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** The fields that have been drawn. */
export const present = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>

/** A record of those fields that have been drawn. */
export const record = <T extends object>(
  model: { [K in keyof T]: fc.Arbitrary<T[K]> },
): fc.Arbitrary<Present<T>> => fc.record<T>(model).map((fields) => present(fields as T))
