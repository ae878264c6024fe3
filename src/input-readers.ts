import { BadInput } from './errors.ts'
import { code, grouped } from './text.ts'

/** `core.getInput`: trimmed, and '' where the input is not given or empty. */
export type GetInput = (name: string) => string

export function required(input: GetInput, name: string, remedy: string): string {
  const value = input(name)
  if (value === '') throw new BadInput(name, 'is missing', remedy)
  return value
}

/** `true` or `false`, in any letter case: the words that YAML 1.2 takes for a boolean. */
export function flag(input: GetInput, name: string, fallback: boolean): boolean {
  return choice(input, name, ['true', 'false'], String(fallback) as 'true' | 'false') === 'true'
}

/** One of a few words, in any letter case. */
export function choice<T extends string>(
  input: GetInput,
  name: string,
  words: readonly T[],
  fallback: NoInfer<T>,
): T {
  const value = input(name)
  if (value === '') return fallback
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
export function numberIn(input: GetInput, name: string, range: Range, fallback: number): number {
  return optionalNumberIn(input, name, range) ?? fallback
}

export function optionalNumberIn(input: GetInput, name: string, range: Range): number | undefined {
  const value = input(name)
  if (value === '') return undefined
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN
  const inside = number >= range.min && number <= range.max
  if (inside && (range.whole !== true || Number.isInteger(number))) return number
  const kind = range.whole === true ? 'a whole number' : 'a number'
  const limits = `${range.min} to ${grouped(range.max)}`
  throw new BadInput(name, `is ${code(value, 60)}`, `Write ${kind} of ${range.unit} from ${limits}.`)
}

/** Items separated by commas or line breaks. */
export const list = (input: GetInput, name: string): readonly string[] =>
  input(name)
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter(Boolean)

/** Items one a line: a path may hold a comma. */
export const lines = (input: GetInput, name: string): readonly string[] =>
  input(name)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
