import { unit } from '../emulator/random.ts'

/** Chance that repeats itself: the same labels give the same throws, whatever else is thrown meanwhile. */
export class Dice {
  readonly #labels: readonly (string | number)[]
  #thrown = 0

  constructor(...labels: readonly (string | number)[]) {
    this.#labels = labels
  }

  /** Dice of their own for a part of the story, so that a change in one part leaves the others as they are. */
  of(...labels: readonly (string | number)[]): Dice {
    return new Dice(...this.#labels, ...labels)
  }

  /** At least 0, less than 1. */
  unit(): number {
    this.#thrown += 1
    return unit(...this.#labels, this.#thrown)
  }

  chance(p: number): boolean {
    return this.unit() < p
  }

  /** A whole number, both ends included. */
  whole(min: number, max: number): number {
    return min + Math.floor(this.unit() * (max - min + 1))
  }

  /** A whole number whose logarithm is spread evenly: as many of seconds as of hours. */
  spread(min: number, max: number): number {
    return Math.round(min * (max / min) ** this.unit())
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[Math.floor(this.unit() * from.length)] ?? from[0]
  }

  weighted<T>(from: Weighted<T>): T {
    const total = from.reduce((sum, [, weight]) => sum + weight, 0)
    let left = this.unit() * total
    for (const [value, weight] of from) {
      left -= weight
      if (left < 0) return value
    }
    return from[0][0]
  }

  /** One of these names, by their weights. */
  name<K extends string>(weights: Readonly<Record<K, number>>): K {
    return this.weighted(Object.entries(weights) as unknown as Weighted<K>)
  }

  /** One of these numbers from 0 on, by their weights. */
  count(...weights: readonly number[]): number {
    return this.weighted(weights.map((weight, value) => [value, weight]) as unknown as Weighted<number>)
  }
}

/** Values with their weights. */
export type Weighted<T> = readonly [readonly [T, number], ...(readonly [T, number])[]]
