import fc from 'fast-check'
import { vi } from 'vitest'

/**
 * `npm test` tries the same examples each time, so that a change fails for what it changed. `FUZZ_RUNS=10000` tries as
 * many new ones for each property; a failure names its seed.
 */
const asked = Number(process.env.FUZZ_RUNS ?? 0)
const SEED = 20_260_701

if (asked > 0) vi.setConfig({ testTimeout: 3_600_000 })

/** How often a property is tried: at least `usual` times. */
export function runs(usual: number): { readonly numRuns: number; readonly seed?: number } {
  return asked > 0 ? { numRuns: Math.max(usual, asked) } : { numRuns: usual, seed: SEED }
}

/** Any Unicode, half surrogate pairs too. */
export const anyText = (maxLength = 80): fc.Arbitrary<string> =>
  fc
    .string({ unit: 'binary', maxLength })
    .chain((whole) => fc.constantFrom('', '\ud800', '\udc00').map((half) => whole + half))

/** Text in which these pieces, which mean something where it ends up, stand next to each other. */
export const textOf = (pieces: readonly string[], maxLength = 30): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...pieces) },
        { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }) },
      ),
      { maxLength },
    )
    .map((parts) => parts.join(''))
