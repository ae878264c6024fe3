import { BadInput } from '../core/errors.ts'
import { code } from '../core/text.ts'

/** The inputs of the step, by name. The runner sets all of them; an empty one counts as not given. */
export type RawInputs = (name: string) => string | undefined

/** As the runner hands them over: upper-cased, blanks as underscores, hyphens kept. */
export function rawInputs(env: NodeJS.ProcessEnv): RawInputs {
  return (name) => env[`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`]?.trim() || undefined
}

export function required(inputs: RawInputs, name: string, remedy: string): string {
  const value = inputs(name)
  if (value === undefined) throw new BadInput(name, 'is missing', remedy)
  return value
}

/** The words that YAML 1.2's core schema takes for a boolean, as in @actions/core. */
export function flag(inputs: RawInputs, name: string, missing: boolean): boolean {
  return choice(inputs, name, ['true', 'false'], String(missing) as 'true' | 'false') === 'true'
}

/** One of a few words, in any letter case. */
export function choice<T extends string>(
  inputs: RawInputs,
  name: string,
  words: readonly T[],
  missing: NoInfer<T>,
): T {
  const value = inputs(name)
  if (value === undefined) return missing
  const word = words.find((candidate) => candidate === value.toLowerCase())
  if (word !== undefined) return word
  const list = words.map((candidate) => code(candidate))
  throw new BadInput(
    name,
    `is ${code(value, 60)}`,
    `Write ${list.slice(0, -1).join(', ')} or ${list.at(-1)}.`,
  )
}

export interface Range {
  readonly min: number
  readonly max: number
  readonly whole?: boolean
  /** What one of it is, for the sentence: `minutes`. */
  readonly unit: string
}

/** A plain decimal number within a range; no sign, no exponent, no unit. */
export function numberIn(inputs: RawInputs, name: string, range: Range, missing: number): number {
  return optionalNumberIn(inputs, name, range) ?? missing
}

export function optionalNumberIn(inputs: RawInputs, name: string, range: Range): number | undefined {
  const value = inputs(name)
  if (value === undefined) return undefined
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN
  const inside = number >= range.min && number <= range.max
  if (inside && (range.whole !== true || Number.isInteger(number))) return number
  const kind = range.whole === true ? 'a whole number' : 'a number'
  const limits = `${range.min} to ${range.max.toLocaleString('en-US')}`
  throw new BadInput(name, `is ${code(value, 60)}`, `Write ${kind} of ${range.unit} from ${limits}.`)
}
